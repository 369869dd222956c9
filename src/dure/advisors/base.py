"""The one shape of a chain's link: request + the rest of the chain → response.

async def advise(self, request, chain):
    response = await chain.next(request)         # everything below, once
    ...
    return await chain.next(changed)             # calling it again is the recursion
"""

from typing import Protocol, runtime_checkable

from dure.chat import ChatRequest, ChatResponse
from dure.models.base import ChatModel
from dure.run import RunContext
from dure.tools.base import Tool
from dure.usage import Usage


class Chain(Protocol):
    """The immutable rest of the chain, as an advisor sees it."""

    @property
    def run(self) -> RunContext:
        """The state of this request."""
        ...

    @property
    def model(self) -> ChatModel:
        """The model that the end of this chain will ask."""
        ...

    async def next(self, request: ChatRequest) -> ChatResponse:
        """Run everything below, from the top; may be called any number of times."""
        ...

    def after(self, advisor: "Advisor") -> "Chain":
        """The part below `advisor`.

        Raises:
            ConfigError: the advisor is not in the whole chain.
        """
        ...

    def with_model(self, model: ChatModel) -> "Chain":
        """The same rest of the chain, ending at another model."""
        ...

    def charge(self, usage: Usage) -> None:
        """Count tokens that were spent for this request outside `next` (a judge, a sub-agent)."""
        ...


class Advisor(Protocol):
    """A link. Holds settings only; what belongs to one request is in `chain.run`."""

    @property
    def name(self) -> str:
        """Shown in errors and spans."""
        ...

    @property
    def order(self) -> int:
        """Its place; smaller is further out (see `dure.advisors.order`)."""
        ...

    async def advise(self, request: ChatRequest, chain: Chain) -> ChatResponse:
        """Answer `request`, usually by way of `chain.next`."""
        ...


@runtime_checkable
class ToolAdvisor(Advisor, Protocol):
    """An advisor that runs tools; a chain has at most one."""

    @property
    def runs_tools(self) -> bool:
        """Always true; tells it from other advisors."""
        ...

    def with_tools(self, *tools: Tool) -> "ToolAdvisor":
        """The same advisor with more tools.

        Raises:
            ConfigError: a name is there already.
        """
        ...
