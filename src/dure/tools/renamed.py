"""A tool under another name, so that two sources may have tools of the same name."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from dure.chat import ToolDefinition
from dure.messages import Json
from dure.tools.base import Tool, ToolContext
from dure.tools.names import source_of


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RenamedTool:
    """Does what `inner` does; the model knows it by `name`."""

    inner: Tool
    name: str
    definition: ToolDefinition = field(init=False)
    timeout: float | None = field(init=False)

    def __post_init__(self) -> None:
        told = self.inner.definition
        definition = ToolDefinition(name=self.name, description=told.description, parameters=told.parameters)
        object.__setattr__(self, "definition", definition)
        object.__setattr__(self, "timeout", self.inner.timeout)

    @property
    def source(self) -> str:
        """Where the inner tool comes from."""
        return source_of(self.inner)

    @property
    def return_direct(self) -> bool:
        """As the inner tool."""
        return self.inner.return_direct

    @property
    def concurrent(self) -> bool:
        """As the inner tool."""
        return self.inner.concurrent

    def accept(self, arguments: Mapping[str, Json]) -> Mapping[str, object]:
        """As the inner tool."""
        return self.inner.accept(arguments)

    async def run(self, arguments: Mapping[str, object], context: ToolContext) -> object:
        """As the inner tool."""
        return await self.inner.run(arguments, context)
