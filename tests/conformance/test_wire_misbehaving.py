"""What every adapter makes of servers and proxies that do not do what HTTP and their own API say."""

import gzip
import logging

import pytest
from raw_server import Raw, chunked, http, raw_server
from wire_play import ASK, Outcome, asked, names_and_arguments
from wire_port import Call, Script, Wire

from dure.chat import ToolDefinition
from dure.errors import (
    ConnectionFailed,
    ContextTooLong,
    InvalidRequest,
    MalformedResponse,
    ModelError,
    Unauthenticated,
)

NOW = ToolDefinition(name="now", description="time", parameters={"type": "object", "properties": {}})
SCRIPT = Script(text=("재고는 ", "열두 개"), calls=(Call(id="call_a", name="now"),), finish="tool_calls")
TEXT = Script(text=("재고는 ", "열두 개"))
SECRET = "sk-proj-0123456789abcdef"


async def outcome(wire: Wire, answer: Raw | bytes, *, api_key: str | None = None) -> Outcome:
    async with raw_server(answer) as server:
        model = wire.open(server.address, api_key)
        try:
            return await asked(model, ASK.with_tools(NOW))
        finally:
            await model.close()


async def failure(wire: Wire, answer: Raw | bytes, *, api_key: str | None = None) -> ModelError:
    with pytest.raises(ModelError) as raised:
        await outcome(wire, answer, api_key=api_key)
    return raised.value


def whole(found: Outcome) -> bool:
    return found.response.text == "재고는 열두 개" and names_and_arguments(found.response) == [("now", "{}")]


async def cuts(wire: Wire, answers: list[bytes]) -> list[str]:
    """What came of each answer: a class of errors, or "whole"; nothing else passes."""
    found: list[str] = []
    pending = iter(answers)
    async with raw_server(lambda _: Raw(data=next(pending))) as server:
        model = wire.open(server.address)
        for _ in answers:
            try:
                answer = await asked(model, ASK.with_tools(NOW))
                assert whole(answer)
                found.append("whole")
            except ModelError as error:
                found.append(type(error).__name__ if error.retryable else "for good")
        await model.close()
    return found


async def test_a_connection_cut_anywhere_gives_an_error_or_the_whole_answer(wire: Wire) -> None:
    events = wire.stream(SCRIPT)
    body = b"".join(events)
    found = await cuts(wire, [http(body[:size], version="1.0", sized=False) for size in range(len(body) + 1)])
    complete = found.index("whole")
    assert complete > len(b"".join(events[:-3]))
    assert set(found[complete:]) == {"whole"}
    assert set(found[len(events[0]) : complete]) == {"ConnectionFailed"}
    assert set(found[: len(events[0])]) <= {"ConnectionFailed", "MalformedResponse"}


async def test_a_sized_answer_that_breaks_off_is_a_broken_connection(wire: Wire) -> None:
    body = b"".join(wire.stream(SCRIPT))
    for size in range(0, len(body) - len(wire.stream(SCRIPT)[-1]), 7):
        cut = Raw(data=http(body)[: size - len(body)].replace(b"HTTP/1.1", b"HTTP/1.0"))
        assert type(await failure(wire, cut)) is ConnectionFailed, size


async def test_chunks_without_the_last_one_are_a_broken_connection_unless_the_answer_was_complete(wire: Wire) -> None:
    events = wire.stream(SCRIPT)
    for count in range(1, len(events) - 2):
        cut = chunked(*events[:count], ended=False).replace(b"OK\r\n", b"OK\r\nConnection: close\r\n", 1)
        assert type(await failure(wire, cut)) is ConnectionFailed, count
    kept_open = Raw(data=chunked(*events, ended=False), held=True)
    assert whole(await outcome(wire, kept_open))


@pytest.mark.parametrize("version", ["1.0", "1.1"])
async def test_one_byte_at_a_time_is_the_same_answer(wire: Wire, version: str) -> None:
    data = http(b"".join(wire.stream(SCRIPT)), version=version, sized=False)
    assert whole(await outcome(wire, Raw(data=data, piece=1)))


async def test_an_answer_is_unpacked_however_its_bytes_come(wire: Wire) -> None:
    data = http(gzip.compress(b"".join(wire.stream(SCRIPT))), Content_Encoding="gzip")
    for piece in (0, 1, 7):
        assert whole(await outcome(wire, Raw(data=data, piece=piece)))


async def test_an_answer_that_cannot_be_unpacked_is_an_error(wire: Wire) -> None:
    body = b"".join(wire.stream(SCRIPT))
    found = await failure(wire, http(body, Content_Encoding="gzip"))
    assert found.retryable
    cut = gzip.compress(body)[: len(gzip.compress(body)) // 2]
    assert type(await failure(wire, http(cut, Content_Encoding="gzip"))) in (ConnectionFailed, MalformedResponse)


@pytest.mark.parametrize("kind", ["application/json", "text/plain", "application/octet-stream", "text/html; a=b"])
async def test_a_stream_of_another_name_is_read_as_what_it_is(wire: Wire, kind: str) -> None:
    assert whole(await outcome(wire, http(b"\n \n" + b"".join(wire.stream(SCRIPT)), kind=kind)))


@pytest.mark.parametrize("kind", ["text/event-stream", "application/x-ndjson", "text/plain", "x/y"])
async def test_a_whole_answer_of_another_name_is_read_as_what_it_is(wire: Wire, kind: str) -> None:
    assert whole(await outcome(wire, http(b" " + wire.whole(SCRIPT), kind=kind)))


async def test_lines_may_end_as_in_other_systems(wire: Wire) -> None:
    body = b"".join(wire.stream(SCRIPT)).replace(b"\n", b"\r\n")
    for piece in (0, 1):
        assert whole(await outcome(wire, Raw(data=http(body), piece=piece)))


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "307 Temporary", "308 Permanent"])
async def test_a_redirect_is_not_followed_and_says_where_to(wire: Wire, status: str) -> None:
    found = await failure(wire, http(b"", status=status, Location="https://new.invalid/v1?token=x"), api_key=SECRET)
    assert type(found) is InvalidRequest
    assert "'https://new.invalid/v1'; correct the base URL" in str(found)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00\x01\x02\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nx",
        b"HTTP/1.1 200 OK\r\nX: " + b"a" * 70_000 + b"\r\n\r\n",
        b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n",
        http(b"<html><title>Sign in</title></html>", kind="text/html"),
    ],
    ids=["nothing", "noise", "another protocol", "a wrong chunk", "a huge header", "no content", "a page"],
)
async def test_what_is_no_answer_at_all_is_an_error_worth_another_try(wire: Wire, data: bytes) -> None:
    found = await failure(wire, Raw(data=data.replace(b"200 OK\r\n", b"200 OK\r\nConnection: close\r\n", 1)))
    assert type(found) in (ConnectionFailed, MalformedResponse)


async def test_a_refusal_is_read_to_its_end_however_slowly_it_comes(wire: Wire) -> None:
    body = wire.error_body("prompt is too long: 210000 tokens > 200000 maximum")
    found = await failure(wire, Raw(data=http(body, status="400 Bad Request", kind="application/json"), piece=1))
    assert type(found) is ContextTooLong
    assert "210000 tokens" in str(found)


async def test_a_refusal_that_breaks_off_is_still_the_refusal(wire: Wire) -> None:
    data = http(wire.error_body("이유" * 50), status="401 Unauthorized", kind="application/json")[:-90]
    assert type(await failure(wire, data)) is Unauthenticated


@pytest.mark.parametrize("before", [0, 100, 225, 231, 236])
@pytest.mark.parametrize(
    "status", ["200 OK", "307 Temporary", "400 Bad Request", "401 Unauthorized", "429 Slow Down", "500 Oops"]
)
async def test_a_key_that_the_server_repeats_is_never_told(
    wire: Wire, caplog: pytest.LogCaptureFixture, status: str, before: int
) -> None:
    said = "x" * before + f" {SECRET} no"
    caplog.set_level(logging.DEBUG)
    for body in (said.encode(), wire.error_body(said), b"data: " + said.encode() + b"\n\n"):
        data = http(body, status=status, Location=f"http://{SECRET}@h.invalid/{SECRET}?k={SECRET}", sized=False)
        found = await failure(wire, data, api_key=SECRET)
        assert SECRET[:12] not in f"{found}{found.__cause__}"
    assert SECRET[:12] not in caplog.text


@pytest.mark.needs("stream error")
async def test_a_key_repeated_inside_a_stream_is_never_told(wire: Wire) -> None:
    events = (*wire.stream(TEXT)[:-2], wire.stream_error(f"no such key: {SECRET}"))
    found = await failure(wire, http(b"".join(events)), api_key=SECRET)
    assert "no such key: …" in str(found)


async def test_the_user_of_an_address_is_sent_and_never_told(wire: Wire) -> None:
    refused = http(b"who?", status="401 Unauthorized", kind="text/plain")
    async with raw_server(refused) as server:
        model = wire.open(server.address.replace("http://", "http://user:p4ssw0rd@"))
        with pytest.raises(Unauthenticated) as raised:
            await asked(model)
        await model.close()
    assert b"Authorization: Basic dXNlcjpwNHNzdzByZA==" in server.heads[0]
    assert "p4ssw0rd" not in str(raised.value)
    assert server.address in str(raised.value)
