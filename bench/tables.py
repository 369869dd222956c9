"""Results as tables: medians, and how many times the floor they are."""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bench.cases import CALLS, COLD, CROWD, CROWDED, IN_PROCESS, TURNS, Case
from bench.environments import Peer
from bench.sweep import Measured, Results

FLOOR = "aiohttp"
NO_NUMBER = "—"


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of text under a heading."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def as_text(self) -> str:
        """Aligned columns for a terminal."""
        lines = (self.heads, *self.rows)
        widths = [max(len(line[column]) for line in lines) for column in range(len(self.heads))]
        shown = [
            "  ".join(
                [
                    line[0].ljust(widths[0]),
                    *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True)),
                ]
            )
            for line in lines
        ]
        return "\n".join([self.title, *shown])

    def as_markdown(self) -> str:
        """A table for a README."""
        bars = ("|---" + "|---:" * (len(self.heads) - 1) + "|",)
        lines = ["| " + " | ".join(line) + " |" for line in (self.heads, *self.rows)]
        return "\n".join([f"**{self.title}**", "", lines[0], *bars, *lines[1:]])


def tables(peers: Sequence[Peer], cases: Sequence[Case], results: Results) -> list[Table]:
    """Everything that was measured."""
    made: list[Table] = []
    for group, title in (
        (IN_PROCESS, "In process: CPU of a turn (8 tools, 3 tool rounds and the answer), µs"),
        (CALLS, "One model call over loopback HTTP with 8 tools: CPU, ms"),
        (TURNS, "A turn of four model calls over loopback HTTP: CPU, ms"),
    ):
        columns = [case for case in cases if case.group == group and case.name in results]
        if columns:
            scale = 1e6 if group == IN_PROCESS else 1e3
            made.append(_costs(title, peers, [(case.title, results[case.name]) for case in columns], scale))
    if COLD.name in results:
        made.append(_fresh(peers, results))
    return made


def faults(peers: Sequence[Peer], results: Results) -> list[str]:
    """What could not be measured, and why."""
    return [
        f"{peer.title}, {case}: {measured.fault}"
        for case, by_peer in results.items()
        for peer in peers
        if (measured := by_peer.get(peer.name)) is not None and measured.fault
    ]


def _costs(
    title: str, peers: Sequence[Peer], columns: Sequence[tuple[str, dict[str, Measured]]], scale: float
) -> Table:
    heads = ["", *(head for head, _ in columns)]
    rows = [
        (peer.title, *(_cell(by_peer, peer.name, _cpu, scale) for _, by_peer in columns))
        for peer in peers
        if any(peer.name in by_peer for _, by_peer in columns)
    ]
    return Table(title=title, heads=tuple(heads), rows=tuple(rows))


def _fresh(peers: Sequence[Peer], results: Results) -> Table:
    cold, crowd = results[COLD.name], results[CROWDED.name]
    rows = [
        (
            peer.title,
            _cell(cold, peer.name, _wall, 1, digits=2),
            _cell(crowd, peer.name, _cpu, 1e3),
            _cell(crowd, peer.name, _kib, 1),
        )
        for peer in peers
    ]
    heads = ("", "import to first answer, s", f"CPU a turn, {CROWD} sessions, 50 ms, ms", "memory a session, KiB")
    return Table(title="A fresh process, then 200 sessions at once, streaming", heads=heads, rows=tuple(rows))


def _cpu(measured: Measured) -> list[float]:
    return measured.cpu


def _wall(measured: Measured) -> list[float]:
    return measured.wall


def _kib(measured: Measured) -> list[float]:
    return measured.kib


def _cell(
    by_peer: dict[str, Measured], name: str, values: Callable[[Measured], list[float]], scale: float, *, digits: int = 3
) -> str:
    measured = by_peer.get(name)
    if measured is None or measured.fault or not values(measured):
        return NO_NUMBER
    value = statistics.median(values(measured))
    floor = by_peer.get(FLOOR)
    shown = f"{value * scale:.{digits}g}" if value * scale < 100 else f"{value * scale:,.0f}"
    if name == FLOOR or floor is None or not values(floor):
        return shown
    return f"{shown} ({value / statistics.median(values(floor)):.3g}×)"
