"""The recursive chain: advisors sorted once, each handed the immutable rest of them.

Usage is folded here and nowhere else. Every `next` opens a frame; what a model call costs is added
to its frame and to all frames around it at once, so an answer that was thrown away, or a call that
raised, is still counted, and nothing is counted twice.
"""

from collections import Counter
from collections.abc import Iterable
from operator import attrgetter
from typing import Self

from dure.advisors.base import Advisor
from dure.advisors.model_call import ModelCall
from dure.advisors.order import MODEL_CALL
from dure.chat import ChatRequest, ChatResponse
from dure.errors import ConfigError
from dure.models.base import ChatModel
from dure.observability.active import active
from dure.observability.telemetry import Telemetry
from dure.run import CallCounts, RunContext
from dure.usage import NO_USAGE, Usage

_BY_ORDER = attrgetter("order")
_MODEL_CALL = ModelCall()


class Frame:
    """What one `next` has spent so far."""

    __slots__ = ("outer", "spent")

    def __init__(self, outer: "Frame | None" = None) -> None:
        self.outer = outer
        self.spent = NO_USAGE

    def add(self, usage: Usage, counts: CallCounts) -> None:
        """Count `usage` here, in every frame around and in the run; the same sum is made only once."""
        before, after = NO_USAGE, usage
        frame: Frame | None = self
        while frame is not None:
            if frame.spent is not before:
                before, after = frame.spent, frame.spent + usage
            frame.spent = after
            frame = frame.outer
        counts.spent = after if counts.spent is before else counts.spent + usage


class AdvisorChain:
    """The rest of a chain for one request. Build the whole with `AdvisorChain.build`."""

    __slots__ = ("_position", "_telemetry", "frame", "links", "model", "run")

    def __init__(
        self,
        links: tuple[Advisor, ...],
        model: ChatModel,
        run: RunContext,
        position: int,
        frame: Frame,
        telemetry: Telemetry | None,
    ) -> None:
        self._telemetry = telemetry
        self.links = links
        """The whole chain, outermost first; the last one calls the model."""
        self._position = position
        self.frame = frame
        self.model = model
        """The model that the end of this chain will ask."""
        self.run = run
        """The state of this request."""

    @classmethod
    def build(
        cls, advisors: Iterable[Advisor], *, model: ChatModel, run: RunContext, terminal: Advisor = _MODEL_CALL
    ) -> Self:
        """Sort the advisors by order, equal numbers as given, and put the model call at the end.

        Raises:
            ConfigError: an advisor could never run, is there twice, is a second tool advisor, or is none.
        """
        return cls.of(arranged(advisors, terminal=terminal), model=model, run=run)

    @classmethod
    def of(cls, links: tuple[Advisor, ...], *, model: ChatModel, run: RunContext) -> Self:
        """The whole chain of links that are `arranged` already."""
        return cls(links, model, run, 0, Frame(), active())

    async def next(self, request: ChatRequest) -> ChatResponse:
        """Run everything below, from the top; the response carries the usage of all of it."""
        links, position = self.links, self._position
        if position == len(links):
            raise ConfigError("there is nothing below the model call; an advisor must not call next() from there")
        link, telemetry = links[position], self._telemetry
        frame = Frame(self.frame)
        rest = AdvisorChain(links, self.model, self.run, position + 1, frame, telemetry)
        if telemetry is None or position == len(links) - 1:  # a model call has a span of its own
            response = await link.advise(request, rest)
        else:
            with telemetry.advisor(link.name, link.order):
                response = await link.advise(request, rest)
        if not isinstance(response, ChatResponse):  # pyright: ignore[reportUnnecessaryIsInstance] - others write advisors
            raise ConfigError(f"advisor {link.name!r} gave {response!r} instead of a ChatResponse")
        return response if response.usage is frame.spent else response.with_usage(frame.spent)

    def after(self, advisor: Advisor) -> "AdvisorChain":
        """The part below `advisor`, wherever in the whole chain that is."""
        for position, link in enumerate(self.links):
            if link is advisor:
                return AdvisorChain(self.links, self.model, self.run, position + 1, self.frame, self._telemetry)
        names = ", ".join(link.name for link in self.links)
        raise ConfigError(f"advisor {advisor.name!r} is not in this chain ({names})")

    def with_model(self, model: ChatModel) -> "AdvisorChain":
        """The same rest, ending at another model."""
        return AdvisorChain(self.links, model, self.run, self._position, self.frame, self._telemetry)

    def charge(self, usage: Usage) -> None:
        """Count tokens spent for this request outside `next`."""
        self.frame.add(usage, self.run.counts)


def arranged(advisors: Iterable[Advisor], *, terminal: Advisor = _MODEL_CALL) -> tuple[Advisor, ...]:
    """The links of a whole chain, which any number of requests may share; see `AdvisorChain.build`.

    Raises:
        ConfigError: as `AdvisorChain.build` does.
    """
    given = tuple(advisors)
    for one in given:
        if isinstance(one, type) or not all(hasattr(one, part) for part in ("advise", "name", "order")):
            kind = "a class; make an instance of it" if isinstance(one, type) else "no advisor"
            raise ConfigError(f"{one!r} is {kind}; an advisor has advise(), name and order (dure.advisors.base)")
    links = tuple(sorted(given, key=_BY_ORDER))
    _refuse_misuse(links)
    return (*links, terminal)


def _refuse_misuse(links: tuple[Advisor, ...]) -> None:
    if links and links[-1].order >= MODEL_CALL:
        lost = ", ".join(f"{link.name!r} (order {link.order})" for link in links if link.order >= MODEL_CALL)
        raise ConfigError(f"{lost} would never run: give it an order below {MODEL_CALL}, the model call")
    if len({id(link) for link in links}) < len(links):
        times = Counter(id(link) for link in links)
        repeated = sorted({repr(link.name) for link in links if times[id(link)] > 1})
        raise ConfigError(f"{', '.join(repeated)} is in the chain more than once; give it once")
    looping = [link for link in links if getattr(link, "runs_tools", False)]
    if len(looping) > 1:
        names = ", ".join(f"{link.name!r} (order {link.order})" for link in looping)
        raise ConfigError(f"one tool advisor per chain, here are {len(looping)}: {names}; merge their tools")
