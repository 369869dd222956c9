"""One answer of Ollama while it arrives, line by line: assembled, and told to the run piece by piece."""

from dure.chat import ChatRequest, ChatResponse
from dure.errors import ConnectionFailed, EmptyAnswer, MalformedResponse
from dure.events import ReasoningDelta, TextDelta, ToolCallDelta
from dure.messages import AssistantMessage, Json, ToolCall
from dure.models.http_wire import Reply
from dure.models.ollama_body import Prompt
from dure.models.ollama_chunks import Call, Chunk, Message, decode_chunk
from dure.models.ollama_errors import from_line
from dure.models.openai_answer import LONGEST_ANSWER
from dure.models.openai_messages import encode
from dure.models.sse import LineParser
from dure.models.stream_assembly import StreamAssembly
from dure.models.text_calls import find_calls, split_point
from dure.run import RunContext


class OllamaAnswer:
    """Assembles one answer, and tells the run what is new."""

    def __init__(self, request: ChatRequest, run: RunContext, prompt: Prompt, *, server: str) -> None:
        self._run = run
        self._watched = run.watched
        self._names = prompt.names
        self._server = server
        self._callable = frozenset([self._names.to_wire(tool.name) for tool in prompt.offered])
        self._held = ""
        self._size = 0
        self._count = 0
        self._done = False
        self._assembly = StreamAssembly(lambda: _call_ids(request))
        self.begun = False
        """Whether anything of the answer has come."""

    async def read(self, reply: Reply) -> None:
        """Take in the stream, or the one object of a server that does not stream."""
        if reply.content_type == "application/json":
            self._take_whole(await reply.read())
        else:
            parser = LineParser()
            async for chunk in reply.chunks:
                self._take_lines(parser.feed(chunk))
                if self._done:
                    break
            else:
                self._take_end(parser.end())
        if not self.begun:
            raise MalformedResponse(f"{self._server} answered 200 with an empty body")
        if not self._done:
            raise ConnectionFailed(f"{self._server} ended the stream before the answer was complete; try again")
        await reply.drain()
        if self._held:
            self._settle_held()

    @property
    def counted(self) -> int | None:
        """Prompt tokens as the server counted them, or `None` where it does not say."""
        return self._assembly.counts.get("input")

    def response(self, model: str) -> ChatResponse:
        """The finished answer.

        Raises:
            EmptyAnswer: the model is done and said nothing.
        """
        text, reasoning = "".join(self._assembly.text), "".join(self._assembly.reasoning)
        reason = self._assembly.finish_reason()
        if reason == "stop" and not text.strip():
            if self._assembly.reason == "load":
                raise EmptyAnswer(f"{model} was only loaded and did not answer; ask again")
            thought = "only thinking" if reasoning else "nothing"
            said = f"{model} answered with {thought}: no text and no tool call; ask again"
            raise EmptyAnswer(said, usage=self._assembly.usage())
        message = AssistantMessage(text=text, tool_calls=self._calls(), reasoning=reasoning)
        return ChatResponse(message=message, finish_reason=reason, usage=self._assembly.usage(), model=model)

    def _take_whole(self, data: bytes) -> None:
        try:
            self._take_lines([data])
        except MalformedResponse:  # a proxy may have mislabelled a stream
            self._take_lines(data.splitlines())
        if self.begun and not self._done and not self._size:
            raise MalformedResponse(f"{self._server} answered without `done`: {data[:120]!r}")

    def _take_lines(self, lines: list[bytes]) -> None:
        for line in lines:
            if self._done or not line.strip():
                continue
            self._take(decode_chunk(line, server=self._server))
            self.begun = True

    def _take_end(self, lines: list[bytes]) -> None:
        """A line that nothing ended may be cut, and then says nothing."""
        try:
            self._take_lines(lines)
        except MalformedResponse:
            if not self.begun:
                raise

    def _take(self, chunk: Chunk) -> None:
        if chunk.error is not None:
            raise from_line(chunk.error, server=self._server)
        if chunk.message is not None:
            self._take_message(chunk.message)
        if chunk.done:
            self._done = True
            self._assembly.reason = chunk.done_reason or "stop"
            self._assembly.set_counts(
                {
                    "input": chunk.prompt_eval_count,
                    "cache_read": chunk.prompt_eval_cached_count,
                    "output": chunk.eval_count,
                }
            )

    def _take_message(self, message: Message) -> None:
        if message.thinking:
            self._measure(message.thinking)
            self._assembly.reasoning.append(message.thinking)
            if self._watched:
                self._run.emit(ReasoningDelta(text=message.thinking))
        if message.content:
            self._measure(message.content)
            self._take_text(message.content)
        for call in message.tool_calls or ():
            self._take_call(call)

    def _measure(self, piece: str) -> None:
        self._size += len(piece)
        if self._size > LONGEST_ANSWER:
            raise MalformedResponse(f"{self._server} does not stop: over {LONGEST_ANSWER:,} characters in one answer")

    def _take_text(self, text: str) -> None:
        if self._callable:
            text = self._held + text
            place = split_point(text)
            text, self._held = text[:place], text[place:]
        self._add_text(text)

    def _add_text(self, text: str) -> None:
        if text:
            self._assembly.text.append(text)
            if self._watched:
                self._run.emit(TextDelta(text=text))

    def _settle_held(self) -> None:
        found = () if self._assembly.calls else find_calls(self._held, self._callable)
        for call in found:
            self._add_call(None, call.name, call.arguments)
        if found:
            self._assembly.reason = "tool_calls"  # the block is whole, so a cut after it does no harm
        else:
            self._add_text(self._held)

    def _take_call(self, call: Call) -> None:
        if call.function is not None:
            arguments = _text(call.function.arguments)
            self._measure(arguments)
            self._add_call(call.id, call.function.name, arguments)

    def _add_call(self, given: str | None, name: str | None, arguments: str) -> None:
        # Calls come whole, and old servers number each of them 0: every one is a call of its own.
        call = self._assembly.add_call(id=given, index=self._count, name=name, arguments=arguments)
        self._count += 1
        if self._watched and call.name:
            self._run.emit(ToolCallDelta(call_id=call.id, name=self._names.to_name(call.name), arguments=arguments))

    def _calls(self) -> tuple[ToolCall, ...]:
        return tuple(
            [
                ToolCall(id=call.id, name=self._names.to_name(call.name), arguments="".join(call.arguments))
                for call in self._assembly.calls
                if call.name
            ]
        )


def _text(arguments: Json) -> str:
    if arguments is None:
        return "{}"
    return arguments if isinstance(arguments, str) else encode(arguments).decode()


def _call_ids(request: ChatRequest) -> frozenset[str]:
    return frozenset(
        call.id for message in request.messages if isinstance(message, AssistantMessage) for call in message.tool_calls
    )
