"""The tools one loop may run, by name."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from dure.chat import ToolDefinition
from dure.errors import ConfigError, ToolNotFound
from dure.tools.base import Tool


@dataclass(frozen=True, slots=True)
class Toolbox:
    """Tools with different names, in the order given."""

    tools: tuple[Tool, ...] = ()

    def __post_init__(self) -> None:
        times = Counter(tool.definition.name for tool in self.tools)
        repeated = sorted(repr(name) for name, count in times.items() if count > 1)
        if repeated:
            raise ConfigError(f"tools must have different names; more than once here: {', '.join(repeated)}")

    def __iter__(self) -> Iterator[Tool]:
        return iter(self.tools)

    def __len__(self) -> int:
        return len(self.tools)

    @property
    def definitions(self) -> tuple[ToolDefinition, ...]:
        """What the model is told of all of them."""
        return tuple(tool.definition for tool in self.tools)

    def get(self, name: str) -> Tool:
        """The tool of that name.

        Raises:
            ToolNotFound: there is none; the message lists those there are.
        """
        for tool in self.tools:
            if tool.definition.name == name:
                return tool
        names = ", ".join(tool.definition.name for tool in self.tools) or "none"
        raise ToolNotFound(f"there is no tool {name!r}; the tools are: {names}")

    def with_added(self, *tools: Tool) -> "Toolbox":
        """These tools and more.

        Raises:
            ConfigError: a name is there already.
        """
        return Toolbox((*self.tools, *tools))
