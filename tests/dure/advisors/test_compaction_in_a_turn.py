"""Long turns: old tool results that give way inside the loop."""

from collections.abc import Callable
from typing import Any

import pytest

from dure.advisors.memory import MemoryAdvisor
from dure.advisors.protection import Protection
from dure.advisors.result_trimming import ResultTrimmingAdvisor
from dure.advisors.retry import RetryAdvisor
from dure.chat import ChatResponse
from dure.client.chat_client import ChatClient
from dure.client.prompt_spec import PromptSpec
from dure.errors import ConfigError, ContextTooLong
from dure.memory.in_process import InProcessMemory
from dure.messages import AssistantMessage, ToolCall, ToolMessage
from dure.models.base import ModelCapabilities
from dure.models.scripted import ScriptedModel
from dure.observability.compaction import is_compacted
from dure.run import RunContext
from dure.tools.function import tool
from dure.usage import Usage

SIZE = 1_320
"""Characters of one result: 400 tokens as estimated."""


@tool
async def look(place: str) -> str:
    """Look somewhere."""
    return place[0] * SIZE


def looking(*places: str, used: int = 0) -> ChatResponse:
    calls = tuple(ToolCall(id=place, name="look", arguments=f'{{"place": "{place}"}}') for place in places)
    usage = Usage(fresh_input=used, model_calls=1)
    return ChatResponse(message=AssistantMessage(tool_calls=calls), finish_reason="tool_calls", usage=usage)


def going(model: ScriptedModel, **settings: Any) -> PromptSpec:  # noqa: ANN401 - of the advisor
    advisors = (ResultTrimmingAdvisor(**settings), RetryAdvisor(max_retries=0))
    return ChatClient(model, advisors=advisors, tools=(look,)).prompt("go").run(RunContext(conversation_id="a"))


def shown(model: ScriptedModel, call: int) -> dict[str, str]:
    """What a request of the model holds of each result: its first 20 characters."""
    messages = (message for message in model.requests[call].messages if isinstance(message, ToolMessage))
    return {result.call_id: result.text[:20] for message in messages for result in message.results}


def small(*turns: Any) -> ScriptedModel:  # noqa: ANN401 - whatever a scripted model plays
    return ScriptedModel(*turns, capabilities=ModelCapabilities(context_window=2_000))


WHOLE: Callable[[str], str] = lambda place: place[0] * 20  # noqa: E731 - a table of one rule
GONE = "[removed to save roo"


async def test_the_oldest_large_results_give_way_and_stay_away_for_the_run() -> None:
    model = small(looking("a"), looking("b"), looking("c"), looking("d"), looking("e"), "done")
    assert await going(model).text() == "done"
    assert shown(model, 3) == {"a": WHOLE("a"), "b": WHOLE("b"), "c": WHOLE("c")}
    assert shown(model, 4) == {"a": GONE, "b": GONE, "c": GONE, "d": WHOLE("d")}
    assert shown(model, 5) == {"a": GONE, "b": GONE, "c": GONE, "d": WHOLE("d"), "e": WHOLE("e")}
    first, second = (next(m for m in model.requests[n].messages if isinstance(m, ToolMessage)) for n in (4, 5))
    assert first is second, "its encoded bytes are kept"


async def test_no_more_goes_than_the_target_asks_for() -> None:
    model = small(looking("a"), looking("b"), looking("c"), looking("d"), "done")
    await going(model, target=0.7).text()
    assert shown(model, 4) == {"a": GONE, "b": WHOLE("b"), "c": WHOLE("c"), "d": WHOLE("d")}


async def test_a_mark_names_the_call_and_the_size() -> None:
    model = small(looking("a"), looking("b" * 300), looking("c"), looking("d"), "done")
    await going(model).text()
    first, second, *_ = (m.results[0] for m in model.requests[4].messages if isinstance(m, ToolMessage))
    assert first.call_id == "a"
    assert first.text == '[removed to save room: 1,320 characters that look({"place": "a"}) gave]'
    assert second.text == f'[removed to save room: 1,320 characters that look({{"place": "{"b" * 189} …) gave]'


async def test_memory_keeps_what_a_request_left_out() -> None:
    memory = InProcessMemory()
    model = small(looking("a"), looking("b"), looking("c"), looking("d"), "done")
    await going(model).advisors(MemoryAdvisor(memory=memory, keep="everything")).text()
    assert shown(model, 4)["a"] == GONE
    stored = [m.results[0].text for m in await memory.load("a") if isinstance(m, ToolMessage)]
    assert stored == ["a" * SIZE, "b" * SIZE, "c" * SIZE, "d" * SIZE]


async def test_what_is_protected_or_small_or_of_the_newest_round_stays() -> None:
    model = small(looking("a"), looking("b"), looking("c", "d", "e"), "done")
    await going(model, protection=Protection(text=lambda text: text.startswith("a"))).text()
    assert shown(model, 3) == {"a": WHOLE("a"), "b": GONE, "c": WHOLE("c"), "d": WHOLE("d"), "e": WHOLE("e")}
    model = small(looking("a"), looking("b"), looking("c", "d", "e"), "done")
    await going(model, smallest=500).text()
    assert GONE not in shown(model, 3).values()


async def test_the_last_call_of_a_list_that_is_written_anew_stays() -> None:
    model = small(looking("a"), looking("b"), looking("c", "d", "e"), "done")
    await going(model, protection=Protection(latest=frozenset(("look",)), tools=frozenset())).text()
    assert shown(model, 3) == {"a": GONE, "b": GONE, "c": WHOLE("c"), "d": WHOLE("d"), "e": WHOLE("e")}


async def test_what_the_provider_counted_goes_before_the_estimate() -> None:
    model = small(looking("a", used=100), looking("b", used=1_200), looking("c"), "done")
    await going(model).text()
    assert shown(model, 2) == {"a": GONE, "b": WHOLE("b")}


async def test_without_a_window_only_a_provider_that_says_too_long_makes_results_give_way() -> None:
    run = RunContext(conversation_id="a")
    model = ScriptedModel(
        looking("a"), looking("b"), looking("c"), looking("d"), looking("e"), ContextTooLong("too long"), "done"
    )
    assert await going(model).run(run).text() == "done"
    assert shown(model, 5) == {place: WHOLE(place) for place in "abcde"}
    assert shown(model, 6) == {"a": GONE, "b": GONE, "c": GONE, "d": GONE, "e": WHOLE("e")}
    assert is_compacted(run)


async def test_too_long_stands_when_there_is_nothing_left_to_leave_out() -> None:
    with pytest.raises(ContextTooLong):
        await going(ScriptedModel(looking("a"), ContextTooLong("too long"))).text()


@pytest.mark.parametrize("settings", [{"threshold": 1.1}, {"target": 0.9}, {"context_window": 0}, {"smallest": 0}])
def test_settings_without_sense_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="result trimming"):
        ResultTrimmingAdvisor(**settings)
