"""Installs the peers of `peers.toml`, each into its own virtual environment: `python -m bench.setup_peers [NAME …]`."""

import shutil
import subprocess
import sys
import time
from collections.abc import Sequence

from bench.environments import Peer, UnknownPeer, all_peers, chosen

_INSTALL_SECONDS = 1200


def install(peer: Peer) -> str:
    """Make the environment of a peer anew; gives what went wrong, or nothing."""
    shutil.rmtree(peer.folder, ignore_errors=True)
    peer.folder.parent.mkdir(parents=True, exist_ok=True)
    steps: tuple[Sequence[str], ...] = (
        (sys.executable, "-m", "venv", str(peer.folder)),
        (str(peer.python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *peer.packages),
    )
    for step in steps:
        try:
            done = subprocess.run(step, capture_output=True, text=True, timeout=_INSTALL_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return f"not installed within {_INSTALL_SECONDS} s"
        if done.returncode:
            return (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
    peer.stamp.write_text("\n".join(peer.packages), encoding="utf-8")
    return ""


def main(words: Sequence[str]) -> int:
    """Install what is missing; 1 if something could not be installed."""
    try:
        peers = chosen(",".join(words) or "all", all_peers())
    except UnknownPeer as error:
        print(error, file=sys.stderr)
        return 2
    failed = 0
    for peer in peers:
        if peer.is_installed:
            continue
        begun = time.monotonic()
        print(f"{peer.name}: installing {' '.join(peer.packages)} …", flush=True)
        fault = install(peer)
        failed += bool(fault)
        print(f"{peer.name}: {fault or 'installed'} ({time.monotonic() - begun:.0f} s)", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
