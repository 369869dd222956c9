"""Whole tool results that were too long for a message, kept as files until the process ends.

    folder/<scope: a conversation, or a run without one>/<output id>.txt         UTF-8, for the owner only

An id is a keyed hash of the text, so the same text is kept once, and no id is a path.
"""

import atexit
import hashlib
import os
import re
import secrets
import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from dure.run import RunContext
from dure.tools.text_cuts import cut_after, cut_before

_ID = re.compile(r"[0-9a-f]{20}")
_PLACE = re.compile(r"[0-9a-f]{32}")
_SUFFIX = ".txt"
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL
_making = threading.Lock()
_made: dict[int, Path] = {}
"""The folder of each process; of one process there is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A part of an output; offsets count characters (code points)."""

    text: str
    start: int
    end: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputFiles:
    """Keeps and reads outputs. Its methods block: call them in a thread."""

    folder: Path | None = None
    """Where they go and stay; without one, a folder of this process that is removed when it ends."""
    max_bytes: int = 1_000_000_000
    """Kept in all; beyond it the oldest go."""

    def keep(self, text: str, run: RunContext) -> str:
        """Keep a text; gives its id.

        Raises:
            OSError: it cannot be written.
        """
        place, encoded = self._place(run), text.encode("utf-8", "replace")
        output_id = hashlib.blake2b(encoded, key=place.name.encode(), digest_size=10).hexdigest()
        path = place / f"{output_id}{_SUFFIX}"
        if path.exists():
            os.utime(path)  # as young as a new one
            return output_id
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        part = place / f".{secrets.token_hex(8)}.part"
        try:
            with os.fdopen(os.open(part, _CREATE, 0o600), "wb") as file:
                file.write(encoded)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
        self._make_room(path)
        return output_id

    def page(self, output_id: str, run: RunContext, *, offset: int, limit: int) -> Page | None:
        """At most `limit` characters from `offset` on, or `None` if this run or conversation has no such output."""
        if _ID.fullmatch(output_id) is None:
            return None
        try:
            text = (self._place(run) / f"{output_id}{_SUFFIX}").read_bytes().decode()
        except FileNotFoundError:
            return None
        start = cut_before(text, min(offset, len(text)))
        end = cut_before(text, start + limit)
        if end <= start:  # one character longer than a page
            end = min(cut_after(text, start + 1), start + limit)
        return Page(text=text[start:end], start=start, end=end, total=len(text))

    def has_any(self, run: RunContext) -> bool:
        """Whether something of this run or conversation was kept; makes no folder."""
        return (self.folder is not None or os.getpid() in _made) and self._place(run).is_dir()

    def ids(self, run: RunContext) -> tuple[str, ...]:
        """The outputs of this run or conversation, newest first."""
        return tuple(path.stem for _, _, path in sorted(_files(self._place(run)), reverse=True))

    def _place(self, run: RunContext) -> Path:
        whose = f"run {run.run_id}" if run.conversation_id is None else f"conversation {run.conversation_id}"
        name = hashlib.sha256(whose.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        return (self.folder or _folder_of_this_process()) / name

    def _make_room(self, newest: Path) -> None:
        files = [one for place in newest.parent.parent.iterdir() for one in _files(place)]
        total = sum(size for _, size, _ in files)
        for _, size, path in sorted(files):
            if total <= self.max_bytes:
                return
            if path != newest:
                path.unlink(missing_ok=True)
                total -= size


def _files(place: Path) -> Iterator[tuple[float, int, Path]]:
    """The time, bytes and path of each output in a folder, but of those that go away meanwhile."""
    if _PLACE.fullmatch(place.name) is None:
        return
    for path in place.glob(f"*{_SUFFIX}"):
        if _ID.fullmatch(path.stem) is None:
            continue  # what is not ours is never counted nor removed
        with suppress(FileNotFoundError):
            stat = path.stat()
            yield stat.st_mtime, stat.st_size, path


def _folder_of_this_process() -> Path:
    process = os.getpid()  # a forked process has its own
    with _making:
        if process not in _made:
            _made[process] = Path(tempfile.mkdtemp(prefix="dure-outputs-"))
            atexit.register(_remove, process)
        return _made[process]


def _remove(process: int) -> None:
    if os.getpid() == process:
        shutil.rmtree(_made.pop(process), ignore_errors=True)
