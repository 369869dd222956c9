import http.client
import json
from typing import Any

from bench.cases import Case
from bench.sweep import Server, serving
from bench.workload import ANSWER

USER = {"role": "user", "content": "?"}


def ask(server: Server, messages: list[dict[str, Any]], **fields: object) -> bytes:
    case = Case(name="c", title="c", group="calls", rounds=1)
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    path = case.base(server.port).partition(str(server.port))[2] + "/chat/completions"
    connection.request("POST", path, json.dumps({"messages": messages, **fields}))
    response = connection.getresponse()
    assert response.status == 200
    data = response.read()
    connection.close()
    return data


def test_a_call_comes_first_then_the_answer_and_all_are_counted() -> None:
    with serving() as server:
        called = json.loads(ask(server, [USER]))["choices"][0]
        call = called["message"]
        results = {"role": "tool", "tool_call_id": call["tool_calls"][0]["id"], "content": "3"}
        answered = json.loads(ask(server, [USER, call, results]))["choices"][0]
        assert server.served() == 2
    assert (called["finish_reason"], call["tool_calls"][0]["function"]["name"]) == ("tool_calls", "tool_0")
    assert (answered["finish_reason"], answered["message"]["content"]) == ("stop", ANSWER)


def test_calls_before_the_last_question_do_not_count_as_rounds() -> None:
    with serving() as server:
        said = json.loads(ask(server, [USER]))["choices"][0]["message"]
        again = json.loads(ask(server, [USER, said, {"role": "tool", "content": "3"}, USER]))
    assert again["choices"][0]["finish_reason"] == "tool_calls"


def test_a_stream_has_the_same_call_in_pieces_and_the_usage_at_its_end() -> None:
    with serving() as server:
        whole = json.loads(ask(server, [USER]))["choices"][0]["message"]["tool_calls"][0]["function"]
        lines = ask(server, [USER], stream=True).split(b"\n\n")
    events = [json.loads(line.removeprefix(b"data: ")) for line in lines if line and line != b"data: [DONE]"]
    pieces = [
        piece["function"]
        for event in events
        for choice in event["choices"]
        for piece in choice["delta"].get("tool_calls", ())
    ]
    assert lines[-2:] == [b"data: [DONE]", b""]
    assert (pieces[0]["name"], "".join(piece["arguments"] for piece in pieces)) == (whole["name"], whole["arguments"])
    assert events[-1]["usage"]["prompt_tokens"] == 100
