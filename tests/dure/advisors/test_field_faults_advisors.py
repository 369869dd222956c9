"""Faults that people report of other frameworks, over a loopback server: cut, empty and failing answers."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from dure.advisors.fallback import FallbackAdvisor
from dure.advisors.retry import NUDGE, RetryAdvisor
from dure.chat import ChatOptions
from dure.client.chat_client import ChatClient
from dure.errors import EmptyAnswer, InvalidRequest, ModelUnavailable, OutputTruncated, RateLimited, ServerFailed
from dure.events import Event, Restarted, TextDelta
from dure.models.openai_compatible import OpenAICompatibleModel
from dure.models.scripted import ScriptedModel
from dure.run import RunContext
from dure.tools.function import tool

SSE = Path(__file__).parents[2] / "data/faults/sse"


class Server:
    """Plays replies in order, the last one again and again, and keeps what it was asked."""

    def __init__(self, *replies: tuple[int, dict[str, str], bytes]) -> None:
        self.replies = list(replies)
        self.bodies: list[dict[str, Any]] = []
        self.waits: list[float] = []

    async def answer(self, request: web.Request) -> web.Response:
        self.bodies.append(await request.json())
        status, headers, body = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        kind = "text/event-stream" if status == 200 else "application/json"
        return web.Response(status=status, headers=headers, body=body, content_type=kind)

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)

    @property
    def asked(self) -> list[str]:
        return [body["messages"][-1]["content"] for body in self.bodies]


@asynccontextmanager
async def client_of(server: Server, *advisors: Any, **given: Any) -> AsyncGenerator[ChatClient]:  # noqa: ANN401
    application = web.Application()
    application.router.add_post("/chat/completions", server.answer)
    runner = web.AppRunner(application, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    model = OpenAICompatibleModel("m", base_url=f"http://{host}:{port}")
    retry = RetryAdvisor(sleep=server.sleep, chance=lambda: 0.0)
    try:
        async with asyncio.timeout(10):
            yield ChatClient(model, advisors=(retry, *advisors), **given)
    finally:
        await model.close()
        await runner.cleanup()


def sse(*chunks: object) -> tuple[int, dict[str, str], bytes]:
    lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks] + ["data: [DONE]\n\n"]
    return 200, {}, "".join(lines).encode()


def said(text: str, finish: str | None = "stop", **fields: object) -> dict[str, Any]:
    delta = {"content": text, **fields}
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def usage(output: int) -> dict[str, Any]:
    return {"choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": output}}


def fault(status: int, **headers: str) -> tuple[int, dict[str, str], bytes]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return status, named, json.dumps({"error": {"message": f"fault {status}"}}).encode()


def recorded(name: str) -> tuple[int, dict[str, str], bytes]:
    return 200, {}, (SSE / name).read_bytes()


@tool
def check_stock(sku: str) -> str:
    """Tell the stock."""
    return f"{sku}: 7"


CALL = sse(
    said(
        "", None, tool_calls=[{"index": 0, "id": "a", "function": {"name": "check_stock", "arguments": '{"sku":"A"}'}}]
    ),
    said("", "tool_calls"),
)


# an answer that is cut


@pytest.mark.parametrize("cut", ['{"a": [1, 2', "", "<think>and so"])
async def test_a_cut_answer_gets_twice_the_room_once_and_is_never_repaired_or_sent_back(cut: str) -> None:
    server = Server(sse(said(cut, "length")), sse(said('{"a": [1]}')))
    async with client_of(server) as client:
        spec = client.prompt("numbers").options(ChatOptions(max_tokens=40))
        assert await spec.entity(dict[str, list[int]]) == {"a": [1]}
    assert [body["max_tokens"] for body in server.bodies] == [40, 80]
    assert len(set(server.asked)) == 1
    assert server.waits == []


@pytest.mark.parametrize(
    "nothing", [said("", "length"), said("", "length", reasoning_content="hm"), said("<think>x", "length")]
)
async def test_an_answer_whose_room_went_into_thinking_is_named_as_cut_and_not_as_a_blank_success(
    nothing: dict[str, Any],
) -> None:
    events: list[Event] = []
    server = Server(sse(nothing, usage(25)), sse(said("an answer")))
    async with client_of(server) as client:
        assert await client.prompt("q").run(RunContext(sink=events.append)).text() == "an answer"
    assert [body.get("max_tokens") for body in server.bodies] == [None, 50]
    assert [event.reason for event in events if isinstance(event, Restarted)] == [
        "cut at the token limit; once more with 50 tokens"
    ]
    server = Server(sse(nothing, usage(25)))
    async with client_of(server) as client:
        with pytest.raises(OutputTruncated, match="token limit"):
            await client.prompt("q").call()
    assert len(server.bodies) == 2


async def test_a_cut_tool_call_never_runs() -> None:
    ran: list[str] = []

    @tool(name="check_stock")
    def counted(sku: str) -> str:
        """Tell the stock."""
        ran.append(sku)
        return "7"

    server = Server(recorded("08_length_in_args.sse"))
    async with client_of(server) as client:
        with pytest.raises(OutputTruncated):
            await client.prompt("q").tools(counted).options(ChatOptions(max_tokens=8)).call()
    assert (ran, [body["max_tokens"] for body in server.bodies]) == ([], [8, 16])


async def test_text_that_is_cut_after_some_of_it_stays_an_answer_that_says_so() -> None:
    server = Server(sse(said("once upon", "length")))
    async with client_of(server) as client:
        response = await client.prompt("tell").call()
    assert (response.text, response.finish_reason, len(server.bodies)) == ("once upon", "length", 1)


# an answer that is none


@pytest.mark.parametrize(
    "nothing",
    [
        recorded("12_empty_final.sse"),
        sse(said("", "stop")),
        sse(said(" \n ")),
        sse(said("<think>hm</think>")),
        sse(said("", reasoning_content="only thought")),
        sse({"choices": [{"index": 0, "delta": {"content": None}, "finish_reason": "stop"}]}),
    ],
)
async def test_an_empty_answer_is_nudged_once_and_then_told_as_no_answer(nothing: Any) -> None:  # noqa: ANN401
    events: list[Event] = []
    server = Server(nothing)
    async with client_of(server) as client:
        with pytest.raises(EmptyAnswer):
            await client.prompt("q").run(RunContext(sink=events.append)).call()
    assert server.asked == ["q", f"q\n\n{NUDGE}"]
    assert len([event for event in events if isinstance(event, Restarted)]) == 1


async def test_an_answer_after_an_orphan_closing_tag_is_an_answer() -> None:
    server = Server(sse(said("hm…</think>yes")))
    async with client_of(server) as client:
        assert (await client.prompt("q").entity(str), len(server.bodies)) == ("yes", 1)


async def test_after_tools_the_nudge_is_for_one_attempt_and_never_kept() -> None:
    server = Server(CALL, sse(said("")), CALL, sse(said("7 pieces")))
    async with client_of(server) as client:
        assert await client.prompt("q").tools(check_stock).text() == "7 pieces"
    nudged = [NUDGE in json.dumps(body["messages"]) for body in server.bodies]
    assert nudged == [False, False, True, False]


async def test_a_turn_has_one_nudge_however_many_rounds_it_has_and_the_next_turn_its_own() -> None:
    server = Server(sse(said("")), CALL, sse(said("")))
    async with client_of(server) as client:
        for bodies in (3, 5):
            with pytest.raises(EmptyAnswer):
                await client.prompt("q").tools(check_stock).call()
            assert len(server.bodies) == bodies


async def test_a_model_that_stays_silent_hands_over_to_the_next() -> None:
    server = Server(sse(said("")))
    async with client_of(server, FallbackAdvisor(models=(ScriptedModel("from two"),))) as client:
        assert await client.prompt("q").text() == "from two"
    assert len(server.bodies) == 2


# a call that fails


async def test_a_short_retry_after_is_waited_for_and_a_long_one_stops_at_once() -> None:
    server = Server(fault(429, Retry_After="2"), fault(429, Retry_After="3600"), sse(said("never")))
    async with client_of(server) as client:
        with pytest.raises(RateLimited) as raised:
            await client.prompt("q").call()
    assert (server.waits, len(server.bodies), raised.value.retry_after) == ([2.0], 2, 3600.0)


@pytest.mark.parametrize("late", ["3600", "Fri, 31 Dec 2100 23:59:59 GMT"])
async def test_a_long_wait_goes_to_the_fallback(late: str) -> None:
    events: list[Event] = []
    server = Server(fault(429, Retry_After=late))
    async with client_of(server, FallbackAdvisor(models=(ScriptedModel("from two", name="scripted:two"),))) as client:
        response = await client.prompt("q").run(RunContext(sink=events.append)).call()
    assert (response.text, response.model, server.waits, len(server.bodies)) == ("from two", "scripted:two", [], 1)
    (restarted,) = [event for event in events if isinstance(event, Restarted)]
    assert restarted.reason.endswith("asking scripted:two")


async def test_a_date_that_has_passed_is_no_wait_of_its_own() -> None:
    server = Server(fault(429, Retry_After="Fri, 31 Dec 1999 23:59:59 GMT"), sse(said("yes")))
    async with client_of(server) as client:
        assert await client.prompt("q").text() == "yes"
    assert server.waits == [0.5]


@pytest.mark.parametrize("status", [400, 422])
async def test_a_request_that_is_refused_is_sent_once_and_to_nobody_else(status: int) -> None:
    other = ScriptedModel("never asked")
    server = Server(fault(status))
    async with client_of(server, FallbackAdvisor(models=(other,))) as client:
        with pytest.raises(InvalidRequest):
            await client.prompt("q").call()
    assert (len(server.bodies), other.requests, server.waits) == (1, [], [])


async def test_an_error_inside_a_stream_after_visible_text_is_told_before_the_text_begins_again() -> None:
    broken = sse(said("half an ", None), {"error": {"message": "overloaded"}})
    server = Server(broken, sse(said("a whole answer")))
    told: list[str] = []
    async with client_of(server) as client:
        async for event in client.prompt("q").stream():
            if isinstance(event, TextDelta | Restarted):
                told.append(event.text if isinstance(event, TextDelta) else "RESTARTED")
    assert told == ["half an ", "RESTARTED", "a whole answer"]
    assert len(server.bodies) == 2


async def test_one_layer_retries_so_a_dead_provider_is_asked_four_times_and_not_sixteen() -> None:
    server = Server(fault(503))
    async with client_of(server) as client:
        with pytest.raises(ServerFailed):
            await client.prompt("q").tools(check_stock).entity(int)
    assert (len(server.bodies), server.waits) == (4, [0.5, 1.0, 2.0])


async def test_retries_come_before_the_fallback_and_every_reason_is_kept() -> None:
    server = Server(fault(500))
    dead = ScriptedModel(*[ServerFailed("also down")] * 4, name="scripted:two")
    async with client_of(server, FallbackAdvisor(models=(dead,))) as client:
        with pytest.raises(ModelUnavailable, match=r"openai:m: .*500.*; scripted:two: also down"):
            await client.prompt("q").call()
    assert (len(server.bodies), len(dead.requests)) == (4, 4)
