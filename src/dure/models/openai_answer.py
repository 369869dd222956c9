"""One streamed answer of chat completions while it arrives: assembled, and told to the run piece by piece."""

from collections.abc import Iterable
from contextlib import suppress

from dure.chat import ChatRequest, ChatResponse
from dure.errors import ConnectionFailed, EmptyAnswer, MalformedResponse, ServerFailed
from dure.events import ReasoningDelta, Restarted, TextDelta, ToolCallDelta
from dure.messages import AssistantMessage, ToolCall
from dure.models.http_errors import from_stream
from dure.models.http_wire import Reply
from dure.models.openai_chunks import CallPiece, Chunk, Delta, Function, decode
from dure.models.openai_messages import encode
from dure.models.sse import EventParser
from dure.models.stream_assembly import StreamAssembly
from dure.models.text_calls import find_calls, split_point
from dure.models.thought_tags import Piece, ThoughtTags
from dure.models.wire_names import WireNames
from dure.run import RunContext

_DONE = b"[DONE]"
LONGEST_ANSWER = 4_000_000
"""Characters; about a million tokens, more than any model writes at once."""


class ChatAnswer:
    """One answer while it arrives: assembles, and tells the run what is new."""

    def __init__(
        self, request: ChatRequest, run: RunContext, names: WireNames, *, server: str, calls_in_text: bool = False
    ) -> None:
        self._run = run
        self._watched = run.watched
        self._names = names
        self._server = server
        self._complete = False
        self._seen = False
        self._callable = frozenset(names.to_wire(tool.name) for tool in request.tools) if calls_in_text else ()
        self._held = ""
        self._tags = ThoughtTags()
        self._kind = ""
        self._size = 0
        self._assembly = StreamAssembly(lambda: _call_ids(request))

    async def read(self, reply: Reply) -> None:
        """Take in the stream, or the whole JSON of a server that does not stream."""
        self._kind = reply.content_type
        beginning = await reply.beginning()
        if reply.is_whole(beginning):
            await self._read_whole(reply, beginning)
        else:
            await self._read_events(reply, beginning)
        self._take_pieces(self._tags.end())
        if self._held:
            self._settle_held()

    def response(self, model: str) -> ChatResponse:
        """The finished answer.

        Raises:
            EmptyAnswer: the model is done and said nothing.
        """
        text, calls = "".join(self._assembly.text), self._calls()
        reasoning = "".join(self._assembly.reasoning)
        reason = self._assembly.finish_reason()
        if reason == "stop" and not text.strip():
            thought = "only thinking" if reasoning else "nothing"
            said = f"{model} answered with {thought}: no text and no tool call; ask again"
            raise EmptyAnswer(said, usage=self._assembly.usage())
        message = AssistantMessage(text=text, tool_calls=calls, reasoning=reasoning)
        return ChatResponse(message=message, finish_reason=reason, usage=self._assembly.usage(), model=model)

    async def _read_whole(self, reply: Reply, beginning: bytes) -> None:
        data = await reply.read(beginning)
        if not data.strip():
            raise MalformedResponse(f"{self._server} answered 200 with an empty body")
        chunk = decode(data, server=self._server)
        self._take(chunk)
        if not chunk.choices:
            raise MalformedResponse(f"{self._server} answered without `choices`: {data[:120]!r}")

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
        if not self._seen:
            kind = f"of type {self._kind!r}" if self._kind else "without a type"
            raise MalformedResponse(f"{self._server} answered 200 with an empty body, or {kind} with no event in it")
        if not self._complete and self._assembly.reason is None:
            raise ConnectionFailed(f"{self._server} ended the stream before the answer was complete; try again")

    def _take_events(self, payloads: list[bytes]) -> None:
        for payload in payloads:
            self._seen = True
            if payload == _DONE:
                self._complete = True
                return
            self._take(decode(payload, server=self._server))

    def _take(self, chunk: Chunk) -> None:
        if chunk.error is not None:
            raise from_stream(chunk.error, server=self._server)
        if chunk.usage is not None:
            self._assembly.set_counts(chunk.usage.by_field())
        if chunk.timings is not None:
            self._assembly.set_counts({"cache_read": chunk.timings.cache_n})
        if not chunk.choices:
            return
        choice = chunk.choices[0]
        delta = choice.delta or choice.message
        if delta is not None:
            self._take_delta(delta)
        if choice.finish_reason:
            if choice.finish_reason == "error":
                raise ServerFailed(f"{self._server} failed while it answered")
            self._assembly.reason = choice.finish_reason

    def _take_delta(self, delta: Delta) -> None:
        thought, text = delta.reasoning_content or delta.reasoning, delta.text
        if thought:
            self._measure(thought)
            self._take_thought(thought)
        if text:
            self._measure(text)
            self._take_pieces(self._tags.feed(text))
        if delta.tool_calls:
            for piece in delta.tool_calls:
                self._take_call(piece)

    def _take_thought(self, thought: str) -> None:
        if thought:
            self._assembly.reasoning.append(thought)
            if self._watched:
                self._run.emit(ReasoningDelta(text=thought))

    def _measure(self, piece: str) -> None:
        self._size += len(piece)
        if self._size > LONGEST_ANSWER:
            raise MalformedResponse(f"{self._server} does not stop: over {LONGEST_ANSWER:,} characters in one answer")

    def _take_pieces(self, pieces: Iterable[Piece]) -> None:
        for kind, piece in pieces:
            if kind == "text":
                self._take_text(piece)
            elif kind == "thought":
                self._take_thought(piece)
            else:
                self._take_back()

    def _take_back(self) -> None:
        """All text so far was thinking."""
        shown = "".join(self._assembly.text) + self._held
        self._assembly.text.clear()
        self._held = ""
        if self._watched and shown:
            self._run.emit(Restarted(reason="what was shown so far was thinking"))
        self._take_thought(shown)

    def _take_text(self, text: str) -> None:
        if self._callable:
            text = self._held + text
            place = split_point(text)
            text, self._held = text[:place], text[place:]
        self._emit_text(text)

    def _emit_text(self, text: str) -> None:
        if text:
            self._assembly.text.append(text)
            if self._watched:
                self._run.emit(TextDelta(text=text))

    def _settle_held(self) -> None:
        found = () if self._assembly.calls else find_calls(self._held, self._callable)
        for call in found:
            self._take_call(CallPiece(function=Function(name=call.name, arguments=call.arguments)))
        if found:
            self._assembly.reason = "tool_calls"  # the block is whole, so a cut after it does no harm
        else:
            self._emit_text(self._held)

    def _take_call(self, piece: CallPiece) -> None:
        name = piece.function.name if piece.function else None
        given = piece.function.arguments if piece.function else None
        arguments = encode(given).decode() if isinstance(given, dict) else given
        if arguments:
            self._measure(arguments)
        call = self._assembly.add_call(id=piece.id, index=piece.index, name=name, arguments=arguments)
        if self._watched and call.name:
            self._run.emit(
                ToolCallDelta(call_id=call.id, name=self._names.to_name(call.name), arguments=arguments or "")
            )

    def _calls(self) -> tuple[ToolCall, ...]:
        to_name = self._names.to_name
        return tuple(
            [
                ToolCall(id=call.id, name=to_name(call.name), arguments="".join(call.arguments))
                for call in self._assembly.calls
                if call.name
            ]
        )


def _call_ids(request: ChatRequest) -> frozenset[str]:
    return frozenset(
        call.id for message in request.messages if isinstance(message, AssistantMessage) for call in message.tool_calls
    )
