"""The searching tool loop: what the model sees each round, and what runs."""

import asyncio
import json
from itertools import pairwise

import pytest

from dure.advisors.chain import AdvisorChain
from dure.advisors.tool_calling import ToolCallingAdvisor
from dure.advisors.tool_search import ToolSearchAdvisor, auto_tool_advisor
from dure.chat import ChatRequest, ChatResponse
from dure.errors import ConfigError
from dure.events import Event, ToolsFound
from dure.messages import AssistantMessage, SystemMessage, ToolCall, ToolMessage, ToolResult, UserMessage
from dure.models.scripted import ScriptedModel
from dure.run import RunContext
from dure.tools.base import Tool
from dure.tools.function import tool
from dure.tools.search import ToolSearch
from dure.tools.toolbox import Toolbox

REQUEST = ChatRequest(messages=(SystemMessage(text="You help."), UserMessage(text="cancel my order")))


def made(name: str, description: str) -> Tool:
    @tool(name=name, description=description)
    async def ran(text: str = "") -> str:
        return f"{name} ran {text}".strip()

    return ran


CANCEL = made("cancel_order", "Cancels an order. It must not be shipped yet.")
STOCK = made("check_stock", "재고를 조회합니다.")
MAIL = made("send_email", "Sends a message.")
NOISE = tuple(made(f"noise_{number}", "Makes noise.") for number in range(9))
TOOLS = Toolbox((CANCEL, STOCK, MAIL, *NOISE))


def calling(*calls: tuple[str, object]) -> ChatResponse:
    asked = tuple(
        ToolCall(
            id=f"{name}-{number}",
            name=name,
            arguments=arguments if isinstance(arguments, str) else json.dumps(arguments),
        )
        for number, (name, arguments) in enumerate(calls)
    )
    return ChatResponse(message=AssistantMessage(tool_calls=asked), finish_reason="tool_calls")


def searching(*queries: str) -> ChatResponse:
    return calling(*(("search_tools", {"query": query}) for query in queries))


async def ask(
    advisor: ToolCallingAdvisor,
    *turns: ChatResponse | str,
    conversation: str | None = "c",
    request: ChatRequest = REQUEST,
    events: list[Event] | None = None,
) -> ScriptedModel:
    model = ScriptedModel(*turns)
    run = RunContext(conversation_id=conversation)
    chain = AdvisorChain.build([advisor], model=model, run=run if events is None else run.watched_by(events.append))
    async with asyncio.timeout(10):
        await chain.next(request)
    assert model.turns_left == 0
    return model


def shown(model: ScriptedModel) -> list[list[str]]:
    return [[definition.name for definition in request.tools] for request in model.requests]


def results(model: ScriptedModel) -> list[ToolResult]:
    return [r for m in model.requests[-1].messages if isinstance(m, ToolMessage) for r in m.results]


async def test_the_model_sees_the_search_then_what_it_found_and_uses_it() -> None:
    events: list[Event] = []
    model = await ask(
        ToolSearchAdvisor(toolbox=TOOLS),
        searching("cancel an order"),
        calling(("cancel_order", {})),
        "done",
        events=events,
    )
    assert shown(model) == [["search_tools"], ["search_tools", "cancel_order"], ["search_tools", "cancel_order"]]
    assert [result.text for result in results(model)] == [
        "Found; call the one that fits by its name:\n- cancel_order: Cancels an order.",
        "cancel_order ran",
    ]
    assert [event for event in events if isinstance(event, ToolsFound)] == [
        ToolsFound(query="cancel an order", names=("cancel_order",))
    ]


async def test_found_tools_stay_for_the_conversation_and_only_for_it() -> None:
    advisor = ToolSearchAdvisor(toolbox=TOOLS)
    await ask(advisor, searching("cancel an order"), "done")
    assert shown(await ask(advisor, "done")) == [["search_tools", "cancel_order"]]
    assert shown(await ask(advisor, "done", conversation="other")) == [["search_tools"]]
    assert advisor.found("c") == ("cancel_order",)


async def test_found_tools_stay_after_bad_arguments_other_searches_and_a_history_without_them() -> None:
    advisor = ToolSearchAdvisor(toolbox=TOOLS)
    turns = (
        searching("cancel an order"),
        calling(("cancel_order", "{broken")),
        searching("재고 조회"),
        calling(("cancel_order", {"text": "7"})),
        "done",
    )
    model = await ask(advisor, *turns)
    assert [result.is_error for result in results(model)] == [False, True, False, False]
    later = await ask(advisor, "done", request=ChatRequest(messages=(UserMessage(text="a summary of all that"),)))
    for names in (shown(model)[-1], *shown(later)):
        assert names == ["search_tools", "cancel_order", "check_stock"]


async def test_the_beginning_of_what_is_shown_never_changes() -> None:
    advisor = ToolSearchAdvisor(toolbox=TOOLS, always_visible=(MAIL,))
    first = await ask(
        advisor, searching("check_stock"), searching("cancel_order", "noise_3"), calling(("noise_7", {})), "done"
    )
    second = await ask(advisor, searching("noise_1"), "done")
    everything = [request.tools for model in (first, second) for request in model.requests]
    for before, after in pairwise(everything):
        assert after[: len(before)] == before
    names = [definition.name for definition in everything[-1]]
    assert names == ["send_email", "search_tools", *advisor.found("c")]
    assert names[2:4] == ["check_stock", "cancel_order"]


async def test_a_call_to_a_tool_that_was_never_shown_runs_it_and_shows_it() -> None:
    events: list[Event] = []
    advisor = ToolSearchAdvisor(toolbox=TOOLS)
    model = await ask(advisor, calling(("noise_3", {"text": "x"})), "done", events=events)
    assert results(model)[0].text == "noise_3 ran x"
    assert shown(model) == [["search_tools"], ["search_tools", "noise_3"]]
    assert advisor.found("c") == ("noise_3",)
    assert ToolsFound(query="noise_3", names=("noise_3",)) in events


async def test_an_unknown_tool_is_an_error_with_close_names_and_the_loop_goes_on() -> None:
    many = Toolbox((*TOOLS, *(made(f"other_{number}", "Other.") for number in range(30))))
    model = await ask(ToolSearchAdvisor(toolbox=many), calling(("cancel_orders", {}), ("send_email", {})), "done")
    wrong, right = results(model)
    assert wrong.is_error
    assert "'cancel_order'" in wrong.text
    assert "other_9" not in wrong.text
    assert right.text == "send_email ran"


async def test_an_exact_name_is_found_first_and_alone_if_only_one_is_wanted() -> None:
    model = await ask(
        ToolSearchAdvisor(toolbox=TOOLS), calling(("search_tools", {"query": "Check-Stock", "limit": 1})), "done"
    )
    assert shown(model)[1] == ["search_tools", "check_stock"]


async def test_the_models_limit_beats_the_advisors_which_beats_the_usual_one() -> None:
    for limit, asked, expected in ((5, None, 5), (3, None, 3), (3, 7, 7)):
        arguments = {"query": "noise"} | ({} if asked is None else {"limit": asked})
        advisor = ToolSearchAdvisor(toolbox=TOOLS, limit=limit)
        assert len(shown(await ask(advisor, calling(("search_tools", arguments)), "done"))[1]) == 1 + expected


async def test_a_search_that_finds_nothing_says_so_in_the_users_language() -> None:
    korean = ChatRequest(messages=(UserMessage(text="주문을 cancel 해줘"),))
    model = await ask(ToolSearchAdvisor(toolbox=TOOLS), searching("qwertyuiop"), "done", request=korean)
    assert results(model)[0].text.startswith("'qwertyuiop'에 맞는 툴이 없습니다.")
    assert shown(model) == [["search_tools"], ["search_tools"]]


async def test_a_search_for_a_tool_that_is_always_there_says_so() -> None:
    advisor = ToolSearchAdvisor(toolbox=TOOLS, always_visible=(made("TodoWrite", "Keeps a list."),))
    model = await ask(advisor, searching("todo_write"), "done")
    assert results(model)[0].text == "TodoWrite is visible already; call it directly."


async def test_parallel_searches_of_a_round_are_all_kept() -> None:
    model = await ask(ToolSearchAdvisor(toolbox=TOOLS), searching("check_stock", "cancel_order", "send_email"), "done")
    assert set(shown(model)[1]) >= {"check_stock", "cancel_order", "send_email"}
    assert [result.call_id for result in results(model)] == ["search_tools-0", "search_tools-1", "search_tools-2"]


async def test_without_accumulation_only_the_last_round_that_searched_is_shown() -> None:
    advisor = ToolSearchAdvisor(toolbox=TOOLS, accumulate=False, limit=1)
    turns = (searching("send_email"), searching("check_stock", "cancel_order"), calling(("check_stock", {})), "done")
    model = await ask(advisor, *turns)
    assert shown(model) == [
        ["search_tools"],
        ["search_tools", "send_email"],
        ["search_tools", "check_stock", "cancel_order"],
        ["search_tools", "check_stock", "cancel_order"],
    ]
    assert advisor.found("c") == ("check_stock", "cancel_order")


async def test_what_was_found_is_shown_only_as_long_as_there_is_such_a_tool() -> None:
    search = ToolSearch()
    search.restore("c", ["gone", "cancel_order"])
    assert shown(await ask(ToolSearchAdvisor(toolbox=TOOLS, search=search), "done")) == [
        ["search_tools", "cancel_order"]
    ]
    without = ToolSearchAdvisor(toolbox=Toolbox((STOCK, MAIL)), search=search)
    assert shown(await ask(without, "done")) == [["search_tools"]]
    assert without.found("c") == ("gone", "cancel_order")


async def test_a_conversation_goes_on_elsewhere_with_what_it_had_found() -> None:
    before, after = ToolSearchAdvisor(toolbox=TOOLS), ToolSearchAdvisor(toolbox=TOOLS)
    await ask(before, searching("check_stock"), "done")
    after.restore("c", before.found("c"))
    assert shown(await ask(after, "done")) == [["search_tools", *before.found("c")]]


async def test_without_a_conversation_the_run_is_the_scope_and_nothing_fails() -> None:
    advisor, run = ToolSearchAdvisor(toolbox=TOOLS), RunContext()
    for turns, names in (((searching("check_stock"), "done"), ["search_tools"]), (("done",), None)):
        model = ScriptedModel(*turns)
        await AdvisorChain.build([advisor], model=model, run=run).next(REQUEST)
        assert shown(model)[0] == (names or ["search_tools", "check_stock"])
    assert shown(await ask(advisor, "done", conversation=None)) == [["search_tools"]]


async def test_many_conversations_at_the_same_time_never_mix() -> None:
    advisor = ToolSearchAdvisor(toolbox=TOOLS, limit=1)

    async def one(number: int) -> bool:
        name = f"noise_{number % 9}"
        model = await ask(advisor, searching(name), calling((name, {})), "done", conversation=f"c{number}")
        return shown(model)[-1] == ["search_tools", name] and advisor.found(f"c{number}") == (name,)

    assert all(await asyncio.gather(*(one(number) for number in range(100))))


@pytest.mark.parametrize("threshold", [1, 12, 13])
async def test_the_loop_searches_from_a_threshold_on(threshold: int) -> None:
    chosen = auto_tool_advisor(tuple(TOOLS), searching=ToolSearchAdvisor(), threshold=threshold)
    assert isinstance(chosen, ToolSearchAdvisor) == (threshold <= 12)
    assert [tool.definition.name for tool in chosen.toolbox] == [tool.definition.name for tool in TOOLS]


def test_ten_tools_are_searched_nine_are_shown_and_none_is_searched_where_search_is_off() -> None:
    tools = tuple(TOOLS)
    assert isinstance(auto_tool_advisor(tools[:10], searching=ToolSearchAdvisor()), ToolSearchAdvisor)
    assert not isinstance(auto_tool_advisor(tools[:9], searching=ToolSearchAdvisor()), ToolSearchAdvisor)
    assert not isinstance(auto_tool_advisor(tools, searching=None), ToolSearchAdvisor)
    with pytest.raises(ConfigError):
        auto_tool_advisor(tools, searching=None, threshold=0)
    with pytest.raises(ConfigError, match="cancel_order"):
        auto_tool_advisor((CANCEL, CANCEL), searching=None)
