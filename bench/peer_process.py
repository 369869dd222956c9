"""A peer at work in its own interpreter: commands go in, results come out, and whatever breaks is a result too."""

import json
import os
import selectors
import subprocess
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import IO, Any

from bench.environments import BENCH, Peer

QUIET: Mapping[str, str] = {
    "AGNO_TELEMETRY": "false",
    "ANONYMIZED_TELEMETRY": "false",
    "LANGSMITH_TRACING": "false",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "OPENAI_AGENTS_DISABLE_TRACING": "1",
    "OPENAI_API_KEY": "none",
    "OTEL_SDK_DISABLED": "true",
    "STRANDS_TELEMETRY": "false",
}
"""What a peer would send elsewhere is switched off: it is not what is measured, and it speaks for the peer."""

ANSWER_SECONDS = 300.0


class PeerFailed(Exception):
    """A peer could not do what it was told; says what it said."""


class PeerProcess:
    """One interpreter with one peer in it."""

    def __init__(self, peer: Peer) -> None:
        self.peer = peer
        self.begun = time.perf_counter()
        self._said: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 closed with the process
        self._process = subprocess.Popen(
            [str(peer.python), "-m", "bench.measure", peer.name],
            cwd=BENCH.parent,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            env={**os.environ, **QUIET},
        )

    def do(self, **command: Any) -> dict[str, Any]:  # noqa: ANN401 JSON
        """Have a command done.

        Raises:
            PeerFailed: it raised, ended, or did not answer in time.
        """
        given, answers = self._process.stdin, self._process.stdout
        assert given is not None
        assert answers is not None
        try:
            given.write(json.dumps(command).encode() + b"\n")
            given.flush()
        except BrokenPipeError:
            raise PeerFailed(self._last_words()) from None
        with selectors.DefaultSelector() as selector:
            selector.register(answers, selectors.EVENT_READ)
            if not selector.select(ANSWER_SECONDS):
                self.end()
                raise PeerFailed(f"no answer to {command['do']!r} within {ANSWER_SECONDS:g} s")
        line = answers.readline()
        if not line:
            raise PeerFailed(self._last_words())
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise PeerFailed(answer["error"])
        return answer

    def end(self) -> None:
        """End the interpreter, kindly first."""
        if self._process.stdin is not None and not self._process.stdin.closed:
            with suppress(BrokenPipeError):
                self._process.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(5)
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._said.close()

    def _last_words(self) -> str:
        self._said.seek(0)
        lines = self._said.read().decode("utf-8", "replace").strip().splitlines()
        return f"ended: {lines[-1][:300]}" if lines else "ended without a word"
