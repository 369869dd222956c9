"""Prompts in a folder that people edit: `LANG/NAME.md`. A file is its only version."""

import asyncio
import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from dure.prompts.keys import PromptKey, raw_version
from dure.prompts.packaged import SUFFIX
from dure.prompts.source import DEADLINE, MAX_BYTES, PromptVersion, SourceAway
from dure.whole_file import READABLE_BY_ALL, write_whole

T = TypeVar("T")


def _shown(path: Path) -> str:
    return os.fsencode(path).decode(errors="backslashreplace")


class FolderPrompts:
    """The files of a folder, read anew each time."""

    def __init__(self, path: Path, *, deadline: float = DEADLINE) -> None:
        self._root = path.expanduser().absolute()
        self._deadline = deadline

    @property
    def name(self) -> str:
        """The folder's full path; bytes that are no text are written as `\\xff`."""
        return _shown(self._root)

    def exists(self) -> bool:
        """Whether there is anything at its path."""
        return self._root.exists()

    async def read(self) -> Mapping[PromptKey, bytes]:
        """All files that are named like prompts."""
        return await self._within(self._read)

    async def history(self, key: PromptKey) -> tuple[PromptVersion, ...]:
        """The file as it is now."""

        def look() -> tuple[PromptVersion, ...]:
            text = self._read().get(key)
            if text is None:
                return ()
            changed_at = datetime.fromtimestamp(self._path(key).stat().st_mtime, UTC)
            return (PromptVersion(version=raw_version(text), added_at=changed_at, current=True),)

        return await self._within(look)

    async def read_version(self, key: PromptKey, version: str) -> bytes | None:
        """The file, where it is of this version."""
        text = (await self.read()).get(key)
        return text if text is not None and raw_version(text) == version else None

    async def publish(self, texts: Mapping[PromptKey, bytes]) -> None:
        """Write the files, each as a whole; the folder is made where it is not there."""

        def write() -> None:
            for key, text in texts.items():
                path = self._path(key)
                path.parent.mkdir(parents=True, exist_ok=True)
                write_whole(path, text, mode=READABLE_BY_ALL)

        await self._within(write)

    def _read(self) -> dict[PromptKey, bytes]:
        if not self._root.is_dir():
            there = "is no folder; give a folder" if self._root.exists() else "is not there; make it with"
            remedy = "" if self._root.exists() else f": dure prompts export {self.name}"
            raise SourceAway(f"the prompt folder {self.name} {there}{remedy}")
        found: dict[PromptKey, bytes] = {}
        for path in sorted(self._root.glob(f"*/*{SUFFIX}")):
            key = PromptKey.parse(f"{path.parent.name}/{path.stem}")
            if key is not None and path.is_symlink() and not path.exists():  # no wish for the packaged one
                raise SourceAway(f"{_shown(path)} is a link that leads nowhere; put a file there, or remove it")
            if key is not None and path.is_file():  # a pipe would never end
                with path.open("rb") as file:
                    found[key] = file.read(MAX_BYTES + 1)
        return found

    def _path(self, key: PromptKey) -> Path:
        return self._root / key.lang / f"{key.name}{SUFFIX}"

    async def _within(self, work: Callable[[], T]) -> T:
        """A disk that is far away may not answer at all."""
        try:
            async with asyncio.timeout(self._deadline):
                return await asyncio.to_thread(work)
        except TimeoutError as error:
            raise SourceAway(f"the prompt folder {self.name} gave no answer within {self._deadline:g} s") from error
        except OSError as error:
            place = f" ({_shown(Path(error.filename))})" if isinstance(error.filename, str) else ""
            raise SourceAway(f"cannot use the prompt folder {self.name}: {error.strerror or error}{place}") from error
