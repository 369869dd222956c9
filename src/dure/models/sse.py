"""Lines and server-sent events out of bytes, whatever the chunks they arrive in.

Fed synchronously: a chunk goes in, what became complete comes out. Lines are cut at line feeds before
anything is decoded, so a letter split between two chunks is never harmed.
"""

from dure.errors import MalformedResponse

LONGEST_EVENT = 32 * 1024 * 1024
"""Bytes of one line; more is a server gone wrong."""
MOST_LINES = 10_000
"""Of one event."""
_BOM = b"\xef\xbb\xbf"


class LineParser:
    """Cuts a stream of bytes into lines without their ends."""

    __slots__ = ("_rest", "_size")

    def __init__(self) -> None:
        self._rest: list[bytes] = []
        self._size = 0

    def feed(self, chunk: bytes) -> list[bytes]:
        """The lines that `chunk` completes.

        Raises:
            MalformedResponse: a line never ends.
        """
        complete = chunk.split(b"\n")
        last = complete.pop()
        if complete and self._rest:
            self._rest.append(complete[0])
            complete[0] = b"".join(self._rest)
            self._rest.clear()
            self._size = 0
        if last:
            self._rest.append(last)
            self._size += len(last)
            if self._size > LONGEST_EVENT:
                raise MalformedResponse(f"a line of the stream is longer than {LONGEST_EVENT} bytes")
        return [line.removesuffix(b"\r") for line in complete]

    def end(self) -> list[bytes]:
        """The unfinished last line, if there is one."""
        rest, self._rest, self._size = b"".join(self._rest), [], 0
        return [rest.removesuffix(b"\r")] if rest else []


class EventParser:
    """Server-sent events: the payloads of `data:` lines; comments and other fields are left out."""

    __slots__ = ("_after_return", "_data", "_lines", "_started")

    def __init__(self) -> None:
        self._lines = LineParser()
        self._data: list[bytes] = []
        self._started = False
        self._after_return = False

    def feed(self, chunk: bytes) -> list[bytes]:
        """The data of each event that `chunk` completes, its lines joined by line feeds.

        Raises:
            MalformedResponse: a line or an event never ends.
        """
        if self._after_return or b"\r" in chunk:
            chunk = self._with_line_feeds(chunk)
        return self._events(self._lines.feed(chunk))

    def end(self) -> list[bytes]:
        """The data of an event that no empty line ended."""
        return self._events([*self._lines.end(), b""])

    def _with_line_feeds(self, chunk: bytes) -> bytes:
        """A line may end by a carriage return alone; a line feed just after one is part of the same end."""
        if self._after_return and chunk:
            chunk = chunk.removeprefix(b"\n")
            self._after_return = False
        self._after_return = chunk.endswith(b"\r") or (self._after_return and not chunk)
        return chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")

    def _events(self, lines: list[bytes]) -> list[bytes]:
        events: list[bytes] = []
        data = self._data
        for line in lines:
            if not self._started:
                line, self._started = line.removeprefix(_BOM), True
            if line.startswith(b"data:"):
                data.append(line[6:] if line[5:6] == b" " else line[5:])
            elif not line and data:
                events.append(data[0] if len(data) == 1 else b"\n".join(data))
                data.clear()
        if len(data) > MOST_LINES:
            raise MalformedResponse(f"an event of the stream has more than {MOST_LINES} lines")
        return events
