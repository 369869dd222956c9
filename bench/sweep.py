"""Measures peers in turns, so that a machine that is busy for a while is busy for all of them."""

import http.client
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from bench.cases import COLD, CROWDED, Case
from bench.environments import BENCH, Peer
from bench.peer_process import PeerFailed, PeerProcess

SECONDS = 0.3
"""About what one repetition takes; a quick peer runs more turns in it."""
_MOST_TURNS = 300

Say = Callable[[str], None]


@dataclass(slots=True, kw_only=True)
class Measured:
    """What one peer took in one case; a fault where it could not do it."""

    cpu: list[float] = field(default_factory=list[float])
    """Seconds a turn."""
    wall: list[float] = field(default_factory=list[float])
    kib: list[float] = field(default_factory=list[float])
    """Resident KiB a session."""
    fault: str = ""


Results = dict[str, dict[str, Measured]]
"""By case, then by peer."""


class Server:
    """The model server of `server.py`, in a process of its own."""

    def __init__(self, port: int) -> None:
        self.port = port

    def served(self) -> int:
        """Completions so far."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("GET", "/count")
            return int(connection.getresponse().read())
        finally:
            connection.close()


@contextmanager
def serving() -> Generator[Server]:
    """A server for the time of the block."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.server"],
        cwd=BENCH.parent,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield Server(int(process.stdout.readline()))
    finally:
        process.stdin.close()
        process.stdout.close()
        process.wait(10)


def build(process: PeerProcess, case: Case, server: Server) -> bool:
    """Have a peer get ready for a case; false if the case does not apply to it."""
    if case.in_process:
        return "absent" not in process.do(do="scripted")
    process.do(do="http", base=case.base(server.port), stream=case.stream, history=case.history, rounds=case.rounds)
    return True


def counted(process: PeerProcess, case: Case, server: Server, *, do: str, turns: int) -> dict[str, float]:
    """Have a peer run a case; its model calls are counted where they arrive.

    Raises:
        PeerFailed: it failed, or asked the model more or less often than the case says.
    """
    before = 0 if case.in_process else server.served()
    took: dict[str, float] = process.do(do=do, turns=turns, sessions=case.sessions)
    wanted = turns * case.sessions * case.calls
    asked = wanted if case.in_process else server.served() - before
    if asked != wanted:
        raise PeerFailed(f"asked the model {asked} times instead of {wanted}")
    return took


def sweep(
    peers: Sequence[Peer], cases: Sequence[Case], repetitions: int, say: Say, *, seconds: float = SECONDS
) -> Results:
    """All cases, each repetition going round all peers."""
    results: Results = {case.name: {peer.name: Measured() for peer in peers} for case in cases}
    processes = [PeerProcess(peer) for peer in peers]
    try:
        with serving() as server:
            for case in cases:
                say(f"{case.group}: {case.title}")
                _measure_case(processes, case, server, repetitions, seconds, results[case.name])
    finally:
        for process in processes:
            process.end()
    return results


def _measure_case(
    processes: Sequence[PeerProcess],
    case: Case,
    server: Server,
    repetitions: int,
    seconds: float,
    into: dict[str, Measured],
) -> None:
    turns: dict[str, int] = {}
    for repetition in range(repetitions + 1):  # the first is for warming up and counting how many turns are enough
        for process in processes:
            measured = into.get(process.peer.name)
            if measured is None or measured.fault:
                continue
            try:
                if repetition == 0:
                    if not build(process, case, server):
                        del into[process.peer.name]
                        continue
                    turns[process.peer.name] = _enough(process, case, server, seconds)
                    continue
                took = counted(process, case, server, do="run", turns=turns[process.peer.name])
            except PeerFailed as error:
                measured.fault = str(error)
                continue
            measured.cpu.append(took["cpu"])
            measured.wall.append(took["wall"])


def _enough(process: PeerProcess, case: Case, server: Server, seconds: float) -> int:
    counted(process, case, server, do="run", turns=1)
    took = counted(process, case, server, do="run", turns=1 if case.sessions > 1 else 3)
    if case.sessions > 1:
        return 1
    return max(5, min(_MOST_TURNS, int(seconds / max(took["cpu"], took["wall"] / 4, 1e-6))))


def fresh(peers: Sequence[Peer], repetitions: int, say: Say) -> tuple[Results, dict[str, str]]:
    """Cold starts, then many sessions at once, each in a new process; and the version of each peer."""
    results: Results = {case.name: {peer.name: Measured() for peer in peers} for case in (COLD, CROWDED)}
    versions: dict[str, str] = {}
    with serving() as server:
        for repetition in range(repetitions + 1):  # the first is for byte code and the disk's cache
            say(
                f"cold start and {CROWDED.title}, " + (f"{repetition} of {repetitions}" if repetition else "warming up")
            )
            for peer in peers:
                cold, crowd = results[COLD.name][peer.name], results[CROWDED.name][peer.name]
                if not cold.fault:
                    _measure_fresh(peer, server, cold, crowd, versions, warm_up=repetition == 0)
    return results, versions


def _measure_fresh(
    peer: Peer, server: Server, cold: Measured, crowd: Measured, versions: dict[str, str], *, warm_up: bool
) -> None:
    process = PeerProcess(peer)
    part = cold
    try:
        build(process, COLD, server)
        took = counted(process, COLD, server, do="run", turns=1)
        seconds = time.perf_counter() - process.begun
        versions[peer.name] = process.do(do="version")["version"]
        if warm_up:
            return
        cold.wall.append(seconds)
        cold.cpu.append(took["cpu"])
        part = crowd
        if crowd.fault:
            return
        build(process, CROWDED, server)
        process.do(do="run", turns=1, sessions=1)
        took = counted(process, CROWDED, server, do="crowd", turns=1)
        crowd.cpu.append(took["cpu"])
        crowd.wall.append(took["wall"])
        crowd.kib.append(took["kib"])
    except PeerFailed as error:
        part.fault = str(error)
    finally:
        process.end()
