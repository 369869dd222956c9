"""One streamed answer of the Messages API while it arrives: assembled, and told to the run piece by piece."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from dure.chat import ChatRequest, ChatResponse, FinishReason
from dure.errors import ConnectionFailed, EmptyAnswer, MalformedResponse
from dure.events import ReasoningDelta, TextDelta, ToolCallDelta
from dure.messages import AssistantMessage, ToolCall
from dure.models.anthropic_blocks import OpenBlock, worth_keeping
from dure.models.anthropic_events import Delta, Message, StopDetails, StreamEvent, decode_event, decode_message
from dure.models.anthropic_messages import SLOT
from dure.models.http_errors import from_stream
from dure.models.http_wire import Reply
from dure.models.openai_messages import encode
from dure.models.sse import EventParser
from dure.models.stream_assembly import StreamAssembly
from dure.models.wire_names import WireNames
from dure.run import RunContext
from dure.usage import Usage

LONGEST_ANSWER = 4_000_000
"""Characters; about a million tokens, more than any model writes at once."""
_REASONS: Mapping[str, FinishReason] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "pause_turn": "length",  # the provider's own tools are not done: what there is, is a part
    "refusal": "content_filter",
}


class MessageAnswer:
    """One answer while it arrives: assembles, and tells the run what is new."""

    def __init__(self, request: ChatRequest, run: RunContext, names: WireNames, *, model: str, server: str) -> None:
        self._run = run
        self._watched = run.watched
        self._names = names
        self._model = model
        self._server = server
        self._complete = False
        self._seen = False
        self._size = 0
        self._blocks: dict[int, OpenBlock] = {}
        self._assembly = StreamAssembly(lambda: _call_ids(request))

    async def read(self, reply: Reply) -> None:
        """Take in the stream, or the whole JSON of a server that does not stream."""
        beginning = await reply.beginning()
        if reply.is_whole(beginning):
            await self._read_whole(reply, beginning)
        else:
            await self._read_events(reply, beginning)

    def response(self, name: str) -> ChatResponse:
        """The finished answer.

        Raises:
            EmptyAnswer: the model is done and said nothing.
        """
        text, reasoning = "".join(self._assembly.text), "".join(self._assembly.reasoning)
        calls = self._calls()
        reason = _REASONS.get(self._assembly.reason or "") or ("tool_calls" if calls else "stop")
        if reason == "stop" and not text.strip():
            thought = "only thinking" if reasoning else "nothing"
            said = f"{name} answered with {thought}: no text and no tool call; ask again"
            raise EmptyAnswer(said, usage=self._usage())
        message = AssistantMessage(text=text, tool_calls=calls, reasoning=reasoning, extra=self._extra())
        return ChatResponse(message=message, finish_reason=reason, usage=self._usage(), model=name)

    async def _read_whole(self, reply: Reply, beginning: bytes) -> None:
        data = await reply.read(beginning)
        if not data.strip():
            raise MalformedResponse(f"{self._server} answered 200 with an empty body")
        message = decode_message(data, server=self._server)
        if message.error is not None:
            raise from_stream(message.error, server=self._server)
        if message.content is None:
            raise MalformedResponse(f"{self._server} answered without `content`: {data[:120]!r}")
        self._take_message(message)
        for index, block in enumerate(message.content):
            self._begin(index, block)
            self._end(index)
        self._finish(message.stop_reason, message.stop_details)

    async def _read_events(self, reply: Reply, beginning: bytes) -> None:
        parser = EventParser()
        self._take_events(parser.feed(beginning))
        if not self._complete:
            async for chunk in reply.chunks:
                self._take_events(parser.feed(chunk))
                if self._complete:
                    break
            else:
                with suppress(MalformedResponse):  # an event that nothing ended may be cut, and then says nothing
                    self._take_events(parser.end())
        if self._complete:
            await reply.drain()
        elif not self._seen:
            kind = f"of type {reply.content_type!r}" if reply.content_type else "without a type"
            raise MalformedResponse(f"{self._server} answered 200 with an empty body, or {kind} with no event in it")
        elif self._assembly.reason is None:
            raise ConnectionFailed(f"{self._server} ended the stream before the answer was complete; try again")

    def _take_events(self, payloads: list[bytes]) -> None:
        for payload in payloads:
            self._seen = True
            self._take(decode_event(payload, server=self._server))
            if self._complete:
                return

    def _take(self, event: StreamEvent) -> None:
        """What is no block, no message and no error (`ping`, what a later API adds) says nothing of the answer."""
        match event.type:
            case "content_block_delta":
                self._take_delta(event.index, event.delta or Delta())
            case "content_block_start":
                self._begin(event.index, event.content_block or {})
            case "content_block_stop":
                self._end(event.index)
            case "message_start" | "message_delta":
                self._take_message(event.message or Message(usage=event.usage))
                delta = event.delta or Delta()
                self._finish(delta.stop_reason, delta.stop_details)
            case "message_stop":
                self._complete = True
            case _ if event.error is not None:
                raise from_stream(event.error, server=self._server)
            case _:
                pass

    def _take_message(self, message: Message) -> None:
        if message.usage is not None:
            self._assembly.set_counts(message.usage.by_field())

    def _begin(self, index: int, start: dict[str, Any]) -> OpenBlock:
        before = self._blocks.get(index)
        block = self._blocks[index] = OpenBlock(start=start, kind=str(start.get("type") or "text"))
        match block.kind:
            case "text":
                self._take_text(block, start.get("text"))
            case "thinking":
                self._take_thinking(block, start.get("thinking"))
                block.signature.append(start.get("signature") or "")
            case "tool_use":
                block.call = self._assembly.add_call(
                    id=start.get("id"), index=index, name=start.get("name"), arguments=None
                )
                early = "".join(before.pieces) if before is not None and before.kind == "input_json_delta" else ""
                self._take_arguments(block, early)
            case _:
                pass
        return block

    def _take_delta(self, index: int, delta: Delta) -> None:
        block = self._blocks.get(index) or self._begin(index, {"type": _KINDS.get(delta.type, delta.type)})
        match delta.type:
            case "text_delta":
                self._take_text(block, delta.text)
            case "thinking_delta":
                self._take_thinking(block, delta.thinking)
            case "signature_delta":
                block.signature.append(delta.signature or "")
            case "input_json_delta":
                self._take_arguments(block, delta.partial_json)
            case _:
                pass

    def _take_text(self, block: OpenBlock, text: str | None) -> None:
        if text:
            self._measure(text)
            block.pieces.append(text)
            self._assembly.text.append(text)
            if self._watched:
                self._run.emit(TextDelta(text=text))

    def _take_thinking(self, block: OpenBlock, text: str | None) -> None:
        if text:
            self._measure(text)
            block.pieces.append(text)
            self._assembly.reasoning.append(text)
            if self._watched:
                self._run.emit(ReasoningDelta(text=text))

    def _take_arguments(self, block: OpenBlock, piece: str | None) -> None:
        call = block.call
        if call is None:  # a block of the provider's own, which goes back as it came
            block.pieces.append(piece or "")
            return
        if piece:
            self._measure(piece)
            call.arguments.append(piece)
        if self._watched and call.name:
            name = self._names.to_name(call.name)
            self._run.emit(ToolCallDelta(call_id=call.id, name=name, arguments=piece or ""))

    def _measure(self, piece: str) -> None:
        self._size += len(piece)
        if self._size > LONGEST_ANSWER:
            raise MalformedResponse(f"{self._server} does not stop: over {LONGEST_ANSWER:,} characters in one answer")

    def _end(self, index: int) -> None:
        block = self._blocks.get(index)
        if block is not None:
            block.is_complete = True
            self._take_input(block)

    def _take_input(self, block: OpenBlock) -> None:
        """Arguments that came whole with the beginning, where no pieces of them followed."""
        call, given = block.call, block.start.get("input")
        if call is not None and given and not call.arguments:
            self._take_arguments(block, encode(given).decode())

    def _finish(self, reason: str | None, details: StopDetails | None) -> None:
        if reason:
            self._assembly.reason = reason
            for block in self._blocks.values():
                self._take_input(block)
        if reason == "refusal" and details is not None and details.explanation and not self._assembly.text:
            self._take_text(self._begin(-1, {"type": "text"}), details.explanation)

    def _calls(self) -> tuple[ToolCall, ...]:
        to_name = self._names.to_name
        return tuple(
            [
                ToolCall(id=call.id, name=to_name(call.name), arguments="".join(call.arguments) or "{}")
                for call in self._assembly.calls
                if call.name
            ]
        )

    def _extra(self) -> dict[str, Any]:
        blocks = [kept for block in self._blocks.values() if (kept := block.kept()) is not None]
        return {SLOT: {"model": self._model, "blocks": blocks}} if worth_keeping(blocks) else {}

    def _usage(self) -> Usage:
        counts = self._assembly.counts
        return Usage(
            fresh_input=counts.get("fresh_input", 0),
            cache_read=counts.get("cache_read", 0),
            cache_write=counts.get("cache_write", 0),
            cache_write_1h=counts.get("cache_write_1h", 0),
            output=counts.get("output", 0),
            reasoning=counts.get("reasoning", 0),
            model_calls=1,
        )


_KINDS: Mapping[str, str] = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "thinking"}
"""The kind of a block whose beginning was never sent."""


def _call_ids(request: ChatRequest) -> frozenset[str]:
    return frozenset(
        call.id for message in request.messages if isinstance(message, AssistantMessage) for call in message.tool_calls
    )
