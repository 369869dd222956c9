"""The tools of a request as an API wants them, made once and kept while the same definitions come again."""

from collections.abc import Callable
from dataclasses import dataclass

from dure.chat import ToolDefinition
from dure.models.wire_names import WireNames

Definitions = tuple[ToolDefinition, ...]

_KEPT = 64
"""Sets of tools; an application has few, and one with many pays for encoding them again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WireTools:
    """One set of tools on the wire."""

    definitions: Definitions
    """Kept, so that the identities under which this is found stay theirs."""
    names: WireNames
    encoded: bytes
    """The JSON array."""


class WireToolsCache:
    """Finds the encoded tools by the identity of their definitions. One per model; not for several threads."""

    __slots__ = ("_encode", "_found", "_last")

    def __init__(self, encode: Callable[[Definitions, WireNames], bytes]) -> None:
        self._encode = encode
        self._found: dict[tuple[int, ...], WireTools] = {}
        self._last = self._made(())

    def get(self, definitions: Definitions) -> WireTools:
        """Names and bytes of these tools."""
        if definitions is self._last.definitions:
            return self._last
        key = tuple(map(id, definitions))
        found = self._found.get(key)
        if found is None:
            if len(self._found) >= _KEPT:
                del self._found[next(iter(self._found))]
            self._found[key] = found = self._made(definitions)
        self._last = found
        return found

    def _made(self, definitions: Definitions) -> WireTools:
        names = WireNames(definition.name for definition in definitions)
        return WireTools(definitions=definitions, names=names, encoded=self._encode(definitions, names))
