"""The virtual environments of the peers: one each, in the cache folder, named for exactly what is in it."""

import hashlib
import os
import sys
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

BENCH = Path(__file__).parent
PEERS_FILE = BENCH / "peers.toml"


class UnknownPeer(Exception):
    """A name that `peers.toml` does not have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """One thing to measure."""

    name: str
    """Of its script in `bench/peers`."""
    title: str
    packages: tuple[str, ...]
    """Requirements with exact versions; none for what runs in our own environment."""

    @property
    def folder(self) -> Path:
        """Where its environment is; another version or another Python gives another folder."""
        text = "\n".join((*self.packages, sys.version))
        return cache_folder() / f"{self.name}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"

    @property
    def python(self) -> Path:
        """Its interpreter."""
        if not self.packages:
            return Path(sys.executable)
        return self.folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    @property
    def is_installed(self) -> bool:
        """Whether its environment is whole; a broken install leaves no stamp."""
        return not self.packages or self.stamp.is_file()

    @property
    def stamp(self) -> Path:
        """Written after an install that went well."""
        return self.folder / ".installed"


def cache_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """The folder of all environments: `DURE_CACHE_DIR`, else the user's cache folder."""
    return Path(environ.get("DURE_CACHE_DIR") or platformdirs.user_cache_dir("dure", appauthor=False)) / "bench"


def all_peers(text: str | None = None) -> tuple[Peer, ...]:
    """Everything in `peers.toml`, in its order."""
    entries = tomllib.loads(PEERS_FILE.read_text(encoding="utf-8") if text is None else text)
    return tuple(
        Peer(name=name, title=entry["title"], packages=tuple(entry.get("packages", ())))
        for name, entry in entries.items()
    )


def chosen(words: str, peers: Iterable[Peer]) -> tuple[Peer, ...]:
    """What `all`, `none` or a list of names stands for; what needs no install is always in.

    Raises:
        UnknownPeer: a name that is not there.
    """
    peers = tuple(peers)
    if words == "all":
        return peers
    names = {word.strip() for word in words.split(",") if word.strip()} - {"none"}
    unknown = sorted(names - {peer.name for peer in peers})
    if unknown:
        known = ", ".join(peer.name for peer in peers if peer.packages)
        raise UnknownPeer(f"no peer is called {', '.join(unknown)}; choose from {known}, or all, or none")
    return tuple(peer for peer in peers if not peer.packages or peer.name in names)
