"""What every adapter does with its connections: many at once, given up in the middle, of several event loops."""

import asyncio
import dataclasses

import pytest
from raw_server import Raw, RawServer, chunked, http, raw_server
from wire_play import ASK, asked
from wire_port import Call, Script, Wire

from dure.chat import ChatRequest, ToolDefinition
from dure.errors import ConnectionFailed, ModelError
from dure.messages import (
    AssistantMessage,
    Message,
    SystemMessage,
    ToolCall,
    ToolMessage,
    ToolResult,
    UserMessage,
)
from dure.models.base import ChatModel
from dure.models.wire_names import wire_name
from dure.run import RunContext

TEXT = Script(text=("재고는 ", "열두 ", "개"))
MANY = 200


def tool(name: str) -> ToolDefinition:
    return ToolDefinition(name=name, description="d", parameters={"type": "object", "properties": {}})


def held(wire: Wire) -> Raw:
    """A stream that stops in the middle without an end."""
    return Raw(data=chunked(*wire.stream(TEXT)[:-2], ended=False), held=True)


async def test_two_hundred_streams_at_once_of_which_every_third_breaks(wire: Wire) -> None:
    good = Raw(data=http(b"".join(wire.stream(TEXT))), piece=64)
    broken = Raw(data=chunked(*wire.stream(TEXT)[:-2], ended=False).replace(b"OK", b"OK\r\nConnection: close", 1))
    refused = Raw(data=http(wire.error_body("busy"), status="503 Busy", kind="application/json"))

    def answer(body: bytes) -> Raw:
        number = int(wire.received(body).messages[-1].text)
        return (good, good, broken, good, good, refused)[number % 6]

    async def ask(model: ChatModel, number: int) -> str:
        try:
            return (await model.chat(ASK.with_messages(UserMessage(text=str(number))), RunContext())).text
        except ModelError as error:
            return type(error).__name__

    async with raw_server(answer) as server:
        model = wire.open(server.address)
        found = await asyncio.gather(*(ask(model, number) for number in range(MANY)))
        again = await asyncio.gather(*(ask(model, number) for number in range(0, MANY, 6)))
        await model.close()
    whole = "재고는 열두 개"
    row = [whole, whole, "ConnectionFailed", whole, whole, "ServerFailed"]
    assert found == [row[number % 6] for number in range(MANY)]
    assert set(again) == {whole}


async def test_a_call_given_up_in_the_middle_gives_its_connection_back(wire: Wire) -> None:
    before = len(asyncio.all_tasks())
    async with raw_server(held(wire)) as server:
        model = wire.open(server.address)
        begun = asyncio.Event()
        tasks = [asyncio.create_task(model.chat(ASK, RunContext(sink=lambda _: begun.set()))) for _ in range(5)]
        await begun.wait()
        await server.has(5)
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        await server.has(0)
        assert all(task.cancelled() for task in tasks)
        await model.close()
    assert len(asyncio.all_tasks()) == before


async def test_a_failed_call_gives_its_connection_back(wire: Wire) -> None:
    refused = http(wire.error_body("busy"), status="503 Busy", kind="application/json")
    async with raw_server(Raw(data=refused[:-1], held=True)) as server:
        model = wire.open(server.address)
        task = asyncio.create_task(model.chat(ASK, RunContext()))
        await server.has(1)
        task.cancel()
        await asyncio.wait([task])
        await server.has(0)
        await model.close()


async def test_closing_a_model_ends_a_call_that_has_no_answer_yet(wire: Wire) -> None:
    async with raw_server(Raw(data=b"", held=True)) as server:
        model = wire.open(server.address)
        task = asyncio.create_task(model.chat(ASK, RunContext()))
        await server.asked()
        await model.close()
        with pytest.raises(ConnectionFailed):
            await task


async def test_closing_a_model_ends_the_calls_that_are_under_way_and_leaves_it_usable(wire: Wire) -> None:
    answers = [held(wire), held(wire), Raw(data=http(b"".join(wire.stream(TEXT))))]
    async with raw_server(lambda _: answers.pop(0)) as server:
        model = wire.open(server.address)
        begun = [asyncio.Event(), asyncio.Event()]
        runs = [RunContext(sink=lambda _, one=one: one.set()) for one in begun]
        tasks = [asyncio.create_task(model.chat(ASK, run)) for run in runs]
        for one in begun:
            await one.wait()
        await asyncio.gather(model.close(), model.close())
        await server.has(0)
        for task in tasks:
            with pytest.raises(ConnectionFailed):
                await task
        assert (await asked(model)).response.text == "재고는 열두 개"
        await model.close()


def test_a_model_serves_one_event_loop_after_another(wire: Wire) -> None:
    kept: list[ChatModel] = []

    async def once(server_port: list[int]) -> str:
        played = RawServer(lambda _: Raw(data=http(b"".join(wire.stream(TEXT)))))
        server = await asyncio.start_server(played.serve, "127.0.0.1", server_port[0] if server_port else 0)
        server_port[:] = [server.sockets[0].getsockname()[1]]
        if not kept:
            kept.append(wire.open(f"http://127.0.0.1:{server_port[0]}"))
        async with asyncio.timeout(10):
            answer = (await kept[0].chat(ASK, RunContext())).text
            await kept[0].close()
            await played.has(0)
        server.close()
        await server.wait_closed()
        return answer

    port: list[int] = []
    assert [asyncio.run(once(port)) for _ in range(3)] == ["재고는 열두 개"] * 3


async def test_comments_that_never_end_end_with_the_caller_s_patience(wire: Wire) -> None:
    data = chunked(
        *([b": keep-alive\n\n"] * 2_000 if b"data:" in wire.stream(TEXT)[0] else [b"\n"] * 2_000), ended=False
    )
    async with raw_server(Raw(data=data, piece=1_000, held=True)) as server:
        model = wire.open(server.address)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await model.chat(ASK, RunContext())
        await server.has(0)
        await model.close()


async def test_a_history_of_a_thousand_messages_arrives_whole(wire: Wire) -> None:
    odd = "가\ud800\x00\u2028끝 🚚"
    messages: list[Message] = [SystemMessage(text=f"시스템 {odd}")]
    for number in range(250):
        call = ToolCall(id=f"call_{number}", name="재고", arguments='{"n":"\x00"}' if number % 2 else '{"n":"가"}')
        result = ToolResult(call_id=call.id, name="재고", text=f"{number} {odd}")
        messages += [
            UserMessage(text=f"{number}? {odd}"),
            AssistantMessage(text=f"볼게요 {odd}", tool_calls=(call,)),
            ToolMessage(results=(result,)),
            AssistantMessage(text=f"{number}!"),
        ]
    messages.append(UserMessage(text="끝?"))
    async with raw_server(http(b"".join(wire.stream(TEXT)))) as server:
        model = wire.open(server.address)
        await model.chat(ChatRequest(messages=tuple(messages), tools=(tool("재고"),)), RunContext())
        await model.close()
    received = wire.received(server.bodies[0])
    shown = odd.replace("\ud800", "?")
    assert len(received.messages) == 1_001
    assert received.messages[0].text == f"0? {shown}"
    assert received.messages[-3].text == f"249 {shown}"
    assert [said.result_of for said in received.messages if said.result_of] == [f"call_{n}" for n in range(250)]


async def test_a_message_made_from_another_is_encoded_anew(wire: Wire) -> None:
    async with raw_server(http(b"".join(wire.stream(TEXT)))) as server:
        model = wire.open(server.address)
        question = UserMessage(text="하나")
        answer = AssistantMessage(text="둘")
        await model.chat(ASK.with_messages(question, answer, question), RunContext())
        changed = (dataclasses.replace(question, text="셋"), dataclasses.replace(answer, text="넷"), question)
        await model.chat(ASK.with_messages(*changed), RunContext())
        await model.close()
    assert [said.text for said in wire.received(server.bodies[1]).messages] == ["셋", "넷", "하나"]
    assert changed[0].wire is not question.wire


async def test_a_message_says_the_name_its_tool_has_in_this_very_request(wire: Wire) -> None:
    name = "재고 조회"
    taken = wire_name(name)
    call = AssistantMessage(tool_calls=(ToolCall(id="call_a", name=name, arguments="{}"),))
    result = ToolMessage(results=(ToolResult(call_id="call_a", name=name, text="열둘"),))
    request = ASK.with_added(call, result)
    script = Script(calls=(Call(id="call_b", name=taken),), finish="tool_calls")
    async with raw_server(http(b"".join(wire.stream(script)))) as server:
        model = wire.open(server.address)
        answers = [
            await model.chat(request.with_tools(*map(tool, names)), RunContext())
            for names in ((name,), (name, taken), (name,))
        ]
        await model.close()
    sent = [wire.received(body) for body in server.bodies]
    called = [next(said.calls[0][1] for said in received.messages if said.calls) for received in sent]
    assert called[0] == called[2] == taken != called[1]
    assert [set(received.tools) for received in sent] == [{taken}, {taken, called[1]}, {taken}]
    assert [answer.message.tool_calls[0].name for answer in answers] == [name, taken, name]


async def test_what_follows_a_complete_answer_does_not_reach_the_next_call(wire: Wire) -> None:
    body = b"".join(wire.stream(TEXT)) + wire.error_body("late") + b"\n" * 3
    async with raw_server(http(body)) as server:
        model = wire.open(server.address)
        for _ in range(3):
            assert (await asked(model)).response.text == "재고는 열두 개"
        assert server.connections == 1
        await model.close()
