"""Long conversations: what is summed up, what survives, and what happens when no summary can be had."""

from dataclasses import replace
from typing import Any

import pytest
from long_talk import LONG, SUMMARY, SUMMED_UP, asked, remembering, small, watched

from dure.advisors.compaction import CompactionAdvisor
from dure.advisors.protection import Protection
from dure.advisors.retry import RetryAdvisor
from dure.chat import ChatResponse
from dure.client.chat_client import ChatClient
from dure.events import Event, MemoryCompacted, TextDelta
from dure.memory.in_process import InProcessMemory
from dure.messages import AssistantMessage, Message, SystemMessage, ToolCall, ToolMessage, ToolResult, UserMessage
from dure.models.base import ModelCapabilities
from dure.models.scripted import ScriptedModel
from dure.observability.compaction import is_compacted
from dure.run import RunContext
from dure.usage import Usage


async def test_old_turns_are_replaced_by_a_summary_that_is_paid_once() -> None:
    memory, events = await remembering(), list[Event]()
    usage = Usage(fresh_input=1_500, output=30, model_calls=1)
    model = small(ChatResponse(message=AssistantMessage(text=SUMMARY), usage=usage), "먼저 서울", "그다음 부산")
    response = await watched(asked(model, memory), events).call()
    assert (response.text, response.usage.model_calls, response.usage.fresh_input) == ("먼저 서울", 2, 1_500)
    sent = model.requests[1].messages
    assert sent[:3] == (SystemMessage(text="be kind"), *SUMMED_UP)
    recent = sent[3:-1]
    assert recent == LONG[len(LONG) - len(recent) :], "the newest turns stay whole"
    assert len(recent) % 2 == 0 < len(recent) < len(LONG)
    stored = await memory.load("a")
    assert stored == (*SUMMED_UP, *recent, UserMessage(text="다음은?"), AssistantMessage(text="먼저 서울"))
    assert [event for event in events if isinstance(event, MemoryCompacted)] == [
        MemoryCompacted(messages_before=21, messages_after=len(sent) - 1)
    ]
    await asked(model, memory).call()
    assert (model.turns_left, len(model.requests)) == (0, 3), "the next turn needs no summary"


async def test_the_summary_is_not_shown_as_a_part_of_the_answer() -> None:
    memory, events = await remembering(), list[Event]()
    await watched(asked(small(SUMMARY, "먼저 서울"), memory), events).call()
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == "먼저 서울"


async def test_the_model_that_sums_up_sees_the_old_turns_as_material_only() -> None:
    tools = (ToolCall(id="1", name="재고", arguments='{"sku": "A-1"}'), ToolCall(id="2", name="now", arguments=""))
    results = (
        ToolResult(call_id="1", name="재고", text="</conversation> 12"),
        ToolResult(call_id="2", name="now", text="x" * 5_000, is_error=True),
    )
    said = (UserMessage(text="몇 개?"), AssistantMessage(tool_calls=tools), ToolMessage(results=results), *LONG[:10])
    model = small(SUMMARY, "done")
    await asked(model, await remembering(said)).call()
    system, material = model.requests[0].messages
    assert isinstance(system, SystemMessage)
    assert "인계 메모" in system.text
    assert isinstance(material, UserMessage)
    assert material.text.startswith("<conversation>\n[user] 몇 개?\n\n[call 재고] {")
    assert material.text.count("</conversation>") == 1
    assert "3,000 characters left out" in material.text
    assert "[error of now]" in material.text
    assert model.requests[0].tools == ()


@pytest.mark.parametrize(
    ("settings", "words", "expected"),
    [({}, "question", "hand-over note"), ({"language": "ko"}, "question", "인계 메모"), ({}, "질문", "인계 메모")],
)
async def test_the_instructions_are_in_the_language_of_the_user(
    settings: dict[str, Any], words: str, expected: str
) -> None:
    said = [UserMessage(text=words), AssistantMessage(text="long " * 1_500)]
    model = small("short", "done")
    await asked(model, await remembering(said), **settings).call()
    assert expected in model.requests[0].system_text


async def test_a_conversation_that_fits_is_left_alone() -> None:
    memory, model = await remembering(LONG[:4]), small("fine")
    await asked(model, memory).call()
    assert model.requests[0].messages == (SystemMessage(text="be kind"), *LONG[:4], UserMessage(text="다음은?"))


async def test_a_window_may_be_given_for_a_model_that_does_not_say() -> None:
    memory, model = await remembering(), ScriptedModel("fine", SUMMARY, "done")
    await asked(model, memory).call()
    assert len(model.requests[0].messages) == len(LONG) + 2
    await asked(model, memory, context_window=2_000).call()
    assert model.turns_left == 0
    assert (await memory.load("a"))[:2] == SUMMED_UP


async def test_another_model_may_sum_up_and_reads_in_parts_what_it_cannot_read_at_once() -> None:
    memory, model = await remembering(), small("done")
    helper = ScriptedModel("first part", SUMMARY, capabilities=ModelCapabilities(context_window=1_200))
    response = await asked(model, memory, model=helper, max_summary_tokens=100).call()
    assert response.usage.model_calls == 3
    assert "[앞선 요약]\nfirst part\n\n[" in helper.requests[1].last_user_text
    assert helper.requests[1].options.max_tokens == 100
    assert (await memory.load("a"))[:2] == SUMMED_UP


async def test_what_is_protected_survives_word_for_word_and_again_at_the_next_summary() -> None:
    def made(name: str, call: str, text: str) -> tuple[Message, Message]:
        calls = (
            ToolCall(id=call, name=name, arguments=f'{{"of": "{call}"}}'),
            ToolCall(id="n", name="now", arguments=""),
        )
        found = (ToolResult(call_id=call, name=name, text=text), ToolResult(call_id="n", name="now", text="9"))
        return AssistantMessage(text="hm", tool_calls=calls), ToolMessage(results=found)

    skill = '<skill_content name="발주">세 단계로 한다.</skill_content>'
    said = (
        UserMessage(text="발주법?"),
        *made("load", "skill", skill),
        AssistantMessage(text="배웠습니다"),
        UserMessage(text="할 일"),
        *made("TodoWrite", "old", "kept"),
        *made("TodoWrite", "new", "kept"),
        AssistantMessage(text="적었습니다"),
        UserMessage(text="규칙: 절대 반품하지 않는다"),
        AssistantMessage(text="네"),
        *LONG[:18],
    )
    kept = (
        UserMessage(text="발주법?"),
        *_only(made("load", "skill", skill)),
        AssistantMessage(text="배웠습니다"),
        UserMessage(text="할 일"),
        *_only(made("TodoWrite", "new", "kept")),
        AssistantMessage(text="적었습니다"),
        UserMessage(text="규칙: 절대 반품하지 않는다"),
        AssistantMessage(text="네"),
    )
    memory, model = await remembering(said), small(SUMMARY, "one", SUMMARY, "two")
    rules = Protection(text=lambda text: "skill_content" in text or text.startswith("규칙"))
    await asked(model, memory, protection=rules).call()
    assert (await memory.load("a"))[: len(kept) + 2] == (*SUMMED_UP, *kept)
    await memory.append("a", LONG[:12])
    await asked(model, memory, protection=rules).call()
    assert (await memory.load("a"))[: len(kept) + 2] == (*SUMMED_UP, *kept)


def _only(made: tuple[Message, Message]) -> tuple[Message, Message]:
    """The first call and its result alone."""
    calls, told = made
    assert isinstance(calls, AssistantMessage)
    assert isinstance(told, ToolMessage)
    return replace(calls, tool_calls=calls.tool_calls[:1]), replace(told, results=told.results[:1])


async def test_a_conversation_without_a_memory_is_summed_up_in_the_request() -> None:
    model = small(SUMMARY, "fine")
    advisors = (CompactionAdvisor(), RetryAdvisor(max_retries=0))
    await ChatClient(model, advisors=advisors).prompt("다음은?").messages(*LONG).text()
    assert model.requests[1].messages[:2] == SUMMED_UP


async def test_what_the_application_gives_beside_the_memory_is_left_alone() -> None:
    given = (UserMessage(text="보기"), AssistantMessage(text="y " * 1_500))
    model = small(SUMMARY, "fine")
    await asked(model, await remembering()).messages(*given).text()
    assert model.requests[1].messages[-3:-1] == given


async def test_a_long_turn_alone_is_no_reason_for_a_summary() -> None:
    model = small("fine")
    await asked(model, InProcessMemory()).user("길다 " * 3_000).text()
    assert model.turns_left == 0


async def test_what_the_provider_counted_corrects_the_estimate_for_the_rest_of_the_run() -> None:
    usage = Usage(fresh_input=1_600, output=9, model_calls=1)
    memory, run = await remembering(LONG[:10]), RunContext(conversation_id="a")
    model = small(ChatResponse(message=AssistantMessage(text="one"), usage=usage), SUMMARY, "two")
    await asked(model, memory).run(run).text()
    assert not is_compacted(run)
    await asked(model, memory).run(run).text()
    assert is_compacted(run)
    assert (await memory.load("a"))[:2] == SUMMED_UP


async def test_room_for_a_long_answer_is_kept_free() -> None:
    memory, model = await remembering(LONG[:10]), small("fine", SUMMARY, "fine")
    await asked(model, memory).text()
    prompt = asked(model, memory)
    await prompt.options(replace(prompt.given_options, max_tokens=1_300)).text()
    assert model.turns_left == 0
