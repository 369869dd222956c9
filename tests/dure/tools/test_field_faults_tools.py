"""What broke tools elsewhere, as data: each input with the right outcome, seen by the model that asks."""

import asyncio
import json
import logging
import re
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from dure.advisors.tool_calling import ToolCallingAdvisor
from dure.approval import ApprovalRequest, Decision
from dure.chat import ChatResponse
from dure.client.chat_client import ChatClient
from dure.errors import ConfigError, InvalidArguments
from dure.messages import AssistantMessage, Json, ToolCall, ToolMessage, ToolResult
from dure.models.scripted import ScriptedModel
from dure.models.wire_names import WireNames
from dure.tools.approval_gate import ApprovalInterceptor
from dure.tools.base import Tool
from dure.tools.function import tool
from dure.tools.schema_tool import tool_from_schema
from dure.tools.toolbox import Toolbox

FAULTS = Path(__file__).parents[2] / "data" / "faults"


def data(name: str) -> Any:  # noqa: ANN401 - JSON
    return json.loads((FAULTS / name).read_text(encoding="utf-8"))


def asking(*calls: tuple[str, str]) -> ChatResponse:
    wishes = tuple(ToolCall(id=f"c{n}", name=name, arguments=text) for n, (name, text) in enumerate(calls))
    return ChatResponse(message=AssistantMessage(tool_calls=wishes), finish_reason="tool_calls")


async def results_of(box: Toolbox, *calls: tuple[str, str]) -> tuple[ToolResult, ...]:
    """What the model is told of these calls, in the order it is told."""
    model = ScriptedModel(asking(*calls), "done")
    async with asyncio.timeout(10):
        await ChatClient(model, advisors=(ToolCallingAdvisor(toolbox=box),)).prompt("go").call()
    told = model.requests[-1].messages[-1]
    assert isinstance(told, ToolMessage)
    return told.results


def named(name: str, parameters: Mapping[str, Json] | None = None, answer: str = "ran", source: str = "") -> Tool:
    async def run(arguments: Mapping[str, Json]) -> str:
        return answer

    return tool_from_schema(name=name, description=f"About {name}.", parameters=parameters, run=run, source=source)


@tool
async def tag(tagIds: list[int]) -> str:  # noqa: N803 - as the fault has it
    """Tag."""
    return f"tagged {tagIds}"


@tool
async def ping() -> str:
    """Ping."""
    return "pong"


class Asked:
    def __init__(self) -> None:
        self.requests: list[ApprovalRequest] = []

    async def decide(self, request: ApprovalRequest) -> Decision:
        self.requests.append(request)
        return Decision(verdict="approve", digest=request.digest)


async def test_b03_broken_arguments_run_nothing_ask_nobody_and_leave_siblings_alone() -> None:
    asked = Asked()
    box = Toolbox((tag, ping)).intercepted(ApprovalInterceptor(approver=asked))
    calls = [("tag", ""), ("tag", '{"{"tagIds":[1,2]}'), ("ping", ""), ("tag", '{"tagIds": [3]}')]
    results = await results_of(box, *calls)
    assert [one.is_error for one in results] == [True, True, False, False]
    assert results[0].text.startswith("tag did not run: no arguments were given. Its arguments have this schema: {")
    assert "tag did not run: the arguments are not JSON ($: not valid JSON" in results[1].text
    assert '"required":["tagIds"]' in results[1].text
    assert [one.text for one in results[2:]] == ["pong", "tagged [3]"]
    assert [request.tool for request in asked.requests] == ["ping", "tag"]


async def test_b03_the_same_broken_call_again_and_again_ends_the_loop() -> None:
    model = ScriptedModel(*[asking(("tag", '{"{"tagIds":[1,2]}'))] * 4)
    response = await ChatClient(model, tools=(tag,)).prompt("go").call()
    assert response.finish_reason == "limit"
    assert "'tag' was called with the same arguments more than 3 times" in response.text


async def test_b05_every_call_of_a_round_is_answered_once_in_order_also_beside_failures() -> None:
    @tool
    async def explode() -> None:
        """Fail without a word."""
        raise RuntimeError

    @tool
    async def give_up() -> None:
        """Cancelled from inside."""
        raise asyncio.CancelledError

    @tool
    async def check_stock() -> str:
        """Stock."""
        return "12"

    names = ["check_stock", "explode", "chek_stock", "give_up", "check_stock"]
    results = await results_of(Toolbox((check_stock, explode, give_up)), *((name, "{}") for name in names))
    assert [(one.call_id, one.name, one.text, one.is_error) for one in results] == [
        ("c0", "check_stock", "12", False),
        ("c1", "explode", "explode failed: RuntimeError", True),
        (
            "c2",
            "chek_stock",
            "there is no tool 'chek_stock'; did you mean 'check_stock'? The tools are: check_stock, explode, give_up",
            True,
        ),
        ("c3", "give_up", "give_up was cancelled before it had a result", True),
        ("c4", "check_stock", "12", False),
    ]


async def test_b06_names_of_any_kind_are_called_by_wire_names_that_are_valid_and_distinct() -> None:
    originals: list[str] = data("schema/tool_names.json")
    box = Toolbox(tuple(named(name, answer=f"ran {name}") for name in originals))
    wires = WireNames(definition.name for definition in box.definitions)
    sent = [wires.to_wire(name) for name in originals]
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) for name in sent)
    assert len(set(sent)) == len(originals)
    assert sent == [WireNames(reversed(originals)).to_wire(name) for name in originals]
    results = await results_of(box, *((wires.to_name(wire), "{}") for wire in sent))
    assert [one.text for one in results] == [f"ran {name}" for name in originals]


async def test_b07_the_same_name_on_two_servers_is_callable_on_both(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        ops = Toolbox.keeping_first([named("search", answer="ops"), named("search", source="server 'ops'")])
    assert caplog.messages == ["a second tool 'search' from server 'ops' is left out"]
    knowledge = Toolbox((named("search", answer="knowledge"),))
    with pytest.raises(ConfigError, match="'search'"):
        ops.merged(knowledge)
    box = ops.prefixed("ops.").merged(knowledge.prefixed("knowledge."))
    results = await results_of(box, ("knowledge.search", ""), ("ops.search", ""))
    assert [one.text for one in results] == ["knowledge", "ops"]


def test_b07_names_that_become_one_on_the_wire_stay_two() -> None:
    wires = WireNames(["ops.search", "ops_search", "ops/search"])
    assert len({wires.to_wire(name) for name in ("ops.search", "ops_search", "ops/search")}) == 3


async def test_b12_a_recursive_schema_is_kept_and_checked_at_every_depth() -> None:
    schema = data("schema/recursive.json")
    box = Toolbox((named("grow", schema),))
    assert box.definitions[0].parameters == schema
    fine, wrong = '{"root":{"name":"a","children":[{"name":"b"}]}}', '{"root":{"name":"a","children":[{}]}}'
    results = await results_of(box, ("grow", fine), ("grow", wrong))
    assert [one.is_error for one in results] == [False, True]
    assert "$.root.children[0]: 'name' is a required property" in results[1].text


async def test_b12_definitions_of_one_name_mean_something_else_in_each_tool() -> None:
    tools = tuple(named(one["name"], one["parameters"]) for one in data("schema/defs_two_tools.json"))
    ticket, stock = '{"item":{"title":"down"}}', '{"item":{"sku":"A-1","quantity":2}}'
    calls = [("open_ticket", ticket), ("order_stock", stock), ("open_ticket", stock), ("order_stock", ticket)]
    results = await results_of(Toolbox(tools), *calls)
    assert [one.is_error for one in results] == [False, False, True, True]


def test_b12_a_reference_out_of_the_schema_refuses_the_tool_without_fetching_it() -> None:
    with pytest.raises(ConfigError, match=r"tool 'find': .*customer.json.* is outside the schema; nothing is fetched"):
        named("find", data("schema/remote_ref.json"))


def test_b13_null_is_one_of_the_values_of_a_nullable_enum() -> None:
    made = named("set_status", data("schema/nullable_enum.json"))
    assert made.definition.parameters["properties"]["status"]["enum"] == ["open", "closed", None]
    for fine in ({"status": None}, {"status": "open", "due": "2026-03-01", "n": None}):
        assert made.accept(fine) == fine
    for wrong in ({}, {"status": "gone"}, {"status": None, "due": "2026-13-01"}, {"status": None, "n": "1"}):
        with pytest.raises(InvalidArguments):
            made.accept(wrong)


async def test_b21_korean_reaches_the_model_as_it_is_read(caplog: pytest.LogCaptureFixture) -> None:
    structured = data("output/korean_result.json")["structuredContent"]

    @tool
    async def stock(상품: str) -> object:  # noqa: N803 - what is tested
        """재고를 본다."""
        return structured if 상품 == "노트북" else 1 / 0

    with caplog.at_level(logging.INFO):
        box = Toolbox((stock,)).intercepted(ApprovalInterceptor(approver=Asked()))
        found, wrong = await results_of(box, ("stock", '{"상품":"\\ub178트북"}'), ("stock", '{"상풍":"노트북"}'))
    assert found.text == '{"제품":"노트북","재고":12}'
    assert '"properties":{"상품":{"type":"string"}}' in wrong.text
    assert "\\u" not in found.text + wrong.text + caplog.text


@pytest.mark.parametrize("text", ["x" * 5_000_000, "행 하나\n" * 100_000], ids=["one line", "rows"])
async def test_b22_a_huge_result_reaches_the_model_as_head_and_tail(text: str) -> None:
    (result,) = await results_of(Toolbox((named("dump", answer=text + "끝"),)), ("dump", ""))
    assert len(result.text) <= 30_000
    assert result.text.startswith(text[:19_000])
    assert result.text.endswith(text[-9_000:] + "끝")
    assert f"of {len(text) + 1:,} characters left out; read on with read_tool_output(output_id='" in result.text


async def test_b29_a_name_typed_in_letters_finds_its_tool() -> None:
    typed = unicodedata.normalize("NFD", "재고_조회")
    (result,) = await results_of(Toolbox((named("재고_조회"),)), (typed, ""))
    assert (result.text, result.is_error) == ("ran", False)
