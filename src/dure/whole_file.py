"""A file that is written as a whole or not at all, also when the process is killed or the power goes."""

import os
import tempfile
from pathlib import Path

READABLE_BY_ALL = 0o644


def write_whole(path: Path, content: bytes, *, mode: int = 0o600) -> None:
    """Put `content` in the place of what is at `path`; the folder must exist. Without a mode it is for its owner only.

    Raises:
        OSError: it cannot be written; what was there is untouched.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
