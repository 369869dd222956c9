"""Two layers of tools: meta tools always in sight, domain tools found by search."""

import asyncio
import json
import logging

import pytest

from dure.advisors.chain import AdvisorChain
from dure.advisors.orchestration import OrchestrationToolCallingAdvisor
from dure.advisors.tool_search import auto_tool_advisor
from dure.chat import ChatOptions, ChatRequest, ChatResponse, ToolDefinition
from dure.messages import AssistantMessage, SystemMessage, ToolCall, ToolMessage, UserMessage
from dure.models.scripted import ScriptedModel
from dure.run import RunContext
from dure.tools.base import Tool
from dure.tools.function import tool
from dure.tools.toolbox import Toolbox


def made(name: str, description: str) -> Tool:
    @tool(name=name, description=description)
    async def ran() -> str:
        return f"{name}: {description}"

    return ran


META = (
    made("Task", "Hands a task to a sub-agent. It works on its own."),
    made("Skill", "Loads instructions for a kind of work.\nCall it first."),
    made("TodoWrite", "할 일 목록을 적습니다. 하나씩 진행합니다."),
    made("AskUserQuestion", "Asks the user when a request is unclear."),
)
DOMAIN = Toolbox(
    (
        made("check_stock", "재고를 조회합니다."),
        made("place_purchase_order", "공급업체에 발주합니다."),
        made("send_email", "Mails."),
    )
)
META_NAMES = ["Task", "Skill", "TodoWrite", "AskUserQuestion"]
KOREAN = ChatRequest(messages=(SystemMessage(text="점검합니다."), UserMessage(text="재고를 점검해줘")))

KOREAN_SUFFIX = """\
다음 툴은 늘 사용할 수 있습니다. 상황에 맞으면 검색하지 말고 바로 호출하세요:
- Task: Hands a task to a sub-agent.
- Skill: Loads instructions for a kind of work.
- TodoWrite: 할 일 목록을 적습니다.
- AskUserQuestion: Asks the user when a request is unclear.

그 밖의 일이 필요하면 search_tools로 알맞은 툴을 찾은 뒤 그 툴을 호출하세요. \
검색 결과가 맞지 않으면 다른 표현으로 다시 검색하세요."""
ENGLISH_SUFFIX = """\
These tools are always there. Call them directly when they fit, without searching:
- Task: Hands a task to a sub-agent.
- Skill: Loads instructions for a kind of work.
- TodoWrite: 할 일 목록을 적습니다.
- AskUserQuestion: Asks the user when a request is unclear.

For anything else, call search_tools with what has to be done, then call the tool it found. \
If what it found does not fit, search again in other words."""


def calling(name: str, **arguments: str) -> ChatResponse:
    call = ToolCall(id=name, name=name, arguments=json.dumps(arguments))
    return ChatResponse(message=AssistantMessage(tool_calls=(call,)), finish_reason="tool_calls")


async def ask(
    advisor: OrchestrationToolCallingAdvisor, *turns: ChatResponse | str, request: ChatRequest = KOREAN
) -> ScriptedModel:
    model = ScriptedModel(*turns)
    chain = AdvisorChain.build([advisor], model=model, run=RunContext(conversation_id="c"))
    async with asyncio.timeout(10):
        await chain.next(request)
    return model


def shown(model: ScriptedModel) -> list[list[str]]:
    return [[definition.name for definition in request.tools] for request in model.requests]


async def test_meta_tools_are_called_without_a_search_and_domain_tools_after_one() -> None:
    model = await ask(
        OrchestrationToolCallingAdvisor(always_visible=META, toolbox=DOMAIN),
        calling("Skill"),
        calling("AskUserQuestion"),
        calling("search_tools", query="재고 조회"),
        calling("check_stock"),
        calling("place_purchase_order"),
        "done",
    )
    first = [*META_NAMES, "search_tools"]
    found = [*first, "check_stock"]
    assert shown(model) == [first, first, first, found, found, [*found, "place_purchase_order"]]
    said = [message.results[0] for message in model.requests[-1].messages if isinstance(message, ToolMessage)]
    assert [result.is_error for result in said] == [False] * 5
    assert said[3].text == "check_stock: 재고를 조회합니다."


@pytest.mark.parametrize(
    ("text", "language", "suffix"),
    [
        ("재고를 점검해줘", "auto", KOREAN_SUFFIX),
        ("check the stock", "auto", ENGLISH_SUFFIX),
        ("check the stock", "ko", KOREAN_SUFFIX),
        ("재고를 점검해줘", "en", ENGLISH_SUFFIX),
    ],
)
async def test_the_system_message_lists_the_meta_tools_with_the_first_sentence_of_each(
    text: str, language: str, suffix: str
) -> None:
    advisor = OrchestrationToolCallingAdvisor(
        always_visible=META,
        toolbox=DOMAIN,
        language=language,  # pyright: ignore[reportArgumentType]  # the words are those it takes
    )
    request = ChatRequest(messages=(SystemMessage(text="Work."), UserMessage(text=text)))
    model = await ask(advisor, calling("TodoWrite"), "done", request=request)
    assert [sent.system_text for sent in model.requests] == [f"Work.\n\n{suffix}"] * 2


async def test_domain_tools_with_the_name_of_a_meta_tool_are_left_out(caplog: pytest.LogCaptureFixture) -> None:
    other = made("Task", "Something else.")
    in_toolbox = OrchestrationToolCallingAdvisor(always_visible=META, toolbox=DOMAIN.with_added(other))
    added_later = OrchestrationToolCallingAdvisor(always_visible=META, toolbox=DOMAIN).with_tools(other, *META)
    for advisor in (in_toolbox, added_later):
        model = await ask(advisor, calling("Task"), "done")
        assert shown(model)[0] == [*META_NAMES, "search_tools"]
        (message,) = (one for one in model.requests[-1].messages if isinstance(one, ToolMessage))
        assert message.results[0].text.startswith("Task: Hands a task")
    warnings = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert warnings == ["tool 'Task' is left out: an always visible tool has its name"] * 2


async def test_other_options_and_tools_of_the_request_are_kept() -> None:
    other = ToolDefinition(name="from_the_request", description="", parameters={})
    options = ChatOptions(temperature=0.1, tool_choice="required")
    advisor = OrchestrationToolCallingAdvisor(always_visible=META, toolbox=DOMAIN)
    model = await ask(advisor, "done", request=KOREAN.with_options(options).with_tools(other, META[0].definition))
    assert model.requests[0].options == options
    assert shown(model)[0] == ["from_the_request", "Task", "Skill", "TodoWrite", "AskUserQuestion", "search_tools"]


async def test_with_search_off_domain_tools_are_direct_and_only_the_meta_tools_are_explained() -> None:
    advisor = OrchestrationToolCallingAdvisor(always_visible=META, toolbox=DOMAIN, search=None)
    model = await ask(advisor, calling("check_stock"), "done")
    assert shown(model)[0] == [*META_NAMES, "check_stock", "place_purchase_order", "send_email"]
    menu, _, _ = KOREAN_SUFFIX.partition("\n\n")
    assert model.requests[0].system_text == f"점검합니다.\n\n{menu}"


async def test_without_meta_tools_it_searches_as_any_other() -> None:
    model = await ask(OrchestrationToolCallingAdvisor(toolbox=DOMAIN), "done")
    assert shown(model) == [["search_tools"]]
    assert "search_tools" in model.requests[0].system_text
    alone = await ask(OrchestrationToolCallingAdvisor(toolbox=DOMAIN, search=None), "done")
    assert alone.requests[0].system_text == "점검합니다."


async def test_tools_given_to_a_prompt_join_its_domain_tools() -> None:
    advisor = auto_tool_advisor(
        tuple(DOMAIN), searching=OrchestrationToolCallingAdvisor(always_visible=META), threshold=1
    )
    assert isinstance(advisor, OrchestrationToolCallingAdvisor)
    assert shown(await ask(advisor, calling("search_tools", query="메일 보내기"), "done"))[1][-1] == "send_email"
