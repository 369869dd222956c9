"""The fluent door to a chain."""

from dataclasses import KW_ONLY, dataclass, field
from typing import Self

from dure.advisors.base import Advisor
from dure.advisors.fallback import FallbackAdvisor
from dure.advisors.memory import MemoryAdvisor
from dure.advisors.tool_search import THRESHOLD, ToolSearchAdvisor
from dure.chat import ChatOptions
from dure.client.assembly import assembled
from dure.client.prompt_spec import DEFAULT_OPTIONS, PromptSpec
from dure.client.sub_agent import SubAgentTool
from dure.errors import ConfigError
from dure.models.base import ChatModel
from dure.tools.base import Tool


@dataclass(frozen=True, slots=True)
class ChatClient:
    """A model with the advisors, tools and options that every prompt begins with.

    Holds settings only, so one client serves any number of prompts at the same time.
    """

    model: ChatModel
    _: KW_ONLY
    advisors: tuple[Advisor, ...] = ()
    tools: tuple[Tool, ...] = ()
    options: ChatOptions = DEFAULT_OPTIONS
    system: str = ""
    tool_search: ToolSearchAdvisor | None = field(default_factory=ToolSearchAdvisor)
    """The tool loop where there are many tools; `None` shows all of them to the model, however many."""
    search_from: int = THRESHOLD
    """Tools from which on `tool_search` takes over; a tool loop among the advisors goes before both."""
    links: tuple[Advisor, ...] = field(init=False, repr=False, compare=False)
    """The chain that every prompt begins with."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "tools", tuple(self.tools))
        object.__setattr__(self, "advisors", tuple(self.advisors))
        object.__setattr__(
            self, "links", assembled(self.advisors, self.tools, search=self.tool_search, search_from=self.search_from)
        )

    def as_tool(self, name: str, description: str, *, timeout: float | None = None) -> SubAgentTool:
        """This client as a sub-agent that another agent may ask; `description` says for what.

        `timeout` is in seconds; without one the deadline of the asking run is the limit.

        Raises:
            ConfigError: name or description is empty, or the client remembers conversations, which a
                sub-agent has none of.
        """
        if any(isinstance(advisor, MemoryAdvisor) for advisor in self.advisors):
            raise ConfigError(
                f"{name!r} has a memory, but a sub-agent has no conversation; give it a client without one"
            )
        return SubAgentTool(name=name, description=description, prompt=self.prompt(), timeout=timeout)

    async def close(self) -> None:
        """Give back the connections of its model and of those it falls back to. May be called twice."""
        await self.model.close()
        for advisor in self.advisors:
            if isinstance(advisor, FallbackAdvisor):
                for model in advisor.models:
                    await model.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *ended: object) -> None:
        await self.close()

    def prompt(self, text: str = "") -> PromptSpec:
        """Begin a prompt with what the user says."""
        return PromptSpec(
            model=self.model,
            user_text=text,
            system_text=self.system,
            given_tools=self.tools,
            given_advisors=self.advisors,
            given_options=self.options,
            tool_search=self.tool_search,
            search_from=self.search_from,
            links=self.links,
        )
