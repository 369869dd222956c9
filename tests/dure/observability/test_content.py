"""What was said: never on a span unless somebody asks, and then readable, valid JSON and of bounded length."""

import json
from typing import Any

import pytest
from recorded_telemetry import Recorded

from dure.chat import ChatRequest, ChatResponse, ToolDefinition
from dure.errors import InvalidRequest
from dure.messages import AssistantMessage, SystemMessage, ToolCall, ToolMessage, ToolResult, UserMessage
from dure.observability.content import LONGEST_ATTRIBUTE, LONGEST_TEXT, input_messages, output_messages, shortened
from dure.observability.open_telemetry import OpenTelemetry
from dure.run import RunContext
from dure.usage import Usage

SECRET = "주민번호 900101"
CALL = ToolCall(id="c1", name="찾기", arguments=json.dumps({"누구": SECRET}, ensure_ascii=False))
REQUEST = ChatRequest(
    messages=(
        SystemMessage(text=SECRET),
        UserMessage(text=SECRET),
        AssistantMessage(reasoning=SECRET, text=SECRET, tool_calls=(CALL,)),
        ToolMessage(results=(ToolResult(call_id="c1", name="찾기", text=SECRET),)),
    ),
    tools=(ToolDefinition(name="찾기", description="사람을 찾는다", parameters={"type": "object"}),),
)
ANSWER = ChatResponse(
    message=AssistantMessage(text=SECRET, tool_calls=(CALL,)), finish_reason="tool_calls", usage=Usage(model_calls=1)
)
VARIABLE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"


def say_everything(telemetry: OpenTelemetry) -> None:
    run = RunContext()
    with telemetry.agent(run, model="openai:m") as agent:
        with telemetry.chat(REQUEST, "openai:m", run) as chat:
            chat.answered(ANSWER)
        with telemetry.tool(CALL, REQUEST.tools[0], run) as tool:
            tool.finished(SECRET, is_error=True)
        agent.answered(ANSWER)
    with pytest.raises(InvalidRequest), telemetry.chat(REQUEST, "openai:m", run):
        raise InvalidRequest(SECRET)


def captured(recorded: Recorded) -> str:
    spans = recorded.spans
    return repr([(span.name, dict(span.attributes or {}), span.status.description, span.events) for span in spans])


@pytest.mark.parametrize("value", [None, "", "NO_CONTENT", "false", "EVENT_ONLY", "yes please"])
def test_nothing_that_was_said_is_recorded_unless_it_is_asked_for(
    recorded: Recorded, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, value: str | None
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    if value is not None:
        monkeypatch.setenv(VARIABLE, value)
    say_everything(OpenTelemetry(tracer_provider=recorded.tracers, meter_provider=recorded.meters))
    assert "900101" not in captured(recorded)
    assert len(recorded.spans) == 4
    told = [record.message for record in caplog.records]
    if value in ("EVENT_ONLY", "yes please"):
        assert len(told) == 1
        assert told[0].endswith(f"set {VARIABLE}=SPAN_ONLY")
    else:
        assert told == []


@pytest.mark.parametrize("value", ["SPAN_ONLY", "span_and_event", "true"])
def test_the_environment_can_ask_for_content(recorded: Recorded, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv(VARIABLE, value)
    say_everything(OpenTelemetry(tracer_provider=recorded.tracers))
    assert "gen_ai.input.messages" in captured(recorded)


@pytest.mark.parametrize("flag", [True, False])
def test_the_programmer_goes_before_the_environment(
    recorded: Recorded, monkeypatch: pytest.MonkeyPatch, flag: bool
) -> None:
    monkeypatch.setenv(VARIABLE, "NO_CONTENT" if flag else "SPAN_ONLY")
    say_everything(OpenTelemetry(tracer_provider=recorded.tracers, capture_content=flag))
    assert (SECRET in captured(recorded)) is flag


def test_content_is_recorded_in_the_shape_of_the_conventions_and_in_readable_hangul(recorded: Recorded) -> None:
    say_everything(OpenTelemetry(tracer_provider=recorded.tracers, capture_content=True))
    chat = dict(next(span for span in recorded.spans if span.name == "chat m").attributes or {})
    assert SECRET in str(chat["gen_ai.input.messages"])
    assert read(chat["gen_ai.system_instructions"]) == [{"type": "text", "content": SECRET}]
    call = {"type": "tool_call", "id": "c1", "name": "찾기", "arguments": {"누구": SECRET}}
    said = {"type": "text", "content": SECRET}
    assert read(chat["gen_ai.input.messages"]) == [
        {"role": "user", "parts": [said]},
        {"role": "assistant", "parts": [{"type": "reasoning", "content": SECRET}, said, call]},
        {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": SECRET}]},
    ]
    output = [{"role": "assistant", "parts": [said, call], "finish_reason": "tool_call"}]
    assert read(chat["gen_ai.output.messages"]) == output
    assert read(chat["gen_ai.tool.definitions"]) == [
        {"type": "function", "name": "찾기", "description": "사람을 찾는다"}
    ]
    assert read(recorded.attributes("invoke_agent agent")["gen_ai.output.messages"]) == output
    tool = recorded.attributes("execute_tool 찾기")
    assert (tool["gen_ai.tool.call.arguments"], tool["gen_ai.tool.call.result"]) == (CALL.arguments, SECRET)
    assert {span.status.description for span in recorded.spans} == {None, SECRET}


def read(value: Any) -> Any:  # noqa: ANN401 - JSON
    return json.loads(value)


def test_a_request_without_tools_or_instructions_has_no_empty_attributes_for_them(recorded: Recorded) -> None:
    telemetry = OpenTelemetry(tracer_provider=recorded.tracers, capture_content=True)
    with telemetry.chat(ChatRequest(messages=(UserMessage(text="go"),)), "openai:m", RunContext()):
        pass
    assert not {"gen_ai.system_instructions", "gen_ai.tool.definitions"} & recorded.attributes("chat m").keys()


def test_a_long_text_is_cut_and_says_how_much_is_missing() -> None:
    assert shortened("가" * LONGEST_TEXT) == "가" * LONGEST_TEXT
    assert shortened("가" * (LONGEST_TEXT + 1_234)) == "가" * LONGEST_TEXT + "… (+1,234 characters)"


def test_of_a_long_conversation_the_newest_messages_are_kept_in_order() -> None:
    messages = [UserMessage(text=f"{number} " + "x" * LONGEST_TEXT) for number in range(40)]
    text = input_messages(messages)
    assert len(text) < LONGEST_ATTRIBUTE + 200
    first, *kept = read(text)
    assert first["parts"][0]["content"] == f"({40 - len(kept)} earlier messages left out)"
    assert [one["parts"][0]["content"].split()[0] for one in kept] == [str(n) for n in range(40 - len(kept), 40)]


def test_a_single_message_is_kept_whatever_its_length() -> None:
    calls = tuple(ToolCall(id=str(n), name="t", arguments='"' + "x" * LONGEST_TEXT) for n in range(20))
    (message,) = read(input_messages([AssistantMessage(tool_calls=calls)]))
    assert len(message["parts"]) == 20


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ('{"a": [1]}', {"a": [1]}),
        ("", ""),
        ('{"a": ', '{"a": '),
        ('{"a": NaN}', '{"a": NaN}'),
        ("[" * 5_000, "[" * 5_000),
        ('{"a": "\\ud800"}', {"a": "�"}),
        ('{"a": "\ud800"}', {"a": "�"}),
    ],
)
def test_arguments_are_shown_as_what_they_are_and_always_as_json(arguments: str, shown: object) -> None:
    call = ToolCall(id="1", name="t", arguments=arguments)
    text = output_messages(ChatResponse(message=AssistantMessage(tool_calls=(call,))))
    text.encode()
    assert read(text)[0]["parts"] == [{"type": "tool_call", "id": "1", "name": "t", "arguments": shown}]
