"""A lock between processes: held on an open file, gone with the process however it ends."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

if sys.platform == "win32":  # pragma: no cover - the other branch is what the tests run on
    import msvcrt

    def _try_lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _try_lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def held(path: Path) -> Generator[bool]:
    """Hold the lock inside the block; `False` when another process has it."""
    with path.open("ab") as file:
        try:
            _try_lock(file.fileno())
        except OSError:
            yield False
            return
        yield True
