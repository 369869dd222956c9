import pytest

from dure.errors import MalformedResponse
from dure.models import sse
from dure.models.sse import EventParser, LineParser


def read(parser: EventParser | LineParser, data: bytes, size: int) -> list[bytes]:
    found = [one for start in range(0, len(data), size) for one in parser.feed(data[start : start + size])]
    return found + parser.end()


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_events_are_the_same_however_the_bytes_are_cut(size: int, end: bytes) -> None:
    text = ["\ufeff: ping", "data: 안녕", "", "event: x", "id: 1", "data:둘", "data: 셋", "", "", "data: [DONE]", ""]
    data = end.join(line.encode() for line in text)
    assert read(EventParser(), data, size) == ["안녕".encode(), "둘\n셋".encode(), b"[DONE]"]


def test_an_event_without_an_empty_line_at_the_end_still_counts() -> None:
    assert read(EventParser(), b"data: a\n\ndata: b", 4) == [b"a", b"b"]


def test_nothing_gives_no_event() -> None:
    assert read(EventParser(), b"", 1) == []
    assert read(EventParser(), b": only a comment\n\n", 5) == []


def test_a_line_that_never_ends_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse, "LONGEST_EVENT", 10)
    with pytest.raises(MalformedResponse, match="longer than 10"):
        read(EventParser(), b"data: " + b"x" * 20, 4)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_lines_keep_empty_ones(size: int) -> None:
    assert read(LineParser(), b"a\n\nb\r\nc", size) == [b"a", b"", b"b", b"c"]


def test_an_event_whose_lines_never_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse, "MOST_LINES", 3)
    parser = EventParser()
    assert parser.feed(b"data: a\n" * 3) == []
    with pytest.raises(MalformedResponse, match="more than 3 lines"):
        parser.feed(b"data: a\n")


def test_an_empty_chunk_between_a_carriage_return_and_its_line_feed_changes_nothing() -> None:
    parser = EventParser()
    found = [event for chunk in (b"data: a\r", b"", b"\ndata: b\r", b"\n", b"\r\n") for event in parser.feed(chunk)]
    assert found == [b"a\nb"]
