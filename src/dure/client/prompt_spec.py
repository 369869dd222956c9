"""One prompt, put together step by step; every step gives a new value."""

import asyncio
from collections.abc import AsyncGenerator, Coroutine, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Self, TypeVar, cast, overload

from dure.advisors.base import Advisor
from dure.advisors.chain import AdvisorChain
from dure.advisors.structured_output import StructuredOutputAdvisor
from dure.advisors.tool_search import THRESHOLD, ToolSearchAdvisor
from dure.chat import ChatOptions, ChatRequest, ChatResponse
from dure.client.assembly import assembled
from dure.client.streaming import bounded, drained
from dure.errors import ConfigError, OutputInvalid
from dure.events import Event, Finished
from dure.messages import Message, SystemMessage, UserMessage
from dure.models.base import ChatModel
from dure.observability.active import active
from dure.observability.telemetry import Telemetry
from dure.run import RunContext
from dure.tools.base import Tool

T = TypeVar("T")

_NO_ANSWER = frozenset(("blocked", "content_filter", "limit"))
DEFAULT_OPTIONS = ChatOptions()
"""Everything left to the provider."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptSpec:
    """What will be asked, and how. End it with `call`, `text`, `entity` or `stream`."""

    model: ChatModel
    user_text: str = ""
    system_text: str = ""
    history: tuple[Message, ...] = ()
    given_tools: tuple[Tool, ...] = ()
    given_advisors: tuple[Advisor, ...] = ()
    given_options: ChatOptions = DEFAULT_OPTIONS
    tool_search: ToolSearchAdvisor | None = None
    search_from: int = THRESHOLD
    context: RunContext | None = None
    seconds: float | None = None
    links: tuple[Advisor, ...] | None = None
    """The chain of all this, where it is known already."""

    def user(self, text: str) -> Self:
        """What the user says, instead of what was given before."""
        return replace(self, user_text=text)

    def system(self, text: str) -> Self:
        """The standing instructions, instead of those of the client."""
        return replace(self, system_text=text)

    def messages(self, *messages: Message) -> Self:
        """More messages that go between the system and the user text."""
        return replace(self, history=self.history + messages)

    def tools(self, *tools: Tool) -> Self:
        """More tools the model may call."""
        return replace(self, given_tools=(*self.given_tools, *tools), links=None)

    def options(self, options: ChatOptions) -> Self:
        """Options that go before those given so far; what they leave open stays."""
        return replace(self, given_options=_merged(self.given_options, options))

    def advisors(self, *advisors: Advisor) -> Self:
        """More advisors; their order numbers decide their places."""
        return replace(self, given_advisors=self.given_advisors + advisors, links=None)

    def run(self, context: RunContext) -> Self:
        """The run this prompt belongs to: its sink, deadline, counters and cancel switch."""
        return replace(self, context=context)

    def within(self, seconds: float) -> Self:
        """How long the answer may take, counted from when it is asked for; a nearer deadline of the run holds.

        Raises:
            ConfigError: it is no time at all.
        """
        if not seconds > 0:
            raise ConfigError(f"within() wants seconds above 0, not {seconds!r}")
        return replace(self, seconds=seconds)

    def conversation(self, conversation_id: str) -> Self:
        """The conversation this prompt goes on with; memory and found tools are kept by it."""
        run = self.context or RunContext()
        return replace(self, context=replace(run, conversation_id=conversation_id))

    async def call(self) -> ChatResponse:
        """Ask, and give the whole response.

        Raises:
            DureError: of the class that says what to do about it.
            Cancelled: the run was cancelled.
        """
        return await self._answer(self.context or RunContext())

    async def text(self) -> str:
        """Ask, and give the answer's text."""
        return (await self.call()).text

    @overload
    async def entity(self, output_type: type[T], *, validate: bool = True) -> T: ...

    @overload
    async def entity(self, output_type: object, *, validate: bool = True) -> Any: ...  # noqa: ANN401 - JSON, or a union

    async def entity(self, output_type: object, *, validate: bool = True) -> object:
        """Ask, and give the answer as an `output_type`: anything pydantic can read, or a JSON Schema.

        Of a schema (a mapping) the answer is the JSON value; of `str` any text is one. Without `validate` an
        invalid answer is not asked for again.

        Raises:
            ConfigError: it is no type and no schema that can be used.
            OutputInvalid: the answer is not of that type, or was blocked or cut short; it carries the raw text.
        """
        validator = self._validator(output_type, validate)
        response = await self._validated_by(validator).call()
        if response.finish_reason in _NO_ANSWER:
            raise OutputInvalid(f"no {output_type!r}: ended by {response.finish_reason!r}", raw_text=response.text)
        parsed = validator.format.read(response.text)
        if parsed.faults:
            faults = "; ".join(parsed.faults)
            raise OutputInvalid(
                f"no {output_type!r} (ended by {response.finish_reason!r}): {faults}", raw_text=response.text
            )
        return parsed.value

    def stream(self) -> AsyncGenerator[Event]:
        """Ask, and give the events as they happen, `Finished` last.

        Leaving the loop early stops the run. Failures are raised after the events before them.
        """
        return drained(self.context or RunContext(), self._answer)

    def _validator(self, output_type: object, validate: bool) -> StructuredOutputAdvisor:
        """The one that was given, or a new one, for this type or schema."""
        settings: dict[str, Any] = {"output_type": output_type, "json_schema": None}
        if isinstance(output_type, Mapping):
            settings = {"output_type": None, "json_schema": cast("Mapping[str, Any]", output_type)}
        if not validate:
            settings["max_retries"] = 0
        given = [one for one in self.given_advisors if isinstance(one, StructuredOutputAdvisor)]
        return replace(given[-1], **settings) if given else StructuredOutputAdvisor(**settings)

    def _validated_by(self, validator: StructuredOutputAdvisor) -> Self:
        """One validator, whatever was there."""
        others = [one for one in self.given_advisors if not isinstance(one, StructuredOutputAdvisor)]
        return replace(self, given_advisors=(*others, validator), links=None)

    async def _answer(self, run: RunContext) -> ChatResponse:
        run.check()
        if self.seconds is not None:
            until = asyncio.get_running_loop().time() + self.seconds
            run = replace(run, deadline=until if run.deadline is None else min(until, run.deadline))
        request = self._request()
        links = self.links or assembled(
            self.given_advisors, self.given_tools, search=self.tool_search, search_from=self.search_from
        )
        chain = AdvisorChain.of(links, model=self.model, run=run)
        telemetry = active()
        work = bounded(chain.next(request), run)
        response = await (work if telemetry is None else self._traced(telemetry, work, run))
        if run.watched:
            run.emit(Finished(text=response.text, usage=response.usage, finish_reason=response.finish_reason))
        return response

    async def _traced(
        self, telemetry: Telemetry, work: Coroutine[Any, Any, ChatResponse], run: RunContext
    ) -> ChatResponse:
        with telemetry.agent(run, model=self.model.name) as span:
            response = await work
            span.answered(response)
            return response

    def _request(self) -> ChatRequest:
        system = (SystemMessage(text=self.system_text),) if self.system_text.strip() else ()
        user = (UserMessage(text=self.user_text),) if self.user_text.strip() else ()
        if not (*self.history, *user):
            raise ConfigError("nothing to ask: give a user text or messages")
        return ChatRequest(messages=(*system, *self.history, *user), options=self.given_options)


def _merged(base: ChatOptions, over: ChatOptions) -> ChatOptions:
    """`over`, with what it leaves at its default taken from `base`; `extra` of both."""
    given = {
        one.name: value
        for one in fields(over)
        if (value := getattr(over, one.name)) != getattr(DEFAULT_OPTIONS, one.name)
    }
    return replace(base, **{**given, "extra": {**base.extra, **over.extra}})
