from collections.abc import AsyncIterator

import pytest

from dure.errors import MalformedResponse
from dure.models import sse
from dure.models.sse import events, lines


async def chunked(data: bytes, size: int) -> AsyncIterator[bytes]:
    for start in range(0, len(data), size):
        yield data[start : start + size]


async def read(data: bytes, size: int) -> list[bytes]:
    return [event async for event in events(chunked(data, size))]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
async def test_events_are_the_same_however_the_bytes_are_cut(size: int, end: bytes) -> None:
    text = ["\ufeff: ping", "data: 안녕", "", "event: x", "id: 1", "data:둘", "data: 셋", "", "", "data: [DONE]", ""]
    data = end.join(line.encode() for line in text)
    assert await read(data, size) == ["안녕".encode(), "둘\n셋".encode(), b"[DONE]"]


async def test_an_event_without_an_empty_line_at_the_end_still_counts() -> None:
    assert await read(b"data: a\n\ndata: b", 4) == [b"a", b"b"]


async def test_nothing_gives_no_event() -> None:
    assert await read(b"", 1) == []
    assert await read(b": only a comment\n\n", 5) == []


async def test_a_line_that_never_ends_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse, "_LONGEST_EVENT", 10)
    with pytest.raises(MalformedResponse, match="longer than 10"):
        await read(b"data: " + b"x" * 20, 4)


async def test_lines_keep_empty_ones() -> None:
    assert [line async for line in lines(chunked(b"a\n\nb", 2))] == [b"a", b"", b"b"]
