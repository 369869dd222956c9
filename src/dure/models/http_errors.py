"""Where failures of HTTP become ours: the only place that knows both worlds.

aiohttp exception  ─┐
HTTP status + body ─┼─▶ one `ModelError` class, by what a caller would do about it
error in a stream  ─┘
"""

import math
import ssl
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import cast

import aiohttp
import msgspec

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
from dure.messages import Json
from dure.models.shown_url import shown_url

_QUOTED = 240
_SHORTEST = 4
_TELLING = 8
"""Characters; the beginning of a key that is shorter gives nothing away."""

EXCEPTIONS: tuple[tuple[type[BaseException], type[ModelError]], ...] = (
    (TimeoutError, ModelTimeout),
    (aiohttp.ClientConnectorCertificateError, ModelUnavailable),
    (aiohttp.ServerFingerprintMismatch, ModelUnavailable),
    (aiohttp.ClientSSLError, ConnectionFailed),
    (aiohttp.InvalidURL, InvalidRequest),
    (aiohttp.NonHttpUrlClientError, InvalidRequest),
    (aiohttp.RedirectClientError, InvalidRequest),
    (aiohttp.ClientHttpProxyError, ConnectionFailed),
    (aiohttp.TooManyRedirects, InvalidRequest),
    (aiohttp.ClientResponseError, MalformedResponse),
    (aiohttp.ClientPayloadError, ConnectionFailed),
    (aiohttp.ClientConnectionError, ConnectionFailed),
    (aiohttp.ClientError, ConnectionFailed),
    (ssl.SSLError, ConnectionFailed),
    (OSError, ConnectionFailed),
)
"""Narrow classes first; `ClientError` at the end takes what a later aiohttp adds."""

CAUGHT = (aiohttp.ClientError, OSError)
"""What an adapter has to catch: `TimeoutError` is an `OSError`."""

_STATUS: Mapping[int, type[ModelError]] = {
    401: Unauthenticated,
    402: ModelUnavailable,
    403: Unauthenticated,
    404: ModelNotFound,
    408: ModelTimeout,
    409: ServerFailed,
    413: ContextTooLong,
    425: ServerFailed,
    429: RateLimited,
    504: ModelTimeout,
    524: ModelTimeout,
}

_TOO_LONG = (
    "context_length_exceeded",
    "exceed_context_size",
    "maximum context length",
    "context length",
    "context window",
    "context size",
    "prompt is too long",
    "input is too long",
    "too many tokens",
    "exceed context limit",
)
_NO_CREDIT = ("insufficient_quota", "billing_hard_limit", "credit balance", "specified api usage limits")

_KINDS: Mapping[str, type[ModelError]] = {
    "authentication_error": Unauthenticated,
    "invalid_api_key": Unauthenticated,
    "permission_error": Unauthenticated,
    "billing_error": ModelUnavailable,
    "insufficient_quota": ModelUnavailable,
    "model_not_found": ModelNotFound,
    "not_found_error": ModelNotFound,
    "invalid_request_error": InvalidRequest,
    "request_too_large": ContextTooLong,
    "context_length_exceeded": ContextTooLong,
    "rate_limit_error": RateLimited,
    "rate_limit_exceeded": RateLimited,
    "timeout_error": ModelTimeout,
    "overloaded_error": ServerFailed,
    "api_error": ServerFailed,
    "server_error": ServerFailed,
}
"""`type` or `code` of an error that comes without a status, as the vendors name them."""

_NEXT_STEP: Mapping[type[ModelError], str] = {
    Unauthenticated: "check the API key",
    ModelNotFound: "check the model's name and the base URL",
    ModelUnavailable: "check the account's plan and credit",
    ContextTooLong: "send less, or use a model with a larger context",
    ConnectionFailed: "check that the server runs and the base URL is right",
    ModelTimeout: "try again, or allow more time",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """An answer of the server that is not a result."""

    status: int
    body: bytes
    headers: Mapping[str, str]


def home_of(error: type[BaseException]) -> type[ModelError]:
    """Our class for an exception class of aiohttp or the sockets below it."""
    return next((ours for theirs, ours in EXCEPTIONS if issubclass(error, theirs)), ConnectionFailed)


def from_exception(error: BaseException, *, server: str) -> ModelError:
    """Our error for an exception of aiohttp; `server` is named in it."""
    ours = home_of(type(error))
    step = "check its certificate" if ours is ModelUnavailable else _NEXT_STEP.get(ours, "correct the base URL")
    return ours(f"{server}: {_short(str(error)) or type(error).__name__}; {step}")


def home_of_status(status: int, text: str = "") -> type[ModelError]:
    """Our class for a status that is not a success; `text` is the body, which tells some 400s apart."""
    lowered = text.lower()
    if status in (400, 413, 422, 500) and any(mark in lowered for mark in _TOO_LONG):
        return ContextTooLong
    if status in (400, 403, 429) and any(mark in lowered for mark in _NO_CREDIT):
        return ModelUnavailable
    return _STATUS.get(status, ServerFailed if status >= 500 else InvalidRequest)


def from_failure(failure: Failure, *, server: str, secrets: Sequence[str] = ()) -> ModelError:
    """Our error for a status other than success, with the body quoted shortly and no key in it."""
    text = failure.body.decode("utf-8", "replace")
    ours = home_of_status(failure.status, text)
    said = _short(without(secrets, error_text(text)))
    step = _NEXT_STEP.get(ours)
    if 300 <= failure.status < 400 and "Location" in failure.headers:
        step = (
            f"it sends on to {_short(without(secrets, shown_url(failure.headers['Location'])))!r}; correct the base URL"
        )
    message = f"{server} answered {failure.status}" + (f": {said}" if said else "") + (f"; {step}" if step else "")
    return ours(message, retry_after=retry_after(failure.headers))


def from_stream(error: Json, *, server: str) -> ModelError:
    """Our error for an error object inside a stream or inside a 200 answer."""
    text = msgspec.json.encode(error).decode()
    ours = ContextTooLong if any(mark in text.lower() for mark in _TOO_LONG) else _home_of_kind(error)
    step = _NEXT_STEP.get(ours)
    return ours(f"{server} failed while it answered: {_short(error_text(text))}" + (f"; {step}" if step else ""))


def without(secrets: Sequence[str], text: str) -> str:
    """The text with no secret in it, nor the beginning of one that was cut off."""
    for secret in secrets:
        if len(secret) < _SHORTEST or secret.isalpha():
            continue  # a word that stands in for a key where none is wanted
        shortest = min(_TELLING, len(secret))
        for length in range(len(secret), shortest - 1, -1):
            if secret[:length] in text:
                text = text.replace(secret[:length], "…")
                break
    return text


def hide(error: ModelError, secrets: Sequence[str]) -> ModelError:
    """The same error with no secret in its message."""
    said = str(error)
    shown = without(secrets, said)
    if shown != said:
        error.args = (shown,)
    return error


def _home_of_kind(error: Json) -> type[ModelError]:
    if not isinstance(error, Mapping):
        return ServerFailed
    fields = cast("Mapping[str, Json]", error)
    for key in ("code", "type"):
        value = fields.get(key)
        if isinstance(value, str) and value in _KINDS:
            return _KINDS[value]
        if isinstance(value, int) and 400 <= value < 600:
            return home_of_status(value, error_text(msgspec.json.encode(error).decode()))
    return ServerFailed


def error_text(body: str) -> str:
    """The message inside the usual error objects, or the body as it is."""
    try:
        value: Json = msgspec.json.decode(body)
    except msgspec.DecodeError:
        return body
    for key in ("error", "message", "detail"):
        if isinstance(value, dict):
            value = cast("dict[str, Json]", value).get(key, value)
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def retry_after(headers: Mapping[str, str], *, now: datetime | None = None) -> float | None:
    """Seconds the server asks to wait: a number, or an HTTP date against the server's own clock."""
    for name, unit in (("retry-after-ms", 0.001), ("Retry-After", 1.0)):
        try:
            seconds = float(headers[name]) * unit
        except (KeyError, ValueError):
            continue
        if math.isfinite(seconds):
            return max(0.0, seconds)
    try:
        until = _moment(headers["Retry-After"])
        start = now or (_moment(headers["Date"]) if "Date" in headers else datetime.now(UTC))
        return max(0.0, (until - start).total_seconds())
    except (KeyError, ValueError, TypeError, OverflowError):
        return None


def _moment(text: str) -> datetime:
    moment = parsedate_to_datetime(text)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _QUOTED else line[:_QUOTED] + "…"
