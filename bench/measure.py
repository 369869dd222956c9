"""Runs inside a peer's own environment: does what it is told on stdin, one JSON line each, and answers with one.

    {"do": "scripted"}                                    builds the turn without a network
    {"do": "http", "base": URL, "stream": …, "history": …}  builds the turn over HTTP
    {"do": "run", "turns": 20, "sessions": 1}             runs it: CPU and wall seconds a turn
    {"do": "crowd", "sessions": 200}                      the same, with resident KiB a session; for a fresh process

A peer is a script of `peers/` with `PACKAGE`, `over_http(base, stream, history)` and, where it has a model
port of its own, `scripted()`.
"""

import asyncio
import gc
import importlib
import importlib.metadata
import json
import os
import resource
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

from bench import workload

_KIB_PER_MAXRSS = 1 / 1024 if sys.platform == "darwin" else 1
_STATM = Path("/proc/self/statm")


class WrongAnswer(Exception):
    """The peer did not do the work it is measured by."""


class Host:
    """One peer and the turn it was last told to build."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._turn: workload.Turn | None = None
        self._rounds = workload.ROUNDS

    @property
    def _peer(self) -> ModuleType:
        return importlib.import_module(f"bench.peers.with_{self._name}")

    async def obey(self, command: dict[str, Any]) -> dict[str, Any]:
        """Do one command."""
        match command["do"]:
            case "version":
                package = self._peer.PACKAGE
                return {"package": package, "version": importlib.metadata.version(package)}
            case "scripted" if not hasattr(self._peer, "scripted"):
                return {"absent": True}
            case "scripted":
                self._turn, self._rounds = self._peer.scripted(), workload.ROUNDS
                return {}
            case "http":
                self._rounds = command["rounds"]
                told = workload.history(command["history"])
                self._turn = self._peer.over_http(command["base"], command["stream"], told)
                return {}
            case "run":
                return await self._run(command["turns"], command["sessions"])
            case "crowd":
                return await self._crowd(command["sessions"])
            case unknown:
                raise ValueError(f"unknown command {unknown!r}")

    async def _run(self, turns: int, sessions: int) -> dict[str, Any]:
        gc.collect()
        wall, cpu = time.perf_counter(), time.process_time()
        for _ in range(turns):
            await self._checked(sessions)
        done = turns * sessions
        return {"cpu": (time.process_time() - cpu) / done, "wall": (time.perf_counter() - wall) / done}

    async def _crowd(self, sessions: int) -> dict[str, Any]:
        gc.collect()
        before = most = resident_kib()
        work = asyncio.ensure_future(self._run(1, sessions))
        while not work.done():
            await asyncio.wait([work], timeout=0.02)
            most = max(most, resident_kib())
        return {**await work, "kib": (most - before) / sessions}

    async def _checked(self, sessions: int) -> None:
        turn = self._turn
        if turn is None:
            raise ValueError("nothing was built to run")
        before = workload.RUNS.count
        answers = [await turn()] if sessions == 1 else await asyncio.gather(*[turn() for _ in range(sessions)])
        ran = workload.RUNS.count - before
        wrong = [answer for answer in answers if answer.strip() != workload.ANSWER]
        if wrong:
            raise WrongAnswer(f"answered {wrong[0][:80]!r}")
        if ran != self._rounds * sessions:
            raise WrongAnswer(f"ran {ran} tools instead of {self._rounds * sessions}")


def resident_kib() -> float:
    """Resident memory now; where the system does not tell, the most there ever was."""
    if _STATM.exists():
        return int(_STATM.read_text().split()[1]) * resource.getpagesize() / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _KIB_PER_MAXRSS


async def _serve(name: str, answers: int) -> None:
    host = Host(name)
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        try:
            answer = await host.obey(json.loads(line))
        except Exception as error:  # whatever a peer raises is its result
            answer = {"error": f"{type(error).__name__}: {error}"[:500]}
        os.write(answers, json.dumps(answer).encode() + b"\n")


async def _serve_and_leave(name: str, answers: int) -> None:
    await _serve(name, answers)
    os._exit(0)  # what a peer left open is nothing to measure, and complaints about it nothing to read


def main() -> None:
    """Serve until stdin ends. What a peer prints goes to stderr, so that it is not taken for an answer."""
    answers = os.dup(1)
    os.dup2(2, 1)
    asyncio.run(_serve_and_leave(sys.argv[1], answers))


if __name__ == "__main__":
    main()
