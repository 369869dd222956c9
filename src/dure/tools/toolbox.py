"""The tools one loop may run, by name."""

import difflib
import logging
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from dure.chat import ToolDefinition
from dure.errors import ConfigError, ToolNotFound
from dure.tools.base import Interceptor, Tool
from dure.tools.intercepted import InterceptedTool
from dure.tools.names import matches, source_of
from dure.tools.renamed import RenamedTool

logger = logging.getLogger(__name__)

_FEW = 20
"""Up to so many tools are all named when one is not found."""
_COMPARED = 1000
"""Names compared for likeness; it takes some microseconds each."""
_SHOWN = 80


@dataclass(frozen=True, slots=True)
class Toolbox:
    """Tools with different names, in the order given. Names are compared in Unicode's composed form (NFC).

    Raises:
        ConfigError: two tools have the same name, or something in it is no tool.
    """

    tools: tuple[Tool, ...] = ()
    definitions: tuple[ToolDefinition, ...] = field(init=False, repr=False, compare=False)
    """What the model is told of all of them."""
    _by_name: dict[str, Tool] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        by_name: dict[str, Tool] = {}
        repeated: list[str] = []
        for tool in self.tools:
            name = _composed(_definition(tool).name)
            if name in by_name:
                repeated.append(f"{name!r} (from {source_of(by_name[name])} and from {source_of(tool)})")
            by_name[name] = tool
        if repeated:
            raise ConfigError(
                f"tools must have different names; more than once here: {', '.join(repeated)}; "
                "give the tools of one of them a prefix"
            )
        object.__setattr__(self, "definitions", tuple(tool.definition for tool in self.tools))
        object.__setattr__(self, "_by_name", by_name)

    @classmethod
    def keeping_first(cls, tools: Iterable[Tool]) -> "Toolbox":
        """A toolbox of tools that may repeat a name: the first stays, a warning names the others."""
        kept: dict[str, Tool] = {}
        for tool in tools:
            first = kept.setdefault(_composed(_definition(tool).name), tool)
            if first is not tool:
                logger.warning("a second tool %r from %s is left out", tool.definition.name, source_of(tool))
        return cls(tuple(kept.values()))

    def __iter__(self) -> Iterator[Tool]:
        return iter(self.tools)

    def __len__(self) -> int:
        return len(self.tools)

    def __contains__(self, name: str) -> bool:
        return self.find(name) is not None

    def find(self, name: str) -> Tool | None:
        """The tool of that name, if there is one."""
        tool = self._by_name.get(name)
        return self._by_name.get(_composed(name)) if tool is None else tool

    def get(self, name: str) -> Tool:
        """The tool of that name.

        Raises:
            ToolNotFound: there is none; the message names those that come close, and all if they are few.
        """
        tool = self.find(name)
        if tool is None:
            raise ToolNotFound(self._not_found(name))
        return tool

    def with_added(self, *tools: Tool) -> "Toolbox":
        """These tools and more.

        Raises:
            ConfigError: a name is there already.
        """
        return Toolbox((*self.tools, *tools))

    def merged(self, *others: "Toolbox") -> "Toolbox":
        """The tools of all of them.

        Raises:
            ConfigError: two have a tool of the same name; see `prefixed`.
        """
        return Toolbox((*self.tools, *(tool for other in others for tool in other.tools)))

    def prefixed(self, prefix: str) -> "Toolbox":
        """The same tools under names that begin with `prefix`, as in `ops_`."""
        return Toolbox(tuple(RenamedTool(inner=tool, name=prefix + tool.definition.name) for tool in self.tools))

    def filtered(self, *globs: str, keep: Callable[[Tool], bool] | None = None) -> "Toolbox":
        """Those whose name matches one of the globs (any, without globs) and that `keep` says yes to."""
        return Toolbox(
            tuple(
                tool
                for tool in self.tools
                if (not globs or matches(tool.definition.name, globs)) and (keep is None or keep(tool))
            )
        )

    def intercepted(self, *interceptors: Interceptor, only: Iterable[str] = ("*",)) -> "Toolbox":
        """The same tools with interceptors round those whose name matches `only`; the first is the outermost."""
        globs = (only,) if isinstance(only, str) else tuple(only)
        if not interceptors:
            return self
        return Toolbox(
            tuple(
                InterceptedTool(inner=tool, interceptors=interceptors) if matches(tool.definition.name, globs) else tool
                for tool in self.tools
            )
        )

    def _not_found(self, name: str) -> str:
        shown = name if len(name) <= _SHOWN else f"{name[:_SHOWN]}…"
        names = [definition.name for definition in self.definitions]
        close = difflib.get_close_matches(_composed(shown), _likely(shown, names), n=3)
        text = f"there is no tool {shown!r}"
        if close:
            text = f"{text}; did you mean {' or '.join(map(repr, close))}?"
        if len(names) > _FEW:
            return text
        return f"{text}{' The' if close else '; the'} tools are: {', '.join(names) or 'none'}"


def _likely(name: str, names: list[str]) -> list[str]:
    """Few enough names to compare, those that begin alike first."""
    if len(names) <= _COMPARED:
        return names
    return sorted(names, key=lambda one: one[:2] != name[:2])[:_COMPARED]


def _composed(name: str) -> str:
    return name if name.isascii() else unicodedata.normalize("NFC", name)


def _definition(tool: Tool) -> ToolDefinition:
    definition = getattr(tool, "definition", None)
    if not isinstance(definition, ToolDefinition):
        raise ConfigError(f"{tool!r} is no tool; make one of it with @tool or tool(…)")
    if not definition.name.strip():
        raise ConfigError(f"a tool from {source_of(tool)} has no name")
    return definition
