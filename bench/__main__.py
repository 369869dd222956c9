"""dure beside its peers and beside loops written by hand, on this machine: `python -m bench --peers all`.

Peers are installed by `python -m bench.setup_peers`. What is not installed, or fails, is said and has no number.
Absolute numbers are this machine's; the ratios in brackets are against the loop by hand, in this run.
"""

import argparse
import dataclasses
import json
import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.cases import CASES, Case
from bench.environments import Peer, UnknownPeer, all_peers, chosen
from bench.sweep import SECONDS, Results, fresh, sweep
from bench.tables import Table, faults, tables

FRESH_PARTS = frozenset({"cold", "crowd"})


def main(arguments: Sequence[str]) -> int:
    """Measure and print; 1 if a peer that was asked for could not be measured."""
    given = _parser().parse_args(arguments)
    try:
        peers = chosen(given.peers, all_peers())
        cases, with_fresh = chosen_cases(given.cases, everything=given.full)
    except (UnknownPeer, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    missing = [peer for peer in peers if not peer.is_installed]
    for peer in missing:
        print(f"{peer.title} is not installed; run `python -m bench.setup_peers {peer.name}`", file=sys.stderr)
    peers = tuple(peer for peer in peers if peer.is_installed)
    if not any(peer.packages for peer in peers):
        print("measuring dure and the loops by hand only; add peers with --peers", file=sys.stderr)
    results: Results = {}
    versions: dict[str, str] = {}
    if with_fresh:
        found, versions = fresh(peers, given.repetitions, _say)
        results |= found
    if cases:
        results |= sweep(peers, cases, given.repetitions, _say, seconds=given.seconds)
    broken = faults(peers, results)
    made = tables(peers, cases, results)
    print("\n\n".join(table.as_markdown() if given.markdown else table.as_text() for table in made))
    for line in broken:
        print(f"not measured: {line}")
    if given.json:
        given.json.write_text(json.dumps(as_json(peers, versions, results, made), indent=1), encoding="utf-8")
    return 1 if missing or broken else 0


def chosen_cases(words: str, *, everything: bool) -> tuple[tuple[Case, ...], bool]:
    """The cases that names or groups stand for, and whether fresh processes are among them.

    Raises:
        ValueError: a name that is not there.
    """
    if not words:
        return tuple(case for case in CASES if everything or not case.extra), True
    names = {word.strip() for word in words.split(",") if word.strip()}
    known = {name for case in CASES for name in (case.name, case.group)} | FRESH_PARTS | {"fresh"}
    if names - known:
        raise ValueError(
            f"no case is called {', '.join(sorted(names - known))}; choose from {', '.join(sorted(known))}"
        )
    cases = tuple(
        case for case in CASES if case.name in names or (case.group in names and (everything or not case.extra))
    )
    return cases, bool(names & (FRESH_PARTS | {"fresh"}))


def as_json(peers: Sequence[Peer], versions: dict[str, str], results: Results, made: Sequence[Table]) -> dict[str, Any]:
    """Everything measured, for a file: seconds and KiB, every repetition."""
    return {
        "python": platform.python_version(),
        "system": platform.platform(),
        "processors": os.cpu_count(),
        "peers": {
            peer.name: {"title": peer.title, "version": versions.get(peer.name), "packages": peer.packages}
            for peer in peers
        },
        "results": {
            case: {name: dataclasses.asdict(measured) for name, measured in by_peer.items()}
            for case, by_peer in results.items()
        },
        "markdown": [table.as_markdown() for table in made],
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench", description="dure beside its peers and beside loops written by hand"
    )
    parser.add_argument("--peers", default="none", help="all, none (the default), or names: agno,langchain")
    parser.add_argument(
        "--cases", default="", help="names or groups, such as calls,turns,fresh; default: all but --full"
    )
    parser.add_argument("--full", action="store_true", help="also the cases that take long with many peers")
    parser.add_argument("--repetitions", type=int, default=5, help="of each case; medians are shown")
    parser.add_argument(
        "--seconds", type=float, default=SECONDS, help="about what one repetition takes; less for a glance"
    )
    parser.add_argument("--markdown", action="store_true", help="print tables for a README")
    parser.add_argument("--json", type=Path, help="also write everything to this file")
    return parser


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
