import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from aiohttp import web
from ollama_server import OllamaServer, answer, answering, end, in_turn, ndjson, refusal, said, trained

from dure.chat import ChatOptions, ChatRequest, ChatResponse
from dure.errors import (
    ConfigError,
    ConnectionFailed,
    EmptyAnswer,
    InvalidRequest,
    MalformedResponse,
    ModelNotFound,
    ModelUnavailable,
    RateLimited,
    ServerFailed,
    Unauthenticated,
)
from dure.events import Event, ReasoningDelta, TextDelta
from dure.messages import UserMessage
from dure.models.ollama import OllamaModel
from dure.run import RunContext
from dure.usage import Usage

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Serve = Callable[[Handler], Awaitable[str]]

REQUEST = ChatRequest(messages=(UserMessage(text="?"),))


def reasoning(how: Any) -> ChatRequest:  # noqa: ANN401 a literal
    return REQUEST.with_options(ChatOptions(reasoning=how))


async def ask(address: str, request: ChatRequest = REQUEST, run: RunContext | None = None, **how: Any) -> ChatResponse:  # noqa: ANN401 passed on
    model = OllamaModel("m", base_url=address, **how)
    try:
        async with asyncio.timeout(10):
            return await model.chat(request, run or RunContext())
    finally:
        await model.close()


async def test_an_answer_is_joined_and_told_and_counted(serve: Serve) -> None:
    server = OllamaServer(
        chat=answering(
            said(thinking="음"),
            said(thinking="…"),
            said("재"),
            said("고"),
            end(".", prompt_eval_count=30, eval_count=4),
        )
    )
    events: list[Event] = []
    response = await ask(await serve(server.handle), run=RunContext(sink=events.append))
    assert (response.text, response.message.reasoning, response.finish_reason) == ("재고.", "음…", "stop")
    assert (response.usage, response.model) == (Usage(fresh_input=30, output=4, model_calls=1), "ollama:m")
    assert events == [
        ReasoningDelta(text="음"),
        ReasoningDelta(text="…"),
        TextDelta(text="재"),
        TextDelta(text="고"),
        TextDelta(text="."),
    ]


async def test_cached_tokens_are_a_part_of_the_prompt(serve: Serve) -> None:
    lines = end("a", prompt_eval_count=900, prompt_eval_cached_count=850, eval_count=1)
    response = await ask(await serve(OllamaServer(chat=answering(lines)).handle))
    assert response.usage == Usage(fresh_input=50, cache_read=850, output=1, model_calls=1)


async def test_a_server_that_says_nothing_of_a_cached_prompt_counts_nothing(serve: Serve) -> None:
    response = await ask(await serve(OllamaServer(chat=answering(end("a", eval_count=1))).handle))
    assert response.usage == Usage(output=1, model_calls=1)


async def test_a_stream_is_read_the_same_wherever_it_is_cut(serve: Serve) -> None:
    body = ndjson(said("재고가 "), said("“3”개"), end("🙂", prompt_eval_count=1))

    async def one_by_one(request: web.Request) -> web.StreamResponse:
        if request.path == "/api/show":
            return refusal(404, "no")
        response = web.StreamResponse(headers={"Content-Type": "application/x-ndjson"})
        await response.prepare(request)
        for place in range(len(body)):
            await response.write(body[place : place + 1])
            await asyncio.sleep(0)
        return response

    assert (await ask(await serve(one_by_one))).text == "재고가 “3”개🙂"


@pytest.mark.parametrize("text", [json.dumps(end("ok")), json.dumps(end("ok"), indent=2)])
async def test_an_answer_in_one_piece_is_read_too(serve: Serve, text: str) -> None:
    server = OllamaServer(chat=lambda _: web.Response(text=text, content_type="application/json"))
    assert (await ask(await serve(server.handle))).text == "ok"


async def test_lines_end_as_they_like(serve: Serve) -> None:
    body = ndjson(said("a")).replace(b"\n", b"\r\n") + b"\n\n" + ndjson(end("b")).rstrip()
    server = OllamaServer(chat=lambda _: web.Response(body=body, content_type="application/x-ndjson"))
    assert (await ask(await serve(server.handle))).text == "ab"


@pytest.mark.parametrize(("reason", "finish"), [("length", "length"), ("stop", "stop"), (None, "stop")])
async def test_why_the_answer_ended_is_told(serve: Serve, reason: str | None, finish: str) -> None:
    server = OllamaServer(chat=answering(end("a", reason)))
    assert (await ask(await serve(server.handle))).finish_reason == finish


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([end("")], "answered with nothing: no text and no tool call"),
        ([said(thinking="hm"), end(" ")], "answered with only thinking"),
        ([end("", "load")], "was only loaded and did not answer"),
    ],
)
async def test_no_answer_is_an_error(serve: Serve, lines: list[dict[str, Any]], message: str) -> None:
    with pytest.raises(EmptyAnswer, match=message):
        await ask(await serve(OllamaServer(chat=answering(*lines)).handle))


async def test_an_answer_without_its_end_is_a_broken_connection(serve: Serve) -> None:
    with pytest.raises(ConnectionFailed, match="ended the stream before the answer was complete") as caught:
        await ask(await serve(OllamaServer(chat=answering(said("a"))).handle))
    assert "ollama serve" not in str(caught.value)


@pytest.mark.parametrize(
    ("body", "message"), [(b"", "empty body"), (b"<html>", "not of Ollama's API"), (b'{"done":[]}\n', "Ollama's API")]
)
async def test_what_is_no_answer_of_ollama_is_malformed(serve: Serve, body: bytes, message: str) -> None:
    server = OllamaServer(chat=lambda _: web.Response(body=body, content_type="application/x-ndjson"))
    with pytest.raises(MalformedResponse, match=message):
        await ask(await serve(server.handle))


async def test_an_answer_that_never_stops_is_cut_off(serve: Serve) -> None:
    server = OllamaServer(chat=answering(*[said("x" * 1_000_000)] * 5))
    with pytest.raises(MalformedResponse, match="does not stop"):
        await ask(await serve(server.handle))


async def test_an_error_inside_a_stream_is_the_servers_failure(serve: Serve) -> None:
    lines = [said("a"), {"error": "an error was encountered while running the model"}]
    with pytest.raises(ServerFailed, match="an error was encountered"):
        await ask(await serve(OllamaServer(chat=answering(*lines)).handle))


@pytest.mark.parametrize(
    ("status", "error", "kind", "step"),
    [
        (404, "model 'm' not found", ModelNotFound, "fetch it with: ollama pull m"),
        (400, '"m" does not support thinking', InvalidRequest, "leave ChatOptions.reasoning out for 'm'"),
        (400, 'think value "low" is not supported for this model', InvalidRequest, "leave ChatOptions.reasoning out"),
        (400, "registry.ollama.ai/library/m does not support tools", InvalidRequest, "a model that lists tools"),
        (400, "invalid JSON schema in format", InvalidRequest, "invalid JSON schema"),
        (500, "model requires more system memory (9 GiB) than is available", ModelUnavailable, "a smaller model"),
        (500, "llama runner process has terminated", ServerFailed, "has terminated"),
        (503, "server busy, please try again. maximum pending requests exceeded", ServerFailed, "server busy"),
        (429, "too many requests", RateLimited, "too many requests"),
        (401, "unauthorized", Unauthenticated, "OLLAMA_API_KEY"),
    ],
)
async def test_a_refusal_says_what_to_do(
    serve: Serve, status: int, error: str, kind: type[Exception], step: str
) -> None:
    with pytest.raises(kind, match=step) as caught:
        await ask(await serve(OllamaServer(chat=lambda _: refusal(status, error)).handle))
    assert type(caught.value) is kind


async def test_a_server_that_is_not_there_says_how_to_start_it() -> None:
    with pytest.raises(ConnectionFailed, match=r"start Ollama with: ollama serve, .*OLLAMA_HOST"):
        await ask("http://127.0.0.1:9")


@pytest.mark.parametrize(
    ("wanted", "family", "sent"),
    [
        (None, "qwen3", None),
        ("off", "qwen3", False),
        ("low", "qwen3", True),
        ("high", "qwen3", True),
        ("low", "gptoss", "low"),
        ("high", "gptoss", "high"),
        ("off", "gptoss", "low"),
    ],
)
async def test_thinking_is_asked_for_in_the_words_of_the_family(
    serve: Serve, wanted: str | None, family: str, sent: object
) -> None:
    server = OllamaServer(chat=answering(end("a")), show=trained(8_192, "completion", "thinking", family=family))
    await ask(await serve(server.handle), reasoning(wanted))
    assert server.bodies[0].get("think") == sent


async def test_what_the_model_can_do_is_asked_once_for_many_calls(serve: Serve) -> None:
    server = OllamaServer(chat=answering(end("a")), show=trained(20_000, "completion"))
    model = OllamaModel("m", base_url=await serve(server.handle))
    assert (model.capabilities.context_window, model.capabilities.tools) == (None, True)
    async with asyncio.timeout(10):
        await asyncio.gather(*[model.chat(REQUEST, RunContext()) for _ in range(30)])
    await model.close()
    assert (server.shows, len(server.bodies)) == (1, 30)
    assert (model.capabilities.context_window, model.capabilities.tools) == (20_000, False)
    assert (model.capabilities.json_schema, model.capabilities.grammar) == (True, False)


async def test_a_server_that_tells_nothing_of_its_models_but_answers_is_not_asked_again(serve: Serve) -> None:
    server = OllamaServer(chat=answering(end("a")))
    model = OllamaModel("m", base_url=await serve(server.handle))
    async with asyncio.timeout(10):
        for _ in range(3):
            await model.chat(REQUEST, RunContext())
    await model.close()
    assert server.shows == 1


async def test_nothing_need_be_asked_of_a_model_with_a_fixed_context_until_it_is_to_think(serve: Serve) -> None:
    server = OllamaServer(chat=answering(end("a")), show=trained(2_048, "completion", family="gptoss"))
    model = OllamaModel("m-3b", base_url=await serve(server.handle), num_ctx=4_096)
    assert (model.capabilities.context_window, model.capabilities.small) == (4_096, True)
    async with asyncio.timeout(10):
        await model.chat(REQUEST, RunContext())
        assert server.shows == 0
        await model.chat(reasoning("low"), RunContext())
    await model.close()
    assert (server.shows, server.bodies[1]["think"], server.bodies[1]["options"]["num_ctx"]) == (1, "low", 2_048)


async def test_a_model_that_is_pulled_later_is_asked_about_again(serve: Serve) -> None:
    server = OllamaServer(chat=in_turn(refusal(404, "model 'm' not found"), answer(end("a"))))
    model = OllamaModel("m", base_url=await serve(server.handle))
    async with asyncio.timeout(10):
        with pytest.raises(ModelNotFound):
            await model.chat(REQUEST, RunContext())
        server.show = trained(9_000, "completion", "tools")
        await model.chat(REQUEST, RunContext())
    await model.close()
    assert (server.shows, model.capabilities.context_window) == (2, 9_000)


def test_a_model_without_a_name_is_refused() -> None:
    with pytest.raises(ConfigError, match="needs a name"):
        OllamaModel("")
