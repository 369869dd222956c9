import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from aiohttp import web
from ollama_server import OllamaServer, answer, answering, end, in_turn, refusal, trained

from dure.chat import ChatOptions, ChatRequest, ChatResponse, ToolDefinition
from dure.errors import ContextTooLong
from dure.messages import AssistantMessage, ToolCall, ToolMessage, ToolResult, UserMessage
from dure.models.ollama import OllamaModel
from dure.run import RunContext

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Serve = Callable[[Handler], Awaitable[str]]

REQUEST = ChatRequest(messages=(UserMessage(text="?"),))


async def ask(address: str, request: ChatRequest = REQUEST, **how: Any) -> ChatResponse:  # noqa: ANN401 passed on
    model = OllamaModel("m", base_url=address, **how)
    try:
        async with asyncio.timeout(10):
            return await model.chat(request, RunContext())
    finally:
        await model.close()


async def test_a_request_goes_out_with_a_context_size_and_the_wish_to_be_refused(serve: Serve) -> None:
    server = OllamaServer(chat=answering(end("a")))
    options = ChatOptions(temperature=0.5, top_p=0.9, max_tokens=7, seed=1, stop=("끝",))
    await ask(await serve(server.handle), REQUEST.with_options(options), keep_alive="10m")
    assert server.bodies == [
        {
            "model": "m",
            "messages": [{"role": "user", "content": "?"}],
            "stream": True,
            "truncate": False,
            "shift": False,
            "keep_alive": "10m",
            "options": {
                "temperature": 0.5,
                "top_p": 0.9,
                "num_predict": 7,
                "seed": 1,
                "stop": ["끝"],
                "num_ctx": 8_192,
            },
        }
    ]


async def test_the_context_grows_with_the_request(serve: Serve) -> None:
    server = OllamaServer(chat=answering(end("a")), show=trained(131_072, "completion"))
    model = OllamaModel("m", base_url=await serve(server.handle))
    long = ChatRequest(messages=(UserMessage(text="재고 " * 5_000),))
    async with asyncio.timeout(10):
        for request in (REQUEST, long, REQUEST):
            await model.chat(request, RunContext())
    await model.close()
    assert [body["options"]["num_ctx"] for body in server.bodies] == [8_192, 16_384, 16_384]


async def test_a_request_that_was_thought_shorter_goes_out_again_with_room(serve: Serve) -> None:
    told = '{"error":{"code":400,"message":"request (9000 tokens) exceeds the available context size (8192 tokens)"}}'
    server = OllamaServer(
        chat=in_turn(refusal(400, told), answer(end("a", prompt_eval_count=9_000))), show=trained(40_960, "completion")
    )
    assert (await ask(await serve(server.handle))).text == "a"
    assert [body["options"]["num_ctx"] for body in server.bodies] == [8_192, 16_384]


@pytest.mark.parametrize(
    ("how", "show", "step"),
    [
        ({}, 8_192, r"\(num_ctx 8192\); send less, or use a model with a larger context"),
        ({"num_ctx": 4_096}, 40_960, r"\(num_ctx 4096\); send less, or allow more with DURE_OLLAMA_NUM_CTX"),
    ],
)
async def test_a_request_that_does_not_fit_says_whether_more_may_be_allowed(
    serve: Serve, how: dict[str, Any], show: int, step: str
) -> None:
    too_long = "the prompt is longer than the context length currently available to the model"
    server = OllamaServer(chat=lambda _: refusal(400, too_long), show=trained(show, "completion"))
    with pytest.raises(ContextTooLong, match=step):
        await ask(await serve(server.handle), **how)
    assert len(server.bodies) == 1


async def test_an_answer_to_a_part_of_the_request_is_an_error(serve: Serve) -> None:
    request = ChatRequest(messages=(UserMessage(text="word " * 8_000),))
    server = OllamaServer(chat=answering(end("nonsense", prompt_eval_count=4_098)))
    with pytest.raises(ContextTooLong, match=r"read only 4098 tokens of the request and dropped the rest"):
        await ask(await serve(server.handle), request, num_ctx=8_192)


async def test_a_long_tool_list_that_a_template_leaves_out_is_no_cut(serve: Serve) -> None:
    tool = ToolDefinition(name="t", description="word " * 10_000, parameters={})
    server = OllamaServer(chat=answering(end("fine", prompt_eval_count=20)))
    response = await ask(await serve(server.handle), REQUEST.with_tools(tool), num_ctx=8_192)
    assert response.text == "fine"


async def test_the_results_of_tools_are_text_that_can_be_cut(serve: Serve) -> None:
    call = ToolCall(id="a", name="t", arguments="{}")
    result = ToolResult(call_id="a", name="t", text="word " * 8_000)
    request = REQUEST.with_added(AssistantMessage(tool_calls=(call,)), ToolMessage(results=(result,)))
    server = OllamaServer(chat=answering(end("nonsense", prompt_eval_count=300)))
    with pytest.raises(ContextTooLong, match="read only 300 tokens"):
        await ask(await serve(server.handle), request, num_ctx=8_192)


@pytest.mark.parametrize(
    "shown", [b"<html>", b'{"model_info": {"general.architecture": "x", "x.context_length": "?"}}', b"{}"]
)
async def test_a_server_that_tells_nonsense_of_its_models_still_answers(serve: Serve, shown: bytes) -> None:
    async def handle(request: web.Request) -> web.StreamResponse:
        if request.path == "/api/show":
            return web.Response(body=shown)
        assert (await request.json())["options"]["num_ctx"] == 8_192
        return answer(end("a"))

    assert (await ask(await serve(handle))).text == "a"
