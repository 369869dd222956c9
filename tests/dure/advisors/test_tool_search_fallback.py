"""A searching tool loop when search does not work, what the system message says, and hooks of the application."""

import asyncio
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from dure.advisors.chain import AdvisorChain
from dure.advisors.tool_calling import ToolCallingAdvisor
from dure.advisors.tool_loop import ToolLoop, ToolLoopHooks
from dure.advisors.tool_search import ToolSearchAdvisor
from dure.advisors.tool_search_texts import search_suffix
from dure.chat import ChatRequest, ChatResponse
from dure.errors import Cancelled, ConfigError, ConnectionFailed
from dure.messages import AssistantMessage, Message, SystemMessage, ToolCall, ToolMessage, ToolResult, UserMessage
from dure.models.scripted import ScriptedModel
from dure.run import RunContext
from dure.search.base import Entry, Hit, TextIndex
from dure.search.keyword import KeywordIndexBuilder
from dure.tools.function import FunctionTool, tool
from dure.tools.output_cap import OutputCap
from dure.tools.output_files import OutputFiles
from dure.tools.search import ToolSearch
from dure.tools.toolbox import Toolbox

REQUEST = ChatRequest(messages=(UserMessage(text="check the stock"),))
WORDS = KeywordIndexBuilder()


def made(name: str, text: str = "ok") -> FunctionTool:
    @tool(name=name, description=f"Does {name}.")
    async def ran() -> str:
        return text

    return ran


TOOLS = Toolbox(tuple(made(name) for name in ("check_stock", "cancel_order", "send_email")))
NAMES = ["check_stock", "cancel_order", "send_email"]


@dataclass
class Broken:
    """Fails to build, or builds an index that fails."""

    building: BaseException | None = None
    searching: BaseException | None = None
    built: int = 0

    async def build(self, entries: Sequence[Entry]) -> TextIndex:
        self.built += 1
        if self.building is not None:
            raise self.building
        return self

    async def search(self, query: str, *, limit: int) -> tuple[Hit, ...]:
        if self.searching is not None:
            raise self.searching
        return (Hit(id="of another set", score=2.0), Hit(id="check_stock", score=1.0))


def calling(*names: str, **arguments: str) -> ChatResponse:
    calls = tuple(
        ToolCall(id=f"{number}", name=name, arguments=json.dumps(arguments)) for number, name in enumerate(names)
    )
    return ChatResponse(message=AssistantMessage(tool_calls=calls), finish_reason="tool_calls")


async def ask(
    advisor: ToolCallingAdvisor, *turns: ChatResponse | str, request: ChatRequest = REQUEST, conversation: str = "c"
) -> ScriptedModel:
    model = ScriptedModel(*turns)
    chain = AdvisorChain.build([advisor], model=model, run=RunContext(conversation_id=conversation))
    async with asyncio.timeout(10):
        await chain.next(request)
    return model


def shown(model: ScriptedModel) -> list[list[str]]:
    return [[definition.name for definition in request.tools] for request in model.requests]


def system(model: ScriptedModel) -> list[str]:
    return [request.system_text for request in model.requests]


def results(model: ScriptedModel) -> list[ToolResult]:
    return [r for m in model.requests[-1].messages if isinstance(m, ToolMessage) for r in m.results]


@pytest.mark.parametrize("error", [ConnectionFailed("the model is away"), RuntimeError("the model is away")])
async def test_without_an_index_all_tools_are_shown_with_a_warning(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    builder = Broken(building=error)
    advisor = ToolSearchAdvisor(toolbox=TOOLS, search=ToolSearch(builder))
    model = await ask(advisor, calling("check_stock"), "done")
    await ask(advisor, "done", conversation="another")
    assert shown(model) == [NAMES, NAMES]
    assert system(model) == ["", ""]
    assert results(model)[0].text == "ok"
    assert builder.built == 1
    warnings = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert warnings == ["tool search is off, all 3 tools are shown: no index over 3 tools: the model is away"] * 2


@pytest.mark.parametrize("error", [ConnectionFailed("the model is away"), RuntimeError("the model is away")])
async def test_a_search_that_fails_is_an_error_result_and_all_tools_are_shown(error: Exception) -> None:
    advisor = ToolSearchAdvisor(toolbox=TOOLS, search=ToolSearch(Broken(searching=error)))
    model = await ask(
        advisor, calling("search_tools", "search_tools", query="x"), calling("search_tools", query="x"), "done"
    )
    assert shown(model) == [["search_tools"], ["search_tools", *NAMES], ["search_tools", *NAMES]]
    assert [result.is_error for result in results(model)] == [True, True, True]
    assert "the model is away" in results(model)[0].text
    assert advisor.found("c") == ()
    assert shown(await ask(advisor, "done")) == [["search_tools"]]


async def test_a_signal_of_an_index_stops_the_run() -> None:
    for broken in (Broken(building=Cancelled("stop")), Broken(searching=Cancelled("stop"))):
        advisor = ToolSearchAdvisor(toolbox=TOOLS, search=ToolSearch(broken))
        with pytest.raises(Cancelled):
            await ask(advisor, calling("search_tools", query="x"), "done")


async def test_hits_that_are_no_tools_are_passed_over() -> None:
    model = await ask(
        ToolSearchAdvisor(toolbox=TOOLS, search=ToolSearch(Broken())), calling("search_tools", query="x"), "done"
    )
    assert shown(model)[1] == ["search_tools", "check_stock"]


async def test_with_search_off_all_tools_are_shown_and_nothing_is_said() -> None:
    advisor = ToolSearchAdvisor(toolbox=TOOLS, search=None, always_visible=(made("todo"),))
    model = await ask(advisor, "done")
    assert shown(model) == [["todo", *NAMES]]
    assert system(model) == [""]
    advisor.restore("c", ["check_stock"])
    assert advisor.found("c") == ()


async def test_with_nothing_to_find_there_is_no_search() -> None:
    for advisor in (ToolSearchAdvisor(), ToolSearchAdvisor(always_visible=(made("todo"),))):
        model = await ask(advisor, "done")
        assert "search_tools" not in shown(model)[0]
        assert system(model) == [""]


async def test_the_system_message_says_how_to_search_once_and_never_more() -> None:
    advisor = ToolSearchAdvisor(toolbox=TOOLS)
    request = ChatRequest(messages=(SystemMessage(text="One."), SystemMessage(text="Two."), *REQUEST.messages))
    model = await ask(advisor, calling("search_tools", query="x"), calling("check_stock"), "done", request=request)
    assert system(model) == [f"One.\n\n{search_suffix('en')}\n\nTwo."] * 3
    said_before = ChatRequest(messages=model.requests[-1].messages)
    assert system(await ask(advisor, "done", request=said_before)) == [f"One.\n\n{search_suffix('en')}\n\nTwo."]
    assert system(await ask(advisor, "done")) == [search_suffix("en")]


async def test_the_language_is_that_of_the_first_text_of_a_conversation_or_as_set() -> None:
    korean = ChatRequest(messages=(UserMessage(text="check_stock 해줘"),))
    advisor = ToolSearchAdvisor(toolbox=TOOLS)
    assert system(await ask(advisor, "done", request=korean)) == [search_suffix("ko")]
    assert system(await ask(advisor, "done")) == [search_suffix("ko")]
    assert system(await ask(advisor, "done", conversation="other")) == [search_suffix("en")]
    fixed = ToolSearchAdvisor(toolbox=TOOLS, language="en")
    assert system(await ask(fixed, "done", request=korean)) == [search_suffix("en")]


async def test_equal_tools_are_indexed_once_for_all_conversations_and_changed_ones_again() -> None:
    builder = Broken()
    search = ToolSearch(builder)
    for conversation in ("a", "b"):
        again = Toolbox(tuple(made(name) for name in NAMES))
        for toolbox in (TOOLS, again):
            await ask(ToolSearchAdvisor(toolbox=toolbox, search=search), "done", conversation=conversation)
    assert builder.built == 1
    await ask(ToolSearchAdvisor(toolbox=TOOLS.with_added(made("fourth")), search=search), "done")
    assert builder.built == 2


async def test_a_forgotten_conversation_finds_its_tools_again() -> None:
    search = ToolSearch(WORDS, max_conversations=1)
    advisor = ToolSearchAdvisor(toolbox=TOOLS, search=search)
    await ask(advisor, calling("search_tools", query="check stock"), "done", conversation="a")
    assert search.found("a") == ("check_stock",)
    await ask(advisor, "done", conversation="b")
    assert search.found("a") == ()
    model = await ask(advisor, calling("search_tools", query="check stock"), "done", conversation="a")
    assert shown(model) == [["search_tools"], ["search_tools", "check_stock"]]


@dataclass
class Steering(ToolLoopHooks):
    """Notes when it is called and adds a tool."""

    added: str = "from_a_hook"
    log: list[str] = field(default_factory=list[str])

    async def initialise(self, loop: ToolLoop) -> None:
        self.log.append("initialise")
        loop.toolbox = loop.toolbox.with_added(made(self.added))

    async def before_round(self, loop: ToolLoop, request: ChatRequest) -> ChatRequest:
        self.log.append(f"before {loop.round}")
        return request

    async def after_round(self, loop: ToolLoop, response: ChatResponse) -> ChatResponse:
        self.log.append(f"after {loop.round}")
        return response

    async def next_instructions(self, loop: ToolLoop, messages: tuple[Message, ...]) -> tuple[Message, ...]:
        self.log.append("next")
        return messages

    async def finalise(self, loop: ToolLoop, response: ChatResponse | None) -> ChatResponse | None:
        self.log.append("finalise")
        return response


async def test_hooks_of_the_application_are_called_as_ever_and_their_tools_are_searched_too() -> None:
    hooks = Steering()
    advisor = ToolSearchAdvisor(toolbox=TOOLS, hooks=hooks)
    model = await ask(advisor, calling("search_tools", query="from a hook"), calling("from_a_hook"), "done")
    assert shown(model)[1] == ["search_tools", "from_a_hook"]
    assert results(model)[-1].text == "ok"
    assert hooks.log == [
        *(
            "initialise",
            "before 1",
            "after 1",
            "next",
            "before 2",
            "after 2",
            "next",
            "before 3",
            "after 3",
            "finalise",
        ),
    ]


async def test_a_tool_of_a_hook_with_the_name_of_the_search_is_refused() -> None:
    with pytest.raises(ConfigError, match="search_tools"):
        await ask(ToolSearchAdvisor(toolbox=TOOLS, hooks=Steering(added="search_tools")), "done")


async def test_the_reader_of_long_results_is_never_hidden(tmp_path: Path) -> None:
    cap = OutputCap(characters=2000, files=OutputFiles(folder=tmp_path))
    advisor = ToolSearchAdvisor(toolbox=Toolbox((made("long", "word " * 5000), *TOOLS)), output_cap=cap)
    model = await ask(advisor, calling("search_tools", query="check stock"), calling("long"), "done")
    assert shown(model)[-1] == ["search_tools", "check_stock", "long", "read_tool_output"]
    later = await ask(advisor, calling("search_tools", query="send email"), "done")
    assert shown(later) == [
        ["search_tools", "check_stock", "long", "read_tool_output"],
        ["search_tools", "read_tool_output", "check_stock", "long", "send_email"],
    ]


def test_what_cannot_work_is_refused_when_it_is_made() -> None:
    with pytest.raises(ConfigError, match="limit must be from 1 to 10, not 11"):
        ToolSearchAdvisor(limit=11)
    with pytest.raises(ConfigError, match="not 'fr'"):
        ToolSearchAdvisor(language="fr")  # pyright: ignore[reportArgumentType]  # what an untyped caller may give
    with pytest.raises(ConfigError, match="search_tools"):
        ToolSearchAdvisor(toolbox=Toolbox((made("search_tools"),)))
    with pytest.raises(ConfigError, match="search_tools"):
        ToolSearchAdvisor(always_visible=(made("search_tools"),))
    with pytest.raises(ConfigError, match="check_stock"):
        ToolSearchAdvisor(toolbox=TOOLS).with_tools(made("check_stock"))
    assert ToolSearchAdvisor(toolbox=Toolbox((made("search_tools"),)), search=None).toolbox
