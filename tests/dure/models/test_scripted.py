import asyncio
from pathlib import Path

import pytest

from dure.chat import ChatRequest, ChatResponse
from dure.errors import ConfigError, ConnectionFailed, ModelUnavailable, RateLimited
from dure.events import Event, ReasoningDelta, TextDelta, ToolCallDelta
from dure.messages import AssistantMessage, ToolCall, UserMessage
from dure.models.base import ChatModel
from dure.models.scripted import ScriptedModel
from dure.models.scripted_turns import CutOff, When
from dure.run import RunContext
from dure.usage import Usage


def asking(text: str) -> ChatRequest:
    return ChatRequest(messages=(UserMessage(text=text),))


async def ask(model: ChatModel, text: str = "?", run: RunContext | None = None) -> ChatResponse:
    async with asyncio.timeout(5):
        return await model.chat(asking(text), run or RunContext())


def script(folder: Path, *lines: str) -> Path:
    path = folder / "turns.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


async def test_text_leaves_in_pieces_that_join_to_the_answer() -> None:
    events: list[Event] = []
    run = RunContext(sink=events.append)
    response = await ask(ScriptedModel("안녕하세요, 반갑습니다"), run=run)
    pieces = [event.text for event in events if isinstance(event, TextDelta)]
    assert response.text == "안녕하세요, 반갑습니다"
    assert len(pieces) > 1
    assert "".join(pieces) == response.text


async def test_a_turn_may_be_a_function_of_the_request_async_or_not() -> None:
    async def later(request: ChatRequest) -> str:
        return request.last_user_text + "!"

    model = ScriptedModel(lambda request: request.last_user_text, later)
    assert [(await ask(model, "가")).text, (await ask(model, "나")).text] == ["가", "나!"]


async def test_a_turn_may_fail_and_a_function_may_give_a_failure() -> None:
    model = ScriptedModel(RateLimited("slow down", retry_after=2), lambda _: RateLimited("again"))
    with pytest.raises(RateLimited) as caught:
        await ask(model)
    assert caught.value.retry_after == 2
    with pytest.raises(RateLimited, match="again"):
        await ask(model)


async def test_a_cut_off_turn_shows_its_text_before_it_fails() -> None:
    events: list[Event] = []
    run = RunContext(sink=events.append)
    with pytest.raises(ConnectionFailed):
        await ask(ScriptedModel(CutOff(text="절반", error=ConnectionFailed("gone"))), run=run)
    assert events == [TextDelta(text="절반")]


async def test_a_whole_response_keeps_its_usage_and_model() -> None:
    given = ChatResponse(message=AssistantMessage(text="a"), usage=Usage(output=3, model_calls=1), model="x:y")
    assert await ask(ScriptedModel(given)) == given


async def test_a_text_counts_as_one_model_call_of_the_scripted_model() -> None:
    response = await ask(ScriptedModel("a", name="scripted:demo"))
    assert (response.model, response.usage) == ("scripted:demo", Usage(model_calls=1))


async def test_thinking_and_tool_calls_are_told_as_events() -> None:
    call = ToolCall(id="1", name="재고", arguments="{}")
    events: list[Event] = []
    given = ChatResponse(message=AssistantMessage(reasoning="음", tool_calls=(call,)), finish_reason="tool_calls")
    await ask(ScriptedModel(given), run=RunContext(sink=events.append))
    assert events == [ReasoningDelta(text="음"), ToolCallDelta(call_id="1", name="재고", arguments="{}")]


async def test_running_out_of_turns_names_the_model_and_the_question() -> None:
    model = ScriptedModel("a", name="scripted:short")
    await ask(model)
    with pytest.raises(ModelUnavailable, match=r"'scripted:short' has no turn for call 2, 'q'"):
        await ask(model, "q")


async def test_a_turn_kept_for_a_question_waits_for_it() -> None:
    model = ScriptedModel(When(contains="ERD", turn="tables"), "first", When(contains="PRD", turn="needs"))
    answers = [(await ask(model, question)).text for question in ("write the PRD", "hello", "now the ERD")]
    assert answers == ["needs", "first", "tables"]
    assert model.turns_left == 0
    with pytest.raises(ModelUnavailable, match="0 left"):
        await ask(model)


async def test_requests_are_recorded_and_closing_twice_is_harmless() -> None:
    model = ScriptedModel("a")
    await ask(model, "q")
    await model.close()
    await model.close()
    assert model.requests == [asking("q")]
    assert model.capabilities.tools


async def test_a_file_plays_text_calls_failures_and_cuts(tmp_path: Path) -> None:
    path = script(
        tmp_path,
        "# a recorded conversation",
        '{"text": "안녕", "usage": {"input": 5, "cache_read": 2, "output": 1}}',
        "",
        '{"tool_calls": [{"name": "재고", "arguments": {"sku": "가"}}, {"name": "b", "arguments": "{", "id": "own"}]}',
        '{"error": "RateLimited", "retry_after": 1}',
        '{"error": "ConnectionFailed", "text": "절", "message": "gone"}',
        '{"finish_reason": "length", "text": "cut"}',
        '{"when": "끝", "text": "bye"}',
    )
    model = ScriptedModel.from_file(path)
    assert model.name == f"scripted:{path}"
    assert (await ask(model, "끝")).text == "bye"
    first = await ask(model)
    assert first.usage == Usage(fresh_input=5, cache_read=2, output=1, model_calls=1)
    calls = await ask(model)
    assert calls.finish_reason == "tool_calls"
    assert calls.message.tool_calls == (
        ToolCall(id="call_4_1", name="재고", arguments='{"sku":"가"}'),
        ToolCall(id="own", name="b", arguments="{"),
    )
    with pytest.raises(RateLimited) as limited:
        await ask(model)
    assert limited.value.retry_after == 1
    with pytest.raises(ConnectionFailed, match="gone"):
        await ask(model)
    assert (await ask(model)).finish_reason == "length"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"text": 3}', r"line 2: .*\$\.text"),
        ('{"txt": "a"}', r"line 2: .*txt"),
        ('{"text": "a"', r"line 2: "),
        ('{"error": "Nope"}', r"line 2: no error 'Nope' - at `\$\.error`; known are .*RateLimited"),
        ('{"error": "RateLimited", "tool_calls": [{"name": "a"}]}', r"line 2: .*\$\.tool_calls"),
        ('{"when": "a"}', r"line 2: a turn needs"),
    ],
)
def test_a_bad_line_is_named_with_its_field(tmp_path: Path, line: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        ScriptedModel.from_file(script(tmp_path, '{"text": "fine"}', line))


def test_a_missing_an_empty_and_a_binary_script_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot read the script"):
        ScriptedModel.from_file(tmp_path / "none.jsonl")
    with pytest.raises(ConfigError, match="has no turn"):
        ScriptedModel.from_file(script(tmp_path, "# nothing"))
    (tmp_path / "turns.jsonl").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="cannot read the script"):
        ScriptedModel.from_file(tmp_path / "turns.jsonl")
