"""Names of tools: matched by globs, and traced to where a tool comes from."""

import fnmatch
import unicodedata
from collections.abc import Iterable


def matches(name: str, globs: Iterable[str]) -> bool:
    """Whether a name matches one of the globs (`*`, `?`, `[…]`), case and all, in composed form (NFC)."""
    composed = unicodedata.normalize("NFC", name)
    return any(fnmatch.fnmatchcase(composed, unicodedata.normalize("NFC", glob)) for glob in globs)


def source_of(tool: object) -> str:
    """Where a tool comes from: its own `source`, where it has one, else its class."""
    source = getattr(tool, "source", None)
    return source if isinstance(source, str) and source else f"{type(tool).__module__}.{type(tool).__qualname__}"
