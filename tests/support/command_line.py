"""The `dure` command as a process of its own, on a machine that has nothing but what the test gives it."""

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

DEADLINE = 60
_MAIN = "import sys; from dure.console.main import main; sys.exit(main())"


@dataclass(frozen=True, kw_only=True)
class Ended:
    """How the command ended."""

    code: int
    out: str
    err: str


def command(*words: str | bytes) -> list[str | bytes]:
    """The command line of `dure` with these words."""
    return [sys.executable, "-W", "error", "-c", _MAIN, *words]


def environment(home: Path, **settings: str) -> dict[str, str]:
    """No key, no cache, no proxy; a home of its own."""
    plain = {name: os.environ[name] for name in ("PATH", "LANG", "LD_LIBRARY_PATH") if name in os.environ}
    return {**plain, "HOME": str(home), "PYTHONIOENCODING": "utf-8", "OLLAMA_HOST": "127.0.0.1:1", **settings}


def dure(*words: str | bytes, home: Path, cwd: Path, settings: Mapping[str, str] | None = None) -> Ended:
    """Run `dure` to its end."""
    done = subprocess.run(
        command(*words), cwd=cwd, env=environment(home, **(settings or {})), capture_output=True, timeout=DEADLINE
    )
    return Ended(code=done.returncode, out=done.stdout.decode(), err=done.stderr.decode())
