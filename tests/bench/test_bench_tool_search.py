"""What tool search must reach, on tools and queries written by hand; times are for `python -m bench.tool_search`."""

import pytest
from bench.tool_search import ranking, tokens
from bench.tool_search_data import Query, known_queries, other_tools, tool_set, tools, unseen_queries

from dure.chat import ToolDefinition
from dure.search.keyword import KeywordIndexBuilder
from dure.search.words import name_key, words_of
from dure.tools.search.entries import entry_of

TOLD = 4
"""So many words of a description one after the other are a quotation."""


def quotes(query: Query, tool: ToolDefinition) -> bool:
    if name_key(tool.name) in name_key(query.text):
        return True
    asked = [word.casefold() for word in words_of(query.text)]
    told = [word.casefold() for word in words_of(tool.description)]
    runs = {tuple(told[start : start + TOLD]) for start in range(len(told) - TOLD + 1)}
    return any(tuple(asked[start : start + TOLD]) in runs for start in range(len(asked) - TOLD + 1))


def test_the_sets_are_large_in_both_languages_and_no_query_is_there_twice() -> None:
    queries = known_queries() + unseen_queries()
    korean = sum(any("가" <= letter <= "힣" for letter in query.text) for query in queries)
    assert len(tools()) >= 100
    assert len(unseen_queries()) >= 100
    assert len(queries) * 0.4 < korean < len(queries) * 0.6
    assert len({query.text for query in queries}) == len(queries)
    assert {name for query in unseen_queries() for name in query.tools} == {tool.name for tool in tools()}


def test_few_queries_quote_the_name_or_the_description_of_a_tool_they_are_for() -> None:
    by_name = {tool.name: tool for tool in tools()}
    queries = known_queries() + unseen_queries()
    quoting = [query.text for query in queries if any(quotes(query, by_name[name]) for name in query.tools)]
    assert len(quoting) / len(queries) < 0.02, quoting


def test_other_tools_are_many_and_all_different() -> None:
    names = [tool.name for tool in tool_set(10_000)]
    assert len(set(names)) == 10_000
    assert not {tool.name for tool in tools()} & {tool.name for tool in other_tools()}
    with pytest.raises(ValueError, match="not 1000000"):
        tool_set(1_000_000)


async def test_the_right_tool_is_among_the_first_five() -> None:
    index = await KeywordIndexBuilder().build([entry_of(tool) for tool in tools()])
    known, unseen = await ranking(index, known_queries()), await ranking(index, unseen_queries())
    assert known.recall >= 0.95
    assert unseen.recall >= 0.94
    assert (await ranking(index, known_queries() + unseen_queries())).recall >= 0.97


@pytest.mark.parametrize(("size", "saved"), [(30, 0.64), (100, 0.85), (1000, 0.95)])
async def test_a_turn_with_search_takes_far_fewer_prompt_tokens(size: int, saved: float) -> None:
    spent = await tokens(size, (known_queries() + unseen_queries())[::5])
    assert spent.saved >= saved
