"""What every adapter makes of a failure."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from wire_play import ASK, asked, over_wire, streamed
from wire_port import Call, Script, Wire
from wire_server import Reply, serving

from dure.advisors.retry import RetryAdvisor
from dure.client.chat_client import ChatClient
from dure.errors import (
    ConnectionFailed,
    ContextTooLong,
    InvalidRequest,
    MalformedResponse,
    ModelError,
    ModelNotFound,
    ModelTimeout,
    ModelUnavailable,
    RateLimited,
    ServerFailed,
    Unauthenticated,
)
from dure.events import Event, Restarted, TextDelta
from dure.run import RunContext

TEXT = Script(text=("재고는 ", "열두 개"))
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


async def failure(wire: Wire, *replies: Reply) -> ModelError:
    with pytest.raises(ModelError) as raised:
        await over_wire(wire, *replies)
    return raised.value


def refused(wire: Wire, status: int, message: str = "no", **headers: str) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(body=wire.error_body(message), status=status, content_type="application/json", headers=named)


@pytest.mark.parametrize(
    ("status", "error", "again"),
    [
        (400, InvalidRequest, False),
        (401, Unauthenticated, False),
        (402, ModelUnavailable, False),
        (403, Unauthenticated, False),
        (404, ModelNotFound, False),
        (413, ContextTooLong, False),
        (422, InvalidRequest, False),
        (429, RateLimited, True),
        (500, ServerFailed, True),
        (502, ServerFailed, True),
        (503, ServerFailed, True),
        (504, ModelTimeout, True),
        (529, ServerFailed, True),
    ],
)
async def test_a_status_says_what_to_do(wire: Wire, status: int, error: type[ModelError], again: bool) -> None:
    found = await failure(wire, refused(wire, status, "이유가 있다"))
    assert type(found) is error
    assert found.retryable is again
    assert "이유가 있다" in str(found)


async def test_a_request_with_too_many_tokens_is_told_apart(wire: Wire) -> None:
    found = await failure(wire, refused(wire, 400, "prompt is too long: 210000 tokens > 200000 maximum"))
    assert type(found) is ContextTooLong


async def test_the_wait_a_provider_asks_for_is_kept(wire: Wire) -> None:
    assert (await failure(wire, refused(wire, 429, Retry_After="2"))).retry_after == 2
    assert (await failure(wire, refused(wire, 529, Retry_After="3600"))).retry_after == 3600
    assert (await failure(wire, refused(wire, 429))).retry_after is None


async def test_a_wait_until_a_date_is_counted_from_the_server_s_own_clock(wire: Wire) -> None:
    dates = {"Date": format_datetime(NOON, usegmt=True)}
    until = format_datetime(NOON + timedelta(seconds=90), usegmt=True)
    assert (await failure(wire, refused(wire, 429, **dates, Retry_After=until))).retry_after == 90


async def test_an_error_body_of_no_known_shape_is_quoted(wire: Wire) -> None:
    found = await failure(wire, Reply(body="<h1>나쁜 문</h1>".encode(), status=502, content_type="text/html"))
    assert "나쁜 문" in str(found)


@pytest.mark.needs("stream error")
async def test_an_error_inside_a_stream_comes_after_the_text_before_it(wire: Wire) -> None:
    body = b"".join(wire.stream(TEXT)[:-2]) + wire.stream_error("지금은 바쁩니다")
    events: list[Event] = []
    async with serving(Reply(body=body)) as server:
        model = wire.open(server.address)
        with pytest.raises(ServerFailed, match="지금은 바쁩니다") as raised:
            await model.chat(ASK, RunContext(sink=events.append))
        await model.close()
    assert raised.value.retryable
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == "재고는 열두 개"


@pytest.mark.parametrize("broken", [True, False], ids=["cut off", "ended early"])
async def test_an_answer_without_its_end_is_a_broken_connection(wire: Wire, broken: bool) -> None:
    events = wire.stream(Script(text=("재고는 ",), calls=(Call(id="call_a", name="now"),), finish="tool_calls"))
    for count in range(1, len(events) - 2):
        found = await failure(wire, Reply(body=b"".join(events[:count]), broken=broken))
        assert type(found) is ConnectionFailed, count
        assert found.retryable


async def test_a_server_that_hangs_up_at_once_is_a_broken_connection(wire: Wire) -> None:
    assert type(await failure(wire, Reply(broken=True))) is ConnectionFailed


async def test_a_server_that_is_not_there_is_a_broken_connection(wire: Wire) -> None:
    async with serving(Reply()) as server:
        address = server.address
    model = wire.open(address)
    with pytest.raises(ConnectionFailed, match="check that the server runs"):
        await asked(model)
    await model.close()


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"", "text/event-stream"),
        (b"", "application/json"),
        (b"<html>login</html>", "text/html"),
        (b"data: {not json}\n\n", "text/event-stream"),
        (b"[]", "application/json"),
        (b"{}", "application/json"),
    ],
    ids=["no event", "no body", "a page", "broken event", "a list", "an empty object"],
)
async def test_an_answer_of_another_kind_is_named(wire: Wire, body: bytes, kind: str) -> None:
    assert type(await failure(wire, Reply(body=body, content_type=kind))) is MalformedResponse


async def test_a_passing_failure_is_tried_again_and_told(wire: Wire) -> None:
    waited: list[float] = []

    async def wait(seconds: float) -> None:
        waited.append(seconds)

    busy = refused(wire, 529, "busy", Retry_After="2")
    broken = Reply(body=b"".join(wire.stream(TEXT)[:-2]), broken=True)
    async with serving(busy, broken, streamed(wire, TEXT)) as server:
        client = ChatClient(wire.open(server.address), advisors=(RetryAdvisor(sleep=wait, chance=lambda: 0.0),))
        events = [event async for event in client.prompt("몇 개?").stream()]
        await client.model.close()
    assert len(server.bodies) == 3
    assert len(set(server.bodies)) == 1
    assert waited == [2.0, 1.0]
    assert len([event for event in events if isinstance(event, Restarted)]) == 2


async def test_a_refusal_is_never_tried_again(wire: Wire) -> None:
    async with serving(refused(wire, 400)) as server:
        client = ChatClient(wire.open(server.address))
        with pytest.raises(InvalidRequest):
            await client.prompt("몇 개?").text()
        await client.model.close()
    assert len(server.bodies) == 1
