"""The tool that searches: what it takes from a model, and whose search it is."""

import asyncio

import pytest

from dure.errors import InvalidArguments, ToolFailed
from dure.messages import Json, ToolCall
from dure.run import RunContext
from dure.tools.base import ToolContext
from dure.tools.search.search_tool import SearchTool


class Loop:
    """Answers with its name."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def search(self, query: str, limit: int) -> str:
        return f"{self.name}: {query} {limit}"


@pytest.mark.parametrize(
    ("arguments", "limit"),
    [
        ({"query": "x"}, 3),
        ({"query": "x", "limit": None}, 3),
        ({"query": "x", "limit": 7}, 7),
        ({"query": "x", "limit": "7"}, 7),
        ({"query": "x", "limit": 7.0}, 7),
        ({"query": "x", "limit": 99}, 10),
        ({"query": "x", "limit": 0}, 1),
        ({"query": "x", "limit": float("inf")}, 10),
        ({"query": "  x ", "limit": 10**30, "categoryFilter": "y"}, 10),
    ],
)
def test_the_models_limit_beats_the_default_and_is_brought_within_bounds(arguments: Json, limit: int) -> None:
    assert SearchTool("en", 3).accept(arguments) == {"query": "x", "limit": limit}


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"query": ""},
        {"query": " \n"},
        {"query": 7},
        {"query": None},
        {"query": ["x"]},
        {"query": "x", "limit": "many"},
        {"query": "x", "limit": True},
        {"query": "x", "limit": [1]},
        {"query": "x", "limit": float("nan")},
    ],
)
def test_arguments_that_say_nothing_are_refused(arguments: Json) -> None:
    with pytest.raises(InvalidArguments):
        SearchTool("en", 3).accept(arguments)


def test_an_endless_query_is_cut() -> None:
    accepted = SearchTool("en", 3).accept({"query": "x" * 9999})
    assert accepted["query"] == "x" * 1000


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_model_is_told_the_real_parameters_in_its_language(language: str) -> None:
    tool = SearchTool("ko" if language == "ko" else "en", 5)
    assert tool.definition.name == "search_tools"
    assert list(tool.definition.parameters["properties"]) == ["query", "limit"]
    assert tool.definition.parameters["properties"]["limit"]["default"] == 5
    assert tool.definition.parameters["required"] == ["query"]
    assert ("툴" in tool.definition.description) == (language == "ko")


async def test_two_loops_of_one_run_search_at_the_same_time_each_for_itself() -> None:
    tool, run = SearchTool("en", 5), RunContext()
    for number in range(4):
        tool.expect(f"call_{number}", Loop(f"loop {number % 2}"), run)
    contexts = [
        ToolContext(call=ToolCall(id=f"call_{number}", name="search_tools", arguments=""), run=run)
        for number in range(4)
    ]
    async with asyncio.timeout(10):
        answers = await asyncio.gather(*(tool.run({"query": "x", "limit": 2}, one) for one in contexts))
    assert answers == ["loop 0: x 2", "loop 1: x 2", "loop 0: x 2", "loop 1: x 2"]


async def test_a_search_that_no_loop_asked_for_fails() -> None:
    context = ToolContext(call=ToolCall(id="1", name="search_tools", arguments=""))
    with pytest.raises(ToolFailed, match="only be searched from a tool loop"):
        await SearchTool("en", 5).run({"query": "x", "limit": 2}, context)
