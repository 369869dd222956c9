"""Answers that broke other frameworks, played by a server: what an application makes of each."""

import json
from decimal import Decimal

import pytest
from field_faults import ANTHROPIC, FAULTS, OPENAI, ask, file, lines, says
from wire_port import Said, Script, Wire
from wire_server import Reply, serving

from dure.advisors.fallback import FallbackAdvisor
from dure.advisors.retry import NUDGE
from dure.client.chat_client import ChatClient
from dure.errors import EmptyAnswer, RateLimited, ServerFailed
from dure.events import Finished, ReasoningDelta
from dure.messages import UserMessage
from dure.models.scripted import ScriptedModel
from dure.run import RunContext
from dure.tools.function import tool
from dure.usage import Usage


@pytest.mark.parametrize("name", ["10_multi_usage.sse", "11_zero_usage.sse"])
async def test_usage_is_the_last_snapshot(name: str) -> None:
    told = await ask(file(name))
    assert told.response.text == "안녕"
    assert told.response.usage == Usage(fresh_input=10, output=2, model_calls=1)
    assert isinstance(told.events[-1], Finished)
    assert told.events[-1].usage == told.response.usage


async def test_usage_of_several_requests_is_added_up_once() -> None:
    @tool
    def check_stock(sku: str) -> str:
        """Count."""
        return f"{sku}: 12"

    told = await ask(file("01_no_index.sse"), file("10_multi_usage.sse"), tools=(check_stock,))
    assert told.response.usage == Usage(fresh_input=10, output=2, model_calls=2)


async def test_cumulative_usage_of_a_messages_stream_is_not_added_up() -> None:
    told = await ask(lines("usage_cumulative.jsonl"), wire=ANTHROPIC)
    assert told.response.text == "열두 개입니다."
    assert told.response.usage == Usage(fresh_input=9, cache_read=17_102, output=40, model_calls=1)


def dollars(model: str, usage: Usage) -> Decimal:
    """3 dollars a million fresh, 0.30 read from the cache, 3.75 written to it, 15 out."""
    return (
        usage.fresh_input * Decimal(3)
        + usage.cache_read * Decimal("0.3")
        + usage.cache_write * Decimal("3.75")
        + usage.output * Decimal(15)
    ) / 1_000_000


@pytest.mark.parametrize("wire", [OPENAI, ANTHROPIC], ids=["17,111 of which 17,102 cached", "9 + 17,102"])
async def test_cached_tokens_cost_the_same_however_they_are_counted(wire: Wire) -> None:
    spent = Usage(fresh_input=9, cache_read=17_102, output=40)
    body = b"".join(wire.stream(Script(text=("열두 개",), usage=(spent,))))
    counted = b'"prompt_tokens": 17111' if wire is OPENAI else b'"input_tokens": 9,'
    assert counted in body
    async with serving(Reply(body=body)) as server:
        client = ChatClient(wire.open(server.address))
        response = await client.prompt("재고는?").run(RunContext(price=dollars)).call()
        await client.model.close()
    # by hand: 9 x 3 = 27, 17,102 x 0.3 = 5,130.6, 40 x 15 = 600: 5,757.6 millionths
    assert response.usage.cost == Decimal("0.0057576")
    assert response.usage.total == 17_151


async def test_an_empty_answer_is_nudged_and_then_named() -> None:
    told = await ask(file("12_empty_final.sse"), says("열두 개"))
    assert told.response.text == "열두 개"
    assert told.received(1) == (Said(role="user", text=f"재고는?\n\n{NUDGE}"),)
    with pytest.raises(EmptyAnswer, match="answered with nothing"):
        await ask(file("12_empty_final.sse"), max_retries=1)


async def test_an_error_inside_a_stream_is_tried_again_and_the_reader_is_told() -> None:
    told = await ask(file("13_error_in_stream.sse"), says("열두 ", "개"))
    assert told.response.text == "열두 개"
    assert told.texts == ["재고는 ", "열두 개"]
    assert told.waits == [0.5]


async def test_an_error_inside_a_stream_that_stays_is_named() -> None:
    with pytest.raises(ServerFailed, match="The engine is overloaded"):
        await ask(file("13_error_in_stream.sse"), max_retries=1)


async def test_a_stream_that_ends_by_an_error_is_no_answer() -> None:
    body = b"".join(OPENAI.stream(Script(text=("열두",)))).replace(
        b'"finish_reason": "stop"', b'"finish_reason": "error"'
    )
    with pytest.raises(ServerFailed, match="failed while it answered"):
        await ask(Reply(body=body), max_retries=0)


async def test_a_rate_limit_inside_a_stream_is_one() -> None:
    body = (FAULTS / "sse/13_error_in_stream.sse").read_bytes().replace(b'"server_error"', b'"rate_limit_error"')
    with pytest.raises(RateLimited):
        await ask(Reply(body=body), max_retries=0)


def busy(seconds: str) -> Reply:
    body = OPENAI.error_body("slow down")
    return Reply(body=body, status=429, content_type="application/json", headers={"Retry-After": seconds})


async def test_a_short_wait_is_waited_and_a_long_one_goes_to_the_fallback() -> None:
    assert (await ask(busy("2"), says("열두 개"))).waits == [2.0]
    async with serving(busy("3600")) as server:
        other = ScriptedModel("다른 곳에서 열두 개")
        client = ChatClient(OPENAI.open(server.address), advisors=(FallbackAdvisor(models=(other,)),))
        assert await client.prompt("재고는?").text() == "다른 곳에서 열두 개"
        await client.model.close()
    assert len(server.bodies) == 1


async def test_a_closing_tag_alone_ends_thinking_that_was_never_opened() -> None:
    told = await ask(file("15_orphan_think.sse"))
    assert told.response.text == "열두 개입니다."
    assert told.response.message.reasoning == "고객이 재고를 묻는다.\n"
    assert told.texts[-1] == "열두 개입니다."
    assert "".join(event.text for event in told.events if isinstance(event, ReasoningDelta)) == (
        "고객이 재고를 묻는다.\n"
    )


async def test_a_tag_in_the_first_piece_leaves_nothing_to_take_back() -> None:
    told = await ask(says("</think>", "열두 개"))
    assert told.texts == ["열두 개"]


async def test_thinking_between_tags_never_reaches_the_screen() -> None:
    told = await ask(says("<th", "ink>창고를 ", "본다.</thi", "nk>\n\n", "열두 개"))
    assert told.texts == ["열두 개"]
    assert (told.response.text, told.response.message.reasoning) == ("열두 개", "창고를 본다.")


async def test_thinking_between_tags_alone_is_no_answer() -> None:
    with pytest.raises(EmptyAnswer, match="only thinking"):
        await ask(says("<think>창고를 본다."), max_retries=0)


async def test_thinking_left_in_the_text_does_not_go_back_to_the_model() -> None:
    async with serving(file("15_orphan_think.sse"), says("네")) as server:
        client = ChatClient(OPENAI.open(server.address))
        first = await client.prompt("재고는?").call()
        await client.prompt("확실해?").messages(UserMessage(text="재고는?"), first.message).call()
        await client.model.close()
    assert "묻는다" not in json.loads(server.bodies[1])["messages"][1]["content"]
