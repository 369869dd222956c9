"""Streams of servers that only resemble the vendor's."""

from typing import Any

from messages_events import ask, begin, block, end, stream, text, use

from dure.events import Event, ToolCallDelta
from dure.messages import ToolCall
from dure.usage import Usage

START: dict[str, Any] = {"type": "tool_use", "id": "toolu_1", "name": "now", "input": {}}


def delta(index: int, **fields: object) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": fields}


async def called(*events: dict[str, Any]) -> tuple[ToolCall, ...]:
    told: list[Event] = []
    calls = (await ask(stream(begin(), *events, *end("tool_use")), sink=told.append)).message.tool_calls
    grown = "".join(event.arguments for event in told if isinstance(event, ToolCallDelta))
    assert (grown or "{}") == "".join(call.arguments for call in calls)
    return calls


async def test_arguments_that_come_before_their_call_belong_to_it() -> None:
    pieces = [delta(0, type="input_json_delta", partial_json=piece) for piece in ('{"zone":', '"KST"}')]
    begun = {"type": "content_block_start", "index": 0, "content_block": START}
    for order in ([*pieces, begun], [pieces[0], begun, pieces[1]], [begun, *pieces]):
        assert [call.arguments for call in await called(*order)] == ['{"zone":"KST"}']


async def test_arguments_that_come_whole_with_their_call_are_taken_once() -> None:
    whole = {**START, "input": {"zone": "KST"}}
    alone = [{"type": "content_block_start", "index": 0, "content_block": whole}]
    assert [call.arguments for call in await called(*alone)] == ['{"zone":"KST"}']
    assert [call.arguments for call in await called(*block(0, whole))] == ['{"zone":"KST"}']
    repeated = block(0, whole, {"type": "input_json_delta", "partial_json": '{"zone":"KST"}'})
    assert [call.arguments for call in await called(*repeated)] == ['{"zone":"KST"}']


async def test_a_text_that_was_never_begun_and_blocks_that_never_end_are_whole() -> None:
    answer = await ask(
        stream(begin(), delta(3, type="text_delta", text="안녕"), *use(4, "t", "now")[:-1], *end("tool_use"))
    )
    assert (answer.text, [call.name for call in answer.message.tool_calls]) == ("안녕", ["now"])


async def test_all_blocks_under_one_index_are_told_apart() -> None:
    events = [*text(0, "안녕"), *use(0, "a", "one", '{"n":1}'), *use(0, "b", "two", '{"n":2}')]
    answer = await ask(stream(begin(), *events, *end("tool_use")))
    assert answer.text == "안녕"
    assert [(call.name, call.arguments) for call in answer.message.tool_calls] == [
        ("one", '{"n":1}'),
        ("two", '{"n":2}'),
    ]


async def test_an_answer_without_its_first_event_and_with_two_ends_is_whole() -> None:
    ends = [*end(None, output_tokens=3)[:1], *end("end_turn", output_tokens=5)[:1], *end(None, output_tokens=7)]
    answer = await ask(stream(*text(0, "네"), *ends))
    assert (answer.text, answer.finish_reason) == ("네", "stop")
    assert answer.usage == Usage(output=7, model_calls=1)


async def test_numbers_written_as_text_are_numbers() -> None:
    usage: Any = {"input_tokens": "12", "output_tokens": 5.0}
    answer = await ask(stream(begin(**usage), *text(0, "네"), *end("end_turn")))
    assert answer.usage == Usage(fresh_input=12, output=5, model_calls=1)
