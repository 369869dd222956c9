"""Many tools by name: unique, found in any spelling, prefixed, filtered and joined."""

import logging
import unicodedata
from typing import Any

import pytest

from dure.errors import ConfigError, ToolNotFound
from dure.messages import ToolCall
from dure.run import RunContext
from dure.tools.base import Tool
from dure.tools.executor import execute
from dure.tools.function import tool
from dure.tools.renamed import RenamedTool
from dure.tools.schema_tool import tool_from_schema
from dure.tools.toolbox import Toolbox


def named(name: str, source: str = "", answer: str = "") -> Tool:
    async def run(arguments: object) -> str:
        return answer or name

    return tool_from_schema(name=name, description=f"About {name}.", parameters={}, run=run, source=source)


@tool
async def search(query: str) -> str:
    """Search."""
    return query


def names(box: Toolbox) -> list[str]:
    return [definition.name for definition in box.definitions]


def test_an_error_about_a_name_says_where_both_tools_come_from() -> None:
    with pytest.raises(ConfigError, match=r"'search' \(from .*test_toolboxes.search and from server 'ops'\).*prefix"):
        Toolbox((search, named("search", "server 'ops'")))
    with pytest.raises(ConfigError, match=r"and from dure.tools.schema_tool.SchemaTool"):
        Toolbox((search, named("search")))


def test_names_are_compared_in_composed_form() -> None:
    decomposed = unicodedata.normalize("NFD", "재고조회")
    box = Toolbox((named(decomposed),))
    assert box.get("재고조회") is box.get(decomposed)
    assert "재고조회" in box
    assert "재고" not in box
    with pytest.raises(ConfigError, match="'재고조회'"):
        box.with_added(named("재고조회"))


async def test_a_call_by_either_spelling_of_a_name_runs_the_tool() -> None:
    decomposed = unicodedata.normalize("NFD", "재고조회")
    call = ToolCall(id="c", name=decomposed, arguments="")
    (result,) = await execute([call], Toolbox((named("재고조회", answer="12"),)), RunContext())
    assert (result.text, result.name, result.is_error) == ("12", decomposed, False)


async def test_two_sources_with_the_same_name_are_both_callable_under_prefixes() -> None:
    ops = Toolbox((named("search", answer="ops found"), named("list"))).prefixed("ops_")
    knowledge = Toolbox((named("search", answer="knowledge found"),)).prefixed("knowledge_")
    box = ops.merged(knowledge)
    assert names(box) == ["ops_search", "ops_list", "knowledge_search"]
    calls = [ToolCall(id=name, name=name, arguments="{}") for name in ("knowledge_search", "ops_search")]
    assert [one.text for one in await execute(calls, box, RunContext())] == ["knowledge found", "ops found"]
    assert box.get("ops_search").definition.description == "About search."


def test_a_prefixed_tool_is_otherwise_the_same() -> None:
    @tool(return_direct=True, concurrent=False, timeout=3)
    async def stop() -> None:
        """Stop."""

    (renamed,) = Toolbox((stop,)).prefixed("a_").prefixed("b_")
    assert renamed.definition.name == "b_a_stop"
    assert renamed.definition.parameters == stop.definition.parameters
    assert (renamed.return_direct, renamed.concurrent, renamed.timeout) == (True, False, 3)
    with pytest.raises(ConfigError, match=r"test_toolboxes.test_a_prefixed_tool"):
        Toolbox((renamed, named("b_a_stop")))


def test_the_first_of_a_source_that_repeats_a_name_is_kept_with_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    first, second = named("search", answer="1"), named("search", "server 'ops'")
    with caplog.at_level(logging.WARNING):
        box = Toolbox.keeping_first([first, second, named("list")])
    assert (box.get("search"), names(box)) == (first, ["search", "list"])
    assert caplog.messages == ["a second tool 'search' from server 'ops' is left out"]


def test_tools_are_filtered_by_globs_and_by_a_predicate() -> None:
    box = Toolbox(tuple(named(name) for name in ("ops_list", "ops_delete", "재고_조회")))
    assert names(box.filtered("ops_*")) == ["ops_list", "ops_delete"]
    assert names(box.filtered("*_list", unicodedata.normalize("NFD", "재고*"))) == ["ops_list", "재고_조회"]
    assert names(box.filtered("ops_*", keep=lambda one: "delete" not in one.definition.name)) == ["ops_list"]
    assert names(box.filtered()) == names(box)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("chek_stock", "there is no tool 'chek_stock'; did you mean 'check_stock'? The tools are: check_stock, order"),
        ("재고", "there is no tool '재고'; the tools are: check_stock, order"),
        ("x" * 5000, f"there is no tool '{'x' * 80}…'; the tools are: check_stock, order"),
    ],
)
def test_an_unknown_name_is_answered_with_close_names_and_all_if_few(asked: str, message: str) -> None:
    with pytest.raises(ToolNotFound) as raised:
        Toolbox((named("check_stock"), named("order"))).get(asked)
    assert str(raised.value) == message


def test_of_very_many_tools_only_close_names_are_told() -> None:
    box = Toolbox((*(RenamedTool(inner=search, name=f"tool_{n}") for n in range(1500)), named("check_stock")))
    with pytest.raises(ToolNotFound) as raised:
        box.get("chek_stock")
    assert str(raised.value) == "there is no tool 'chek_stock'; did you mean 'check_stock'?"


@pytest.mark.parametrize("wrong", [len, "search", None])
def test_what_is_no_tool_is_refused_with_what_to_do(wrong: Any) -> None:  # noqa: ANN401 - what is tested
    with pytest.raises(ConfigError, match="is no tool; make one of it with @tool"):
        Toolbox((wrong,))


def test_a_tool_without_a_name_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"a tool from .*test_toolboxes.search has no name"):
        Toolbox((RenamedTool(inner=search, name=" "),))


def test_definitions_are_made_once() -> None:
    box = Toolbox((search,))
    assert box.definitions is box.definitions
    assert box.definitions == (search.definition,)
