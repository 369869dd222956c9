"""Whatever a model answers, however its stream is cut, whatever its tools do: a run ends, every call is answered."""

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any, cast

from aiohttp import web
from aiohttp.test_utils import TestServer
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dure.advisors.retry import RetryAdvisor
from dure.chat import FinishReason
from dure.client.chat_client import ChatClient
from dure.errors import DureError
from dure.events import Finished
from dure.models.openai_compatible import OpenAICompatibleModel
from dure.run import RunContext
from dure.tools.function import tool
from dure.usage import NO_USAGE, Usage

Piece = dict[str, Any]


@tool
async def good(text: str) -> str:
    """Say it back."""
    await asyncio.sleep(0)
    return text


@tool(concurrent=False)
async def alone(text: str) -> dict[str, str]:
    """Say it back, alone."""
    return {"text": text}


@tool
async def fails(text: str) -> str:
    """Fail."""
    raise RuntimeError(text)


@tool(timeout=0.01)
async def hangs(text: str) -> str:
    """Never come back."""
    await asyncio.Event().wait()
    return text


@tool
async def gives_up(text: str) -> str:
    """Be cancelled by something inside."""
    raise asyncio.CancelledError


@tool
async def unwritable(text: str) -> object:
    """Give what no JSON can hold."""
    return object()


TOOLS = (good, alone, fails, hangs, gives_up, unwritable)
NAMES = [*(one.definition.name for one in TOOLS), "no_such_tool"]

texts = st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=12)
arguments = st.one_of(
    texts.map(lambda text: json.dumps({"text": text}, ensure_ascii=False)),
    st.sampled_from(["", "{}", '{"text": 3}', '{"text": "a', '{"{"text":"a"}', "[1]", "null", '{"text":"a","b":1}']),
)


@st.composite
def call_pieces(draw: st.DrawFn) -> list[Piece]:
    """Tool calls in pieces, with ids and indexes as good and as bad as servers make them."""
    pieces: list[Piece] = []
    for number in range(draw(st.integers(1, 3))):
        name, text = draw(st.sampled_from(NAMES)), draw(arguments)
        given_id = draw(st.sampled_from([f"id{number}", "same", None]))
        index = draw(st.sampled_from([number, number + 1, None, 0]))
        cut = draw(st.integers(0, len(text)))
        pieces.append({"index": index, "id": given_id, "function": {"name": name, "arguments": text[:cut]}})
        if cut < len(text):
            pieces.append({"index": index, "id": None, "function": {"arguments": text[cut:]}})
    return [{"tool_calls": [piece]} for piece in pieces]


@st.composite
def answers(draw: st.DrawFn) -> list[bytes]:
    """One streamed answer as the fragments in which it is sent."""
    deltas: list[Piece] = [{"role": "assistant", "content": ""}]
    deltas += [
        {draw(st.sampled_from(["content", "reasoning_content"])): draw(texts)} for _ in range(draw(st.integers(0, 3)))
    ]
    calls = draw(st.one_of(st.just([]), call_pieces()))
    reason = draw(st.sampled_from(["stop", "tool_calls", "tool_calls", "length", None, "content_filter", "odd"]))
    chunks: list[Piece] = [{"choices": [{"delta": delta, "finish_reason": None}]} for delta in [*deltas, *calls]]
    chunks.append({"choices": [{"delta": {}, "finish_reason": reason}]})
    for _ in range(draw(st.integers(0, 2))):
        count = draw(st.integers(0, 99))
        chunks.append({"choices": [], "usage": {"prompt_tokens": count, "completion_tokens": count // 2}})
    if draw(st.integers(0, 9)) == 0:
        chunks.append({"error": {"message": "overloaded"}})
    body = b"".join(b"data: " + json.dumps(one, ensure_ascii=False).encode() + b"\n\n" for one in chunks)
    body += draw(st.sampled_from([b"data: [DONE]\n\n", b"data: [DONE]\n\n", b"", b"data: {broken\n\n"]))
    cuts = sorted(draw(st.lists(st.integers(0, len(body)), max_size=6)))
    return [body[a:b] for a, b in zip([0, *cuts], [*cuts, len(body)], strict=True) if a < b]


@dataclass
class Server:
    """Plays answers in turn and keeps what it was asked; after the last one it says `done`."""

    script: list[list[bytes]] = field(default_factory=list[list[bytes]])
    asked: list[list[Piece]] = field(default_factory=list[list[Piece]])

    async def chat(self, request: web.Request) -> web.StreamResponse:
        """One answer."""
        self.asked.append(json.loads(await request.read())["messages"])
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        for fragment in self.script.pop(0) if self.script else [_DONE]:
            await response.write(fragment)
        return response


_DONE = b'data: {"choices":[{"delta":{"content":"done"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'


@dataclass(frozen=True)
class Outcome:
    """How a run ended, without what differs between two runs (made ids)."""

    text: str = ""
    reason: FinishReason | None = None
    error: type[DureError] | None = None
    usage: Usage = NO_USAGE
    asked: int = 0


async def _no_sleep(seconds: float) -> None:
    await asyncio.sleep(0)


async def _run(server: Server, client: ChatClient, script: list[list[bytes]], *, streamed: bool) -> Outcome:
    server.script, server.asked = list(script), []
    run = RunContext()
    prompt = client.prompt("go").run(run)
    text, reason, error = "", None, None
    try:
        async with asyncio.timeout(20):
            if streamed:
                async for event in prompt.stream():
                    if isinstance(event, Finished):
                        text, reason = event.text, event.finish_reason
                        assert event.usage == run.counts.spent
            else:
                response = await prompt.call()
                text, reason = response.text, response.finish_reason
                assert response.usage == run.counts.spent
                assert response.message.tool_calls == ()
    except DureError as failure:
        error = type(failure)
    for messages in server.asked:
        _every_call_is_answered_once(messages)
    return Outcome(text=text, reason=reason, error=error, usage=run.counts.spent, asked=len(server.asked))


def _every_call_is_answered_once(messages: list[Piece]) -> None:
    waiting: list[str] = []
    seen: set[str] = set()
    for message in messages:
        if message["role"] == "tool":
            assert message["tool_call_id"] == waiting.pop(0)
            assert message["content"]
            continue
        assert waiting == []
        waiting = [call["id"] for call in cast("list[Piece]", message.get("tool_calls") or [])]
        assert seen.isdisjoint(waiting)
        assert len(set(waiting)) == len(waiting)
        seen.update(waiting)
    assert waiting == []


async def _example(server: Server, client: ChatClient, script: list[list[bytes]]) -> None:
    called = await _run(server, client, script, streamed=False)
    streamed = await _run(server, client, script, streamed=True)
    assert called == streamed
    assert (called.reason is None) == (called.error is not None)
    leftover = [task for task in asyncio.all_tasks() if "hangs" in repr(task.get_coro())]
    assert leftover == []


def test_any_answers_in_any_fragments_end_with_every_call_answered_and_the_same_in_call_and_stream() -> None:
    played = Server()
    app = web.Application()
    app.router.add_post("/chat/completions", played.chat)
    with asyncio.Runner() as loop:  # one for all examples, since a server belongs to its loop
        server = TestServer(app, loop=loop.get_loop())
        loop.run(server.start_server())
        model = OpenAICompatibleModel("fuzz", base_url=str(server.make_url("")).rstrip("/"))
        client = ChatClient(model, tools=TOOLS, advisors=(RetryAdvisor(max_retries=1, sleep=_no_sleep),))

        @settings(
            max_examples=150,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
            database=None,
        )
        @given(script=st.lists(answers(), max_size=5))
        def check(script: list[list[bytes]]) -> None:
            loop.run(_example(played, client, script))

        try:
            check()
        finally:
            loop.run(model.close())
            loop.run(server.close())
