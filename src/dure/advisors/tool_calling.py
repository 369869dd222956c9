"""The tool loop: ask, run what the model wants, tell it the results, ask again."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from msgspec import structs

from dure.advisors.base import Chain
from dure.advisors.call_limit import check_tool_calls
from dure.advisors.order import TOOL_CALLING
from dure.advisors.tool_loop import SAID, AgentSafety, ToolLoop, ToolLoopHooks, free_choice, with_offered
from dure.advisors.truncation import once_more
from dure.chat import ChatRequest, ChatResponse, FinishReason
from dure.events import RoundEnded, TextDelta
from dure.messages import AssistantMessage, ToolCall, ToolResult
from dure.tools.base import Tool
from dure.tools.executor import MAX_CONCURRENT, execute
from dure.tools.output_cap import DEFAULT_CAP, OutputCap
from dure.tools.output_reader import output_reader
from dure.tools.toolbox import Toolbox

_NO_TOOLS = Toolbox()
_DEFAULT_SAFETY = AgentSafety()
_NO_HOOKS = ToolLoopHooks()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallingAdvisor:
    """Repeats everything below it until the model calls no tool any more.

    A guard that ends the loop leaves a final message without tool calls, finish reason `limit`.
    """

    toolbox: Toolbox = _NO_TOOLS
    safety: AgentSafety = _DEFAULT_SAFETY
    output_cap: OutputCap = DEFAULT_CAP
    """How long a tool's result may be; the model reads the rest of a longer one in pages."""
    max_concurrent: int = MAX_CONCURRENT
    """Calls of one round that run at the same time."""
    hooks: ToolLoopHooks = _NO_HOOKS
    name: str = "tool calling"
    order: int = TOOL_CALLING

    @property
    def runs_tools(self) -> bool:
        """Marks it as the chain's one tool advisor."""
        return True

    def with_tools(self, *tools: Tool) -> Self:
        """The same loop with more tools.

        Raises:
            ConfigError: a name is there already.
        """
        return replace(self, toolbox=self.toolbox.with_added(*tools))

    async def advise(self, request: ChatRequest, chain: Chain) -> ChatResponse:
        """Answer, after as many rounds as it takes.

        Raises:
            OutputTruncated: a tool call was cut at the token limit, also with more room.
            CallLimitExceeded: the run has not that many tool calls left.
        """
        loop = ToolLoop(request=request, toolbox=self.toolbox, chain=chain, history=request.messages)
        self._offer_reader(loop)
        try:
            await self.hooks.initialise(loop)
            response = await self._rounds(loop)
        except BaseException:
            await self.hooks.finalise(loop, None)
            raise
        response = await self.hooks.finalise(loop, response) or response
        chain.run.state[SAID] = loop.history[len(request.messages) :]
        return response

    async def _rounds(self, loop: ToolLoop) -> ChatResponse:
        while True:
            loop.round += 1
            response = await self._ask(loop)
            calls = response.message.tool_calls
            if not calls:
                self._end_round(loop)
                return response
            breach = self.safety.breach(loop, calls)
            if breach is not None:
                return _stopped(response, breach, loop)
            check_tool_calls(loop.chain.run, len(calls))
            results = await self._execute(calls, loop)
            messages = loop.record(response.message, results)
            self._end_round(loop)
            if _all_direct(results, loop.toolbox):
                return _ended(response, "\n\n".join(result.text for result in results), "return_direct", loop)
            if self.hooks is not _NO_HOOKS:
                messages = await self.hooks.next_instructions(loop, messages)
            loop.request = free_choice(loop.request.with_messages(*messages))

    async def _ask(self, loop: ToolLoop) -> ChatResponse:
        """One model call; a tool call that was cut is never run but asked for once more with more room."""
        offered = loop.toolbox.definitions if loop.offered is None else loop.offered
        request = with_offered(loop.request, offered)
        if self.hooks is not _NO_HOOKS:
            request = await self.hooks.before_round(loop, request)
        response = await loop.chain.next(request)
        if _cut(response):
            response, _ = await once_more(request, loop.chain, response, cut=_cut)
        return response if self.hooks is _NO_HOOKS else await self.hooks.after_round(loop, response)

    async def _execute(self, calls: Sequence[ToolCall], loop: ToolLoop) -> tuple[ToolResult, ...]:
        chain = loop.chain
        results = await execute(
            calls,
            loop.toolbox,
            chain.run,
            charge=chain.charge,
            cap=self.output_cap,
            max_concurrent=self.max_concurrent,
        )
        self._offer_reader(loop)
        return results

    def _offer_reader(self, loop: ToolLoop) -> None:
        reader = output_reader(loop.chain.run, self.output_cap)
        if reader is not None:
            loop.add_tool(reader)

    def _end_round(self, loop: ToolLoop) -> None:
        if loop.chain.run.watched:
            loop.chain.run.emit(RoundEnded(round=loop.round))


def _cut(response: ChatResponse) -> bool:
    return response.finish_reason == "length" and bool(response.message.tool_calls)


def _all_direct(results: tuple[ToolResult, ...], toolbox: Toolbox) -> bool:
    """Whether the results are the answer; a failed one is not, the model may still do better."""
    return not any(result.is_error or not toolbox.get(result.name).return_direct for result in results)


def _stopped(response: ChatResponse, breach: str, loop: ToolLoop) -> ChatResponse:
    reason = f"(Stopped: {breach}.)"
    text = f"{response.text}\n\n{reason}".strip()
    return _ended(response, text, "limit", loop, news=text.removeprefix(response.text))


def _ended(
    response: ChatResponse, text: str, finish_reason: FinishReason, loop: ToolLoop, *, news: str | None = None
) -> ChatResponse:
    """A final message of the loop's own, told to whoever reads along."""
    loop.chain.run.emit(TextDelta(text=text if news is None else news))
    return structs.replace(response, message=AssistantMessage(text=text), finish_reason=finish_reason)
