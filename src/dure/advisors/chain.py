"""The recursive chain: advisors sorted once, each handed the immutable rest of them.

Usage is folded here and nowhere else. Every `next` opens a frame; what a model call costs is added
to its frame and to all frames around it at once, so an answer that was thrown away, or a call that
raised, is still counted, and nothing is counted twice.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Self

from dure.advisors.base import Advisor, ToolAdvisor
from dure.advisors.model_call import ModelCall
from dure.advisors.order import MODEL_CALL
from dure.chat import ChatRequest, ChatResponse
from dure.errors import ConfigError
from dure.models.base import ChatModel
from dure.run import RunContext
from dure.usage import NO_USAGE, Usage


@dataclass(slots=True, eq=False)
class Frame:
    """What one `next` has spent so far."""

    outer: "Frame | None" = None
    spent: Usage = NO_USAGE

    def add(self, usage: Usage) -> None:
        """Count `usage` here and in every frame around."""
        frame: Frame | None = self
        while frame is not None:
            frame.spent += usage
            frame = frame.outer


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvisorChain:
    """The rest of a chain for one request. Build the whole with `AdvisorChain.build`."""

    links: tuple[Advisor, ...]
    """The whole chain, outermost first; the last one calls the model."""
    model: ChatModel
    run: RunContext
    position: int = 0
    frame: Frame = field(default_factory=Frame)

    @classmethod
    def build(
        cls, advisors: Iterable[Advisor], *, model: ChatModel, run: RunContext, terminal: Advisor | None = None
    ) -> Self:
        """Sort the advisors by order, equal numbers as given, and put the model call at the end.

        Raises:
            ConfigError: an advisor could never run, is there twice, or is a second tool advisor.
        """
        links = tuple(sorted(advisors, key=lambda advisor: advisor.order))
        _refuse_unreachable(links)
        _refuse_repeated(links)
        _refuse_second_tool_advisor(links)
        return cls(links=(*links, terminal or ModelCall()), model=model, run=run)

    async def next(self, request: ChatRequest) -> ChatResponse:
        """Run everything below, from the top; the response carries the usage of all of it."""
        if self.position == len(self.links):
            raise ConfigError("there is nothing below the model call; an advisor must not call next() from there")
        frame = Frame(self.frame)
        rest = replace(self, position=self.position + 1, frame=frame)
        response = await self.links[self.position].advise(request, rest)
        return replace(response, usage=frame.spent)

    def after(self, advisor: Advisor) -> Self:
        """The part below `advisor`, wherever in the whole chain that is."""
        for position, link in enumerate(self.links):
            if link is advisor:
                return replace(self, position=position + 1)
        names = ", ".join(link.name for link in self.links)
        raise ConfigError(f"advisor {advisor.name!r} is not in this chain ({names})")

    def with_model(self, model: ChatModel) -> Self:
        """The same rest, ending at another model."""
        return replace(self, model=model)

    def charge(self, usage: Usage) -> None:
        """Count tokens spent for this request outside `next`."""
        self.frame.add(usage)


def _refuse_unreachable(links: tuple[Advisor, ...]) -> None:
    lost = [f"{link.name!r} (order {link.order})" for link in links if link.order >= MODEL_CALL]
    if lost:
        raise ConfigError(f"{', '.join(lost)} would never run: give it an order below {MODEL_CALL}, the model call")


def _refuse_repeated(links: tuple[Advisor, ...]) -> None:
    times = Counter(id(link) for link in links)
    repeated = sorted({repr(link.name) for link in links if times[id(link)] > 1})
    if repeated:
        raise ConfigError(f"{', '.join(repeated)} is in the chain more than once; give it once")


def _refuse_second_tool_advisor(links: tuple[Advisor, ...]) -> None:
    names = [f"{link.name!r} (order {link.order})" for link in links if isinstance(link, ToolAdvisor)]
    if len(names) > 1:
        raise ConfigError(f"one tool advisor per chain, here are {len(names)}: {', '.join(names)}; merge their tools")
