"""Server-sent events from bytes: the payloads of `data:` lines, whatever the chunks they arrive in.

Lines are cut at line feeds before anything is decoded, so a letter split between two chunks is never
harmed.
"""

from collections.abc import AsyncIterable, AsyncIterator

from dure.errors import MalformedResponse

_LONGEST_EVENT = 32 * 1024 * 1024
_BOM = b"\xef\xbb\xbf"


async def lines(chunks: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
    """Lines without their ends; an unfinished last line counts.

    Raises:
        MalformedResponse: a line never ends.
    """
    rest: list[bytes] = []
    size = 0
    async for chunk in chunks:
        *complete, last = chunk.split(b"\n")
        for piece in complete:
            rest.append(piece)
            yield b"".join(rest).removesuffix(b"\r")
            rest.clear()
            size = 0
        rest.append(last)
        size += len(last)
        if size > _LONGEST_EVENT:
            raise MalformedResponse(f"a line of the stream is longer than {_LONGEST_EVENT} bytes")
    if size:
        yield b"".join(rest).removesuffix(b"\r")


async def events(chunks: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
    """The data of each event, its lines joined by line feeds; comments and other fields are left out."""
    data: list[bytes] = []
    first = True
    async for line in lines(chunks):
        if first:
            line, first = line.removeprefix(_BOM), False
        if line.startswith(b"data:"):
            data.append(line[5:].removeprefix(b" "))
        elif not line and data:
            yield b"\n".join(data)
            data.clear()
    if data:
        yield b"\n".join(data)
