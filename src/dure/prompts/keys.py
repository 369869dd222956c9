"""What a prompt is called, and what a version of it is called."""

import hashlib
import re
from typing import NamedTuple

_KEY = re.compile(r"([a-z][a-z0-9_-]{0,31})/([a-z][a-z0-9_-]{0,63})")
_VERSION = re.compile(r"[0-9a-f]{12}")


class PromptKey(NamedTuple):
    """A prompt in one language; written `ko/ba`."""

    lang: str
    name: str

    def __str__(self) -> str:
        return f"{self.lang}/{self.name}"

    @classmethod
    def parse(cls, text: str) -> "PromptKey | None":
        """The key that is written so, or `None` where the text cannot be one."""
        found = _KEY.fullmatch(text)
        return None if found is None else cls(*found.groups())


def normalised(raw: bytes) -> str:
    r"""The text of a prompt file: no byte order mark, lines ended by `\n`.

    Raises:
        UnicodeDecodeError: it is not UTF-8.
    """
    return raw.decode("utf-8").removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def version_of(text: str) -> str:
    """The first 12 hex digits of the sha256 of a normalised text."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def raw_version(raw: bytes) -> str:
    """The version of what a source holds; bytes that are no text are known by their own hash."""
    try:
        return version_of(normalised(raw))
    except UnicodeDecodeError:
        return hashlib.sha256(raw).hexdigest()[:12]


def is_version(text: str) -> bool:
    """Whether a version could be called so."""
    return _VERSION.fullmatch(text) is not None
