"""Answers that broke other frameworks, played by a server: what an application makes of each."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from anthropic_wire import AnthropicWire
from openai_wire import OpenAIWire
from wire_port import Said, Script, Wire
from wire_server import Reply, serving

from dure.advisors.fallback import FallbackAdvisor
from dure.advisors.retry import NUDGE, RetryAdvisor
from dure.chat import ChatResponse
from dure.client.chat_client import ChatClient
from dure.errors import EmptyAnswer, OutputTruncated, RateLimited, ServerFailed
from dure.events import Event, Finished, ReasoningDelta, Restarted, TextDelta
from dure.messages import UserMessage
from dure.models.scripted import ScriptedModel
from dure.run import RunContext
from dure.tools.function import FunctionTool, tool
from dure.usage import Usage

FAULTS = Path(__file__).parents[2] / "data/faults"
OPENAI, ANTHROPIC = OpenAIWire(), AnthropicWire()


def file(name: str) -> Reply:
    return Reply(body=(FAULTS / "sse" / name).read_bytes())


def says(*text: str, wire: Wire = OPENAI) -> Reply:
    return Reply(body=b"".join(wire.stream(Script(text=text))))


def lines(name: str) -> Reply:
    events = (FAULTS / "anthropic" / name).read_text(encoding="utf-8").splitlines()
    return Reply(body="".join(f"data: {event}\n\n" for event in events).encode())


@dataclass(frozen=True, kw_only=True)
class Told:
    response: ChatResponse
    bodies: Sequence[bytes]
    events: Sequence[Event]
    waits: Sequence[float]

    @property
    def texts(self) -> list[str]:
        """The text as it stood on a screen: emptied at every restart."""
        shown = [""]
        for event in self.events:
            if isinstance(event, TextDelta):
                shown[-1] += event.text
            elif isinstance(event, Restarted):
                shown.append("")
        return shown

    def received(self, number: int) -> tuple[Said, ...]:
        """The messages of a request."""
        return OPENAI.received(self.bodies[number]).messages


async def ask(*replies: Reply, tools: Sequence[FunctionTool] = (), wire: Wire = OPENAI, **retry: Any) -> Told:  # noqa: ANN401 passed on
    waits: list[float] = []
    events: list[Event] = []

    async def wait(seconds: float) -> None:
        waits.append(seconds)

    async with serving(*replies) as server:
        model = wire.open(server.address)
        advisor = RetryAdvisor(sleep=wait, chance=lambda: 0.0, **retry)
        client = ChatClient(model, tools=tuple(tools), advisors=(advisor,))
        try:
            response = await client.prompt("재고는?").run(RunContext(sink=events.append)).call()
        finally:
            await model.close()
        return Told(response=response, bodies=server.bodies, events=events, waits=waits)


class Stock:
    """Tools that keep what they were called with."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, object]] = []

        @tool
        def check_stock(sku: str) -> str:
            """Count."""
            self.calls.append(("check_stock", sku))
            return f"{sku}: 12"

        @tool
        def now() -> str:
            """Tell the time."""
            self.calls.append(("now", None))
            return "12시"

        @tool
        def place_purchase_order(sku: str, qty: int) -> str:
            """Order."""
            self.calls.append(("place_purchase_order", (sku, qty)))
            return "주문했습니다"

        @tool
        def tag_items(tag_ids: list[int]) -> str:
            """Tag."""
            self.calls.append(("tag_items", tag_ids))
            return "달았습니다"

        self.tools = (check_stock, now, place_purchase_order, tag_items)


@pytest.mark.parametrize(
    ("name", "calls"),
    [
        ("01_no_index.sse", [("check_stock", "A-1")]),
        ("02_same_index_two_ids.sse", [("check_stock", "A-1"), ("check_stock", "B-2")]),
        ("03_index_twice.sse", [("check_stock", "A-1")]),
        ("04_first_index_one.sse", [("now", None)]),
        ("05_no_ids.sse", [("check_stock", "A"), ("check_stock", "B")]),
        ("06_empty_args.sse", [("now", None)]),
    ],
)
async def test_calls_are_joined_whatever_their_indexes_and_ids(name: str, calls: list[tuple[str, object]]) -> None:
    stock = Stock()
    told = await ask(file(name), says("열두 개"), tools=stock.tools)
    assert stock.calls == calls
    assert told.response.text == "열두 개"
    _, answer, *results = told.received(1)
    assert [call_id for call_id, _, _ in answer.calls] == [said.result_of for said in results]
    assert len({said.result_of for said in results}) == len(calls)


async def test_calls_without_ids_get_ids_that_are_unique_in_the_whole_history() -> None:
    stock = Stock()
    told = await ask(file("05_no_ids.sse"), file("05_no_ids.sse"), says("둘 다"), tools=stock.tools)
    ids = [said.result_of for said in told.received(2) if said.role == "tool"]
    assert len(set(ids)) == 4
    paired = {call_id: arguments["sku"] for said in told.received(2) for call_id, _, arguments in said.calls}
    assert [said.text for said in told.received(2) if said.role == "tool"] == [f"{paired[one]}: 12" for one in ids]


async def test_ids_that_are_the_tool_s_name_are_two_calls() -> None:
    first = (FAULTS / "sse/05_no_ids.sse").read_text(encoding="utf-8")
    named = first.replace('"type": "function"', '"id": "check_stock", "type": "function"')
    stock = Stock()
    told = await ask(Reply(body=named.encode()), says("열두 개"), tools=stock.tools)
    assert stock.calls == [("check_stock", "A"), ("check_stock", "B")]
    assert len({said.result_of for said in told.received(1) if said.role == "tool"}) == 2


async def test_empty_arguments_of_a_tool_that_needs_some_are_told_to_the_model() -> None:
    body = (FAULTS / "sse/06_empty_args.sse").read_bytes().replace(b'"name": "now"', b'"name": "check_stock"')
    stock = Stock()
    told = await ask(Reply(body=body), says("다시"), tools=stock.tools)
    assert stock.calls == []
    result = told.received(1)[-1].text
    assert "did not run" in result
    assert '"required":["sku"]' in result


async def test_broken_arguments_run_nothing_and_leave_the_other_call_alone() -> None:
    stock = Stock()
    told = await ask(file("07_broken_args.sse"), says("열두 개"), tools=stock.tools)
    assert stock.calls == [("check_stock", "A-1")]
    _, answer, broken, sound = told.received(1)
    assert "tag_items did not run: the arguments are not JSON" in broken.text
    assert '"tag_ids"' in broken.text
    assert (broken.result_of, sound.result_of, sound.text) == ("a", "b", "A-1: 12")
    assert answer.calls[0] == ("a", "tag_items", {"invalid_json": '{"{"tagIds":[1,2]}'})


async def test_a_call_cut_in_its_arguments_never_runs() -> None:
    stock = Stock()
    with pytest.raises(OutputTruncated, match="cut at the token limit"):
        await ask(file("08_length_in_args.sse"), tools=stock.tools)
    assert stock.calls == []


async def test_json_cut_at_the_limit_is_named_as_cut_and_never_parsed_or_sent_back() -> None:
    async with serving(file("09_length_in_json.sse")) as server:
        client = ChatClient(OPENAI.open(server.address))
        with pytest.raises(OutputTruncated) as raised:
            await client.prompt("재고는?").entity(dict[str, Any])
        await client.model.close()
    assert raised.value.raw_text == '{"items":[{"sku":"A-1","qty":1'
    assert [OPENAI.received(body).options.get("max_tokens") for body in server.bodies] == [None, 32]
    assert not any(b"A-1" in body for body in server.bodies)


async def test_thinking_that_ate_the_whole_limit_is_a_cut_answer() -> None:
    cut = Reply(body=b"".join(OPENAI.stream(Script(thinking=("음…",) * 3, finish="length"))))
    told = await ask(cut)
    assert (told.response.finish_reason, told.response.text, told.response.message.reasoning) == (
        "length",
        "",
        "음…음…음…",
    )


@pytest.mark.parametrize("name", ["10_multi_usage.sse", "11_zero_usage.sse"])
async def test_usage_is_the_last_snapshot(name: str) -> None:
    told = await ask(file(name))
    assert told.response.text == "안녕"
    assert told.response.usage == Usage(fresh_input=10, output=2, model_calls=1)
    assert isinstance(told.events[-1], Finished)
    assert told.events[-1].usage == told.response.usage


async def test_usage_of_several_requests_is_added_up_once() -> None:
    told = await ask(file("01_no_index.sse"), file("10_multi_usage.sse"), tools=Stock().tools)
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


async def test_an_empty_answer_after_tools_leaves_the_results_in_place() -> None:
    told = await ask(file("01_no_index.sse"), file("12_empty_final.sse"), says("열두 개"), tools=Stock().tools)
    assert told.response.text == "열두 개"
    assert [said.role for said in told.received(2)] == ["user", "assistant", "tool", "user"]
    assert told.received(2)[:-1] == told.received(1)


async def test_an_error_inside_a_stream_is_tried_again_and_the_reader_is_told() -> None:
    told = await ask(file("13_error_in_stream.sse"), says("열두 ", "개"))
    assert told.response.text == "열두 개"
    assert told.texts == ["재고는 ", "열두 개"]
    assert told.waits == [0.5]


async def test_an_error_inside_a_stream_that_stays_is_named() -> None:
    with pytest.raises(ServerFailed, match="The engine is overloaded"):
        await ask(file("13_error_in_stream.sse"), max_retries=1)


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


async def test_an_unknown_tool_is_told_to_the_model_with_the_nearest_name() -> None:
    stock = Stock()
    told = await ask(file("14_unknown_tool.sse"), says("미안합니다"), tools=stock.tools)
    assert stock.calls == []
    result = told.received(1)[-1]
    assert result.result_of == "a"
    assert "chek_stock" in result.text
    assert "check_stock" in result.text


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
