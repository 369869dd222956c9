import ssl
from datetime import UTC, datetime

import aiohttp
import pytest

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
from dure.models import http_errors
from dure.models.http_errors import (
    Failure,
    error_text,
    from_exception,
    from_failure,
    from_stream,
    home_of,
    home_of_status,
    retry_after,
    without,
)


def all_below(root: type[BaseException]) -> set[type[BaseException]]:
    return {root}.union(*(all_below(child) for child in root.__subclasses__()))


def failure(status: int, body: str, **headers: str) -> Failure:
    return Failure(status=status, body=body.encode(), headers={key.replace("_", "-"): headers[key] for key in headers})


WITHOUT_A_LINE_OF_THEIR_OWN = {"ClientError", "UploadAbortedError"}


@pytest.mark.parametrize("error", list(all_below(aiohttp.ClientError)), ids=str)
def test_every_exception_of_aiohttp_has_a_home(error: type[BaseException]) -> None:
    first = next(theirs for theirs, _ in http_errors.EXCEPTIONS if issubclass(error, theirs))
    assert issubclass(error, http_errors.CAUGHT)
    assert (first is aiohttp.ClientError) == (error.__name__ in WITHOUT_A_LINE_OF_THEIR_OWN)
    assert issubclass(home_of(error), ModelError)


@pytest.mark.parametrize(
    ("error", "home"),
    [
        (aiohttp.ServerTimeoutError, ModelTimeout),
        (aiohttp.ConnectionTimeoutError, ModelTimeout),
        (aiohttp.SocketTimeoutError, ModelTimeout),
        (TimeoutError, ModelTimeout),
        (aiohttp.ServerDisconnectedError, ConnectionFailed),
        (aiohttp.ClientConnectorError, ConnectionFailed),
        (aiohttp.ClientConnectorDNSError, ConnectionFailed),
        (aiohttp.ClientPayloadError, ConnectionFailed),
        (aiohttp.ClientConnectorCertificateError, ModelUnavailable),
        (aiohttp.ServerFingerprintMismatch, ModelUnavailable),
        (aiohttp.InvalidURL, InvalidRequest),
        (aiohttp.TooManyRedirects, InvalidRequest),
        (aiohttp.ContentTypeError, MalformedResponse),
        (ConnectionResetError, ConnectionFailed),
        (ssl.SSLError, ConnectionFailed),
        (RuntimeError, ConnectionFailed),
    ],
)
def test_an_exception_goes_where_the_caller_can_act(error: type[BaseException], home: type[ModelError]) -> None:
    assert home_of(error) is home


@pytest.mark.parametrize("status", [*range(300, 600)])
def test_every_status_has_a_home_and_only_those_that_may_pass_are_retryable(status: int) -> None:
    home = home_of_status(status)
    assert home is not ModelError
    assert home.retryable == (status >= 500 or status in (408, 409, 425, 429))


@pytest.mark.parametrize(
    ("status", "text", "home"),
    [
        (400, "", InvalidRequest),
        (400, '{"error":{"code":"context_length_exceeded"}}', ContextTooLong),
        (400, "This model's maximum context length is 8192 tokens", ContextTooLong),
        (400, '{"error":{"type":"exceed_context_size_error"}}', ContextTooLong),
        (500, "the request exceeds the available context size", ContextTooLong),
        (401, "", Unauthenticated),
        (402, "", ModelUnavailable),
        (403, "", Unauthenticated),
        (404, "", ModelNotFound),
        (408, "", ModelTimeout),
        (413, "", ContextTooLong),
        (422, "", InvalidRequest),
        (429, "", RateLimited),
        (429, '{"error":{"code":"insufficient_quota"}}', ModelUnavailable),
        (400, "Your credit balance is too low to access the API", ModelUnavailable),
        (400, "You have reached your specified API usage limits", ModelUnavailable),
        (400, "input length and `max_tokens` exceed context limit: 190000 + 64000 > 200000", ContextTooLong),
        (500, "", ServerFailed),
        (503, "", ServerFailed),
        (504, "", ModelTimeout),
        (529, "", ServerFailed),
    ],
)
def test_a_status_goes_where_the_caller_can_act(status: int, text: str, home: type[ModelError]) -> None:
    assert home_of_status(status, text) is home


def test_a_failure_names_the_server_quotes_shortly_and_hides_the_key() -> None:
    error = from_failure(
        failure(401, '{"error":{"message":"Incorrect API key provided: sk-secret"}}'),
        server="http://x",
        secrets=("sk-secret",),
    )
    assert str(error) == "http://x answered 401: Incorrect API key provided: …; check the API key"
    long = str(from_failure(failure(400, "x\n" * 5000), server="s"))
    assert len(long) < 300
    assert "\n" not in long
    assert str(from_failure(failure(500, ""), server="s")) == "s answered 500"


@pytest.mark.parametrize("cut", [0, 3, 12])
def test_a_key_cut_at_its_end_is_hidden_too(cut: int) -> None:
    secret = "sk-proj-0123456789abcdef"
    assert without([secret], f"key {secret[: len(secret) - cut]}") == "key …"


@pytest.mark.parametrize("word", ["ollama", "EMPTY", "x", "no1"])
def test_a_word_that_stands_in_for_a_key_is_no_secret(word: str) -> None:
    assert without([word], f"{word} failed") == f"{word} failed"


def test_an_exception_names_the_server_and_the_next_step() -> None:
    assert "http://x: TimeoutError; try again" in str(from_exception(TimeoutError(), server="http://x"))
    assert "certificate" in str(from_exception(aiohttp.ServerFingerprintMismatch(b"", b"", "h", 1), server="s"))
    assert str(from_exception(aiohttp.InvalidURL("x:y"), server="s")) == "s: x:y; correct the base URL"


@pytest.mark.parametrize(
    ("error", "home"),
    [
        ({"message": "overloaded"}, ServerFailed),
        ("prompt is too long", ContextTooLong),
        ("busy", ServerFailed),
        ({"type": "overloaded_error", "message": "Overloaded"}, ServerFailed),
        ({"type": "rate_limit_error", "message": "slow down"}, RateLimited),
        ({"type": "tokens", "code": "rate_limit_exceeded", "message": "slow down"}, RateLimited),
        ({"code": 429, "message": "slow down"}, RateLimited),
        ({"code": 503, "message": "later", "type": "unavailable_error"}, ServerFailed),
        ({"code": 400, "message": "bad", "type": "BadRequestError"}, InvalidRequest),
        ({"code": 0, "message": "odd"}, ServerFailed),
        ({"type": "timeout_error", "message": "late"}, ModelTimeout),
        ({"type": "authentication_error", "message": "who?"}, Unauthenticated),
        ({"type": "permission_error", "message": "no"}, Unauthenticated),
        ({"type": "not_found_error", "message": "where?"}, ModelNotFound),
        ({"type": "billing_error", "message": "pay"}, ModelUnavailable),
        ({"type": "insufficient_quota", "message": "pay"}, ModelUnavailable),
        ({"type": "invalid_request_error", "message": "bad"}, InvalidRequest),
        ({"type": "request_too_large", "message": "huge"}, ContextTooLong),
        ({"type": "a new one", "message": "?"}, ServerFailed),
    ],
)
def test_an_error_inside_a_stream_goes_where_the_caller_can_act(error: object, home: type[ModelError]) -> None:
    found = from_stream(error, server="s")
    assert type(found) is home
    assert str(found).startswith("s failed while it answered: ")


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ('{"error":{"message":"a"}}', "a"),
        ('{"error":"b"}', "b"),
        ('{"message":"c"}', "c"),
        ('{"detail":[{"loc":"x"}]}', '[{"loc":"x"}]'),
        ("<html>", "<html>"),
        ("[1]", "[1]"),
    ],
)
def test_the_message_is_taken_from_the_usual_shapes(body: str, text: str) -> None:
    assert error_text(body) == text


def test_retry_after_understands_seconds_milliseconds_and_dates() -> None:
    date = "Wed, 21 Oct 2026 07:28:30 GMT"
    assert retry_after({}) is None
    assert retry_after({"Retry-After": "2"}) == 2.0
    assert retry_after({"Retry-After": "3600"}) == 3600.0
    assert retry_after({"Retry-After": "-5"}) == 0.0
    assert retry_after({"retry-after-ms": "1500", "Retry-After": "9"}) == 1.5
    assert retry_after({"Retry-After": date, "Date": "Wed, 21 Oct 2026 07:28:00 GMT"}) == 30.0
    assert retry_after({"Retry-After": date}, now=datetime(2026, 10, 21, 7, 29, tzinfo=UTC)) == 0.0
    assert retry_after({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0.0
    assert retry_after({"Retry-After": "soon"}) is None
    assert retry_after({"retry-after-ms": "soon"}) is None
    assert retry_after({"retry-after-ms": "soon", "Retry-After": "2"}) == 2.0
    assert retry_after({"Retry-After": "Wed, 21 Oct 2026 07:28:30 -0000", "Date": date}) == 0.0
    for odd in ("inf", "nan", "1e999", "", "Wed, 99 Oct 2026 99:00:00 GMT", "Wed, 21 Oct 2026 07:28:30 +9999"):
        assert retry_after({"Retry-After": odd}, now=datetime(2026, 10, 21, tzinfo=UTC)) is None, odd
