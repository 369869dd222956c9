"""Files as text: of any encoding that people save SQL in, none that is none, and written back as they were."""

import codecs
import os
import secrets
import shutil
import stat
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from dure.errors import ConfigError

MAX_BYTES = 10_000_000
STDIN = "-"
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LOOKED_AT = 8_192
_CONTROL_SHARE = 0.01
_PLAIN_CONTROLS = frozenset("\t\n\r\f\v\x1a\x1b")


class UnusableFile(ConfigError):
    """A file that cannot be linted; the text names it and says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFile:
    """A file's text, and what it takes to write it back."""

    name: str
    """As the user wrote it; `-` is standard input."""
    text: str
    encoding: str = "utf-8"
    mark: bytes = b""
    """The byte order mark in front."""

    def encoded(self, text: str) -> bytes:
        """Another text in the file's encoding.

        Raises:
            UnusableFile: the encoding has not all of its characters.
        """
        try:
            return self.mark + text.encode(self.encoding)
        except UnicodeEncodeError as error:
            raise UnusableFile(f"{self.name}: {self.encoding} cannot write {error.object[error.start]!r}") from error


def read_text(name: str) -> TextFile:
    """The text of a file, of standard input for `-`.

    Raises:
        UnusableFile: it is missing, no file, too large, empty, or no text.
    """
    data = _bytes(name)
    if len(data) > MAX_BYTES:
        raise UnusableFile(
            f"{name}: larger than {MAX_BYTES // 1_000_000} MB; dump the schema without its rows "
            "(pg_dump --schema-only, mysqldump --no-data, sqlite3 FILE .schema)"
        )
    if not data.strip():
        raise UnusableFile(f"{name}: empty")
    return _decoded(name, data)


def write_whole(path: Path, data: bytes) -> None:
    """Put data into a file that appears whole or stays as it was; a link stays a link.

    Raises:
        UnusableFile: it cannot be written.
    """
    target = path.resolve()
    beside = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        with beside.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, beside)
        beside.replace(target)
    except OSError as error:
        raise UnusableFile(f"{path}: cannot be written: {error.strerror or error}") from error
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def _bytes(name: str) -> bytes:
    """At most one byte more than a file may have."""
    try:
        if name == STDIN:
            return sys.stdin.buffer.read(MAX_BYTES + 1)
        with Path(name).open("rb") as file:
            if stat.S_ISDIR(os.fstat(file.fileno()).st_mode):
                raise UnusableFile(f"{name}: a folder")
            return file.read(MAX_BYTES + 1)
    except FileNotFoundError as error:
        raise UnusableFile(f"{name}: there is no such file") from error
    except IsADirectoryError as error:
        raise UnusableFile(f"{name}: a folder; name the files in it") from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise UnusableFile(f"{name}: cannot be read: {getattr(error, 'strerror', None) or error}") from error


def _decoded(name: str, data: bytes) -> TextFile:
    mark, encoding = next(((mark, known) for mark, known in _MARKS if data.startswith(mark)), (b"", ""))
    encoding = encoding or _without_mark(data)
    try:
        text = data[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        raise UnusableFile(f"{name}: no text: byte {error.start} is not {encoding}") from error
    head = text[:_LOOKED_AT]
    controls = sum(character < " " and character not in _PLAIN_CONTROLS for character in head)
    if "\0" in text or controls > _CONTROL_SHARE * len(head):
        raise UnusableFile(f"{name}: no text but binary data")
    if not text.strip():
        raise UnusableFile(f"{name}: empty")
    return TextFile(name=name, text=text, encoding=encoding, mark=mark)


def _without_mark(data: bytes) -> str:
    """UTF-8 where it is that, UTF-16 by its zeros, Korean where it is that, else what Western Windows writes."""
    head = data[:_LOOKED_AT]
    zeros = head[1::2].count(0), head[::2].count(0)
    if max(zeros) > 0.4 * (len(head) // 2) and min(zeros) == 0:
        return "utf-16-le" if zeros[0] else "utf-16-be"
    for encoding, strict in (("utf-8", "utf-8"), ("cp949", "euc_kr")):
        try:
            data.decode(strict)
        except UnicodeDecodeError:
            continue
        return encoding
    return "latin-1"
