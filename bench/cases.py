"""What is measured, case by case."""

from dataclasses import dataclass
from typing import Literal

Unit = Literal["µs", "ms"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One way to ask; a turn is its rounds of tool calls and the answer."""

    name: str
    title: str
    group: str
    """The table it belongs to."""
    in_process: bool = False
    rounds: int = 3
    latency: int = 0
    """Milliseconds before the server's first byte."""
    stream: bool = True
    history: int = 5
    sessions: int = 1
    extra: bool = False
    """Only measured when everything is asked for."""

    @property
    def calls(self) -> int:
        """Model calls of a turn."""
        return self.rounds + 1

    def base(self, port: int) -> str:
        """The base URL at which the server behaves like this."""
        return f"http://127.0.0.1:{port}/r{self.rounds}-l{self.latency}-g0/v1"


CALLS, TURNS, IN_PROCESS, FRESH = "calls", "turns", "in process", "fresh"
CROWD = 200


def _call(history: int, stream: bool) -> Case:
    form = "stream" if stream else "whole"
    return Case(
        name=f"call-{form}-{history}",
        title=f"{form}, {history} messages",
        group=CALLS,
        rounds=0,
        stream=stream,
        history=history,
    )


def _turn(sessions: int, latency: int, stream: bool, *, extra: bool) -> Case:
    form = "stream" if stream else "whole"
    return Case(
        name=f"turn-{form}-{sessions}x{latency}",
        title=f"{form}, {sessions} × {latency} ms",
        group=TURNS,
        latency=latency,
        stream=stream,
        sessions=sessions,
        extra=extra,
    )


COLD = Case(name="cold", title="cold", group=FRESH, rounds=0)
CROWDED = Case(name="crowd", title=f"{CROWD} sessions", group=FRESH, latency=50, sessions=CROWD)
"""Both are measured in a fresh process, one after the other."""

CASES: tuple[Case, ...] = (
    Case(name="in-process", title="in process", group=IN_PROCESS, in_process=True),
    *(_call(history, stream) for stream in (True, False) for history in (5, 32, 100)),
    _turn(1, 0, True, extra=False),
    _turn(1, 0, False, extra=False),
    *(_turn(1, 50, stream, extra=True) for stream in (True, False)),
    *(_turn(CROWD, latency, stream, extra=True) for latency in (0, 50) for stream in (True, False)),
)
