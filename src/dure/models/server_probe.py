"""A short look at a server that may run here: does it answer, and which models does it serve."""

import http.client
from collections.abc import Sequence
from time import monotonic
from urllib.parse import urlsplit

import msgspec

_LARGEST = 1024 * 1024
PROBE_SECONDS = 0.5


class _Model(msgspec.Struct):
    id: str


class _Models(msgspec.Struct):
    data: list[_Model] | None = None


def served_models(base_url: str, *, api_key: str | None = None, seconds: float = PROBE_SECONDS) -> Sequence[str] | None:
    """Names from the server's `/models`, or `None` when nothing useful answers in time. Blocks that long."""
    base, mark, query = base_url.partition("?")
    body = fetched(f"{base.rstrip('/')}/models{mark}{query}", api_key=api_key, seconds=seconds)
    try:
        found = None if body is None else msgspec.json.decode(body, type=_Models)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    return None if found is None else [model.id for model in found.data or ()]


def fetched(url: str, *, api_key: str | None = None, seconds: float = PROBE_SECONDS) -> bytes | None:
    """The body of a 200 to a GET, or `None` for everything else. Blocks at most about `seconds`."""
    headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
    try:
        parts = urlsplit(url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(parts.hostname or "", parts.port, timeout=seconds)
        end = monotonic() + seconds
        try:
            connection.request("GET", f"{parts.path}?{parts.query}" if parts.query else parts.path, headers=headers)
            answer = connection.getresponse()
            return _whole(answer, end) if answer.status == 200 else None
        finally:
            connection.close()
    except (OSError, http.client.HTTPException, ValueError):
        return None


def _whole(answer: http.client.HTTPResponse, end: float) -> bytes | None:
    """The body, unless it is larger or takes longer than any list of models."""
    parts: list[bytes] = []
    left = _LARGEST
    while piece := answer.read1(left):
        parts.append(piece)
        left -= len(piece)
        if left <= 0 or monotonic() > end:
            return None
    return b"".join(parts)
