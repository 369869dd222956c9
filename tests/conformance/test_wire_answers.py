"""What every adapter makes of an answer."""

import asyncio
from dataclasses import replace

import pytest
from msgspec import structs
from wire_play import ASK, Outcome, names_and_arguments, over_wire, played, streamed, visible
from wire_port import Call, Script, Wire
from wire_server import Reply, serving

from dure.chat import ToolDefinition
from dure.client.chat_client import ChatClient
from dure.errors import EmptyAnswer
from dure.events import Finished, TextDelta
from dure.messages import AssistantMessage, ToolCall, UserMessage
from dure.models.wire_names import wire_name
from dure.run import RunContext
from dure.usage import Usage

STOCK = ToolDefinition(name="재고", description="stock", parameters={"type": "object", "properties": {}})
WITH_STOCK = ASK.with_tools(STOCK)
TEXT = Script(text=("재고는 ", "열두 ", "개입니다 🚚."), usage=(Usage(fresh_input=20, output=5),))
CALL = Script(
    text=("잠시만요. ",),
    calls=(Call(id="call_a", name=wire_name("재고"), pieces=('{"sku":', '"가-1"', "}")),),
    finish="tool_calls",
)
PARALLEL = Script(
    calls=(
        Call(id="call_a", name="first", pieces=('{"n":', "1}")),
        Call(id="call_b", name="second", pieces=('{"n":', "2}")),
        Call(id="call_c", name="first", pieces=('{"n":', "3}")),
    ),
    finish="tool_calls",
)
CACHED = Usage(fresh_input=9, cache_read=17_102, output=40)


async def test_text_is_told_as_it_comes_and_is_whole_at_the_end(player: Wire | None) -> None:
    outcome = await played(player, TEXT)
    assert outcome.response.text == outcome.told_text == "재고는 열두 개입니다 🚚."
    assert len([event for event in outcome.events if isinstance(event, TextDelta)]) > 1
    assert outcome.response.finish_reason == "stop"
    assert outcome.response.message.tool_calls == ()


async def test_the_answer_says_which_model_gave_it(player: Wire | None) -> None:
    provider, colon, model = (await played(player, TEXT)).response.model.partition(":")
    assert (bool(provider), colon, bool(model)) == (True, ":", True)


async def test_one_call_costs_what_the_provider_says(player: Wire | None) -> None:
    assert (await played(player, TEXT)).response.usage == Usage(fresh_input=20, output=5, model_calls=1)


@pytest.mark.needs("thinking")
async def test_thinking_is_kept_apart_from_the_text(player: Wire | None) -> None:
    outcome = await played(player, replace(TEXT, thinking=("먼저 ", "창고를 본다.")))
    assert outcome.response.message.reasoning == outcome.told_thinking == "먼저 창고를 본다."
    assert outcome.response.text == outcome.told_text == "재고는 열두 개입니다 🚚."


async def test_a_call_that_comes_in_pieces_is_one_call_under_its_own_name(wire: Wire) -> None:
    outcome = await played(wire, CALL, request=WITH_STOCK)
    (call,) = outcome.response.message.tool_calls
    assert (call.name, call.arguments) == ("재고", '{"sku":"가-1"}')
    assert outcome.told_calls == {call.id: ("재고", '{"sku":"가-1"}')}
    assert outcome.response.text == "잠시만요. "
    assert outcome.response.finish_reason == "tool_calls"


async def test_parallel_calls_stay_apart_and_in_order(player: Wire | None) -> None:
    outcome = await played(player, PARALLEL)
    assert names_and_arguments(outcome.response) == [
        ("first", '{"n":1}'),
        ("second", '{"n":2}'),
        ("first", '{"n":3}'),
    ]
    ids = [call.id for call in outcome.response.message.tool_calls]
    assert len(set(ids)) == 3
    assert list(outcome.told_calls) == ids


@pytest.mark.needs("given ids")
async def test_the_provider_s_own_id_is_kept(wire: Wire) -> None:
    outcome = await played(wire, PARALLEL)
    assert [call.id for call in outcome.response.message.tool_calls] == ["call_a", "call_b", "call_c"]


@pytest.mark.needs("given ids")
async def test_an_id_is_unique_in_the_whole_history(wire: Wire) -> None:
    twice = replace(PARALLEL, calls=tuple(replace(call, id="same") for call in PARALLEL.calls))
    history = ASK.with_added(AssistantMessage(tool_calls=(ToolCall(id="same", name="first", arguments="{}"),)))
    ids = [call.id for call in (await played(wire, twice, request=history)).response.message.tool_calls]
    assert len({*ids, "same"}) == 4


async def test_a_tool_without_arguments_may_be_called_with_nothing(wire: Wire) -> None:
    script = replace(CALL, calls=(Call(id="call_a", name="now", pieces=("{}",)),))
    assert names_and_arguments((await played(wire, script)).response) == [("now", "{}")]


@pytest.mark.needs("snapshots")
async def test_the_last_usage_snapshot_is_the_truth_and_nothing_is_added_up(wire: Wire) -> None:
    snapshots = (Usage(fresh_input=10, output=1), Usage(fresh_input=10, output=2), Usage(fresh_input=10, output=9))
    outcome = await played(wire, replace(TEXT, usage=snapshots))
    assert outcome.response.usage == Usage(fresh_input=10, output=9, model_calls=1)


async def test_cached_tokens_are_not_counted_as_fresh_ones(player: Wire | None) -> None:
    if player is not None and "cache_read" not in player.counts:
        pytest.skip(f"{player.name} tells nothing of a cache")
    usage = (await played(player, replace(TEXT, usage=(CACHED,)))).response.usage
    assert usage == structs.replace(CACHED, model_calls=1)
    assert usage.input == 17_111


async def test_every_kind_of_token_is_told_apart(player: Wire | None) -> None:
    usage = Usage(fresh_input=100, cache_read=60, cache_write=30, cache_write_1h=10, output=50, reasoning=20)
    assert (await played(player, replace(TEXT, usage=(usage,)))).response.usage == visible(usage, player)


async def test_an_answer_cut_at_the_limit_says_so(player: Wire | None) -> None:
    outcome = await played(player, Script(text=("절반",), finish="length"))
    assert (outcome.response.finish_reason, outcome.response.text) == ("length", "절반")


async def test_an_answer_cut_before_its_first_word_is_cut_not_empty(wire: Wire) -> None:
    outcome = await played(wire, Script(finish="length"))
    assert (outcome.response.finish_reason, outcome.response.text) == ("length", "")


@pytest.mark.needs("calls in pieces")
async def test_a_call_cut_in_its_arguments_is_left_as_it_is(wire: Wire) -> None:
    call = Call(id="call_a", name="order", pieces=('{"sku":"A-1",', '"qty":1'))
    outcome = await played(wire, Script(calls=(call,), finish="length"))
    assert outcome.response.finish_reason == "length"
    assert names_and_arguments(outcome.response) == [("order", '{"sku":"A-1","qty":1')]


@pytest.mark.needs("content filter")
async def test_a_withheld_answer_says_so(wire: Wire) -> None:
    assert (await played(wire, Script(finish="content_filter"))).response.finish_reason == "content_filter"


async def test_an_answer_of_nothing_is_an_error_worth_another_try(wire: Wire) -> None:
    with pytest.raises(EmptyAnswer) as failure:
        await played(wire, Script(usage=(Usage(fresh_input=7, output=3),)))
    assert failure.value.retryable
    assert failure.value.usage == Usage(fresh_input=7, output=3, model_calls=1)


@pytest.mark.needs("thinking")
async def test_thinking_alone_is_no_answer(wire: Wire) -> None:
    with pytest.raises(EmptyAnswer, match="only thinking"):
        await played(wire, Script(thinking=("음",)))


@pytest.mark.parametrize("chunk", [1, 2, 3, 4, 5, 7, 64])
async def test_letters_survive_whatever_the_size_of_the_pieces(wire: Wire, chunk: int) -> None:
    script = replace(CALL, text=("한글과 ", "漢字와 🚚", "이 섞인 글"))
    outcome = await played(wire, script, request=WITH_STOCK, chunk=chunk)
    assert outcome.response.text == "한글과 漢字와 🚚이 섞인 글"
    assert names_and_arguments(outcome.response) == [("재고", '{"sku":"가-1"}')]


def same(one: Outcome, other: Outcome) -> bool:
    return structs.replace(one.response, model="") == structs.replace(other.response, model="")


@pytest.mark.parametrize("script", [TEXT, CALL, Script(text=("절",), finish="length")], ids=["text", "call", "cut"])
async def test_a_server_that_does_not_stream_gives_the_same_answer(wire: Wire, script: Script) -> None:
    whole = Reply(body=wire.whole(script), content_type="application/json")
    assert same(await over_wire(wire, whole, request=WITH_STOCK), await played(wire, script, request=WITH_STOCK))


@pytest.mark.parametrize("script", [TEXT, CALL], ids=["text", "call"])
async def test_nobody_listening_changes_nothing_of_the_answer(wire: Wire, script: Script) -> None:
    listened = await played(wire, script, request=WITH_STOCK)
    async with serving(streamed(wire, script)) as server:
        model = wire.open(server.address)
        alone = await model.chat(WITH_STOCK, RunContext())
        await model.close()
    assert alone == listened.response


async def test_call_and_stream_give_equal_text_and_usage(wire: Wire) -> None:
    async with serving(streamed(wire, TEXT)) as server:
        client = ChatClient(wire.open(server.address))
        called = await client.prompt("재고 알려줘").call()
        events = [event async for event in client.prompt("재고 알려줘").stream()]
        await client.model.close()
    assert events[-1] == Finished(text=called.text, usage=called.usage, finish_reason="stop")
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == called.text
    assert server.bodies[0] == server.bodies[1]


async def test_a_model_may_be_closed_twice_and_asked_again(wire: Wire) -> None:
    async with serving(streamed(wire, TEXT)) as server:
        model = wire.open(server.address)
        first = await model.chat(ASK, RunContext())
        await model.close()
        await model.close()
        assert await model.chat(ASK, RunContext()) == first
        await model.close()


async def test_one_model_answers_many_at_the_same_time(wire: Wire) -> None:
    async with serving(streamed(wire, TEXT, chunk=16)) as server:
        model = wire.open(server.address)
        requests = [ASK.with_messages(UserMessage(text=f"{number}번")) for number in range(8)]
        answers = await asyncio.gather(*(model.chat(request, RunContext()) for request in requests))
        await model.close()
    assert {answer.text for answer in answers} == {"재고는 열두 개입니다 🚚."}
