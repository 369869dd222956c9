"""Answers that broke other frameworks, played by a server: what an application makes of each."""

from typing import Any

import pytest
from field_faults import FAULTS, OPENAI, ask, file, says
from wire_play import played
from wire_port import Script
from wire_server import Reply, serving

from dure.client.chat_client import ChatClient
from dure.errors import OutputTruncated
from dure.tools.function import tool


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


async def test_thinking_that_ate_the_whole_limit_is_a_cut_answer_not_an_empty_one() -> None:
    response = (await played(OPENAI, Script(thinking=("음…",) * 3, finish="length"))).response
    assert (response.finish_reason, response.text) == ("length", "")
    assert response.message.reasoning == "음…음…음…"


async def test_an_unknown_tool_is_told_to_the_model_with_the_nearest_name() -> None:
    stock = Stock()
    told = await ask(file("14_unknown_tool.sse"), says("미안합니다"), tools=stock.tools)
    assert stock.calls == []
    result = told.received(1)[-1]
    assert result.result_of == "a"
    assert "chek_stock" in result.text
    assert "check_stock" in result.text


async def test_an_empty_answer_after_tools_leaves_the_results_in_place() -> None:
    told = await ask(file("01_no_index.sse"), file("12_empty_final.sse"), says("열두 개"), tools=Stock().tools)
    assert told.response.text == "열두 개"
    assert [said.role for said in told.received(2)] == ["user", "assistant", "tool", "user"]
    assert told.received(2)[:-1] == told.received(1)
