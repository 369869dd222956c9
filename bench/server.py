"""A model server for measuring clients: chat completions over loopback, in a process of its own.

The path says how it behaves, `/r3-l50-g0/v1/chat/completions`: 3 rounds of tool calls before the
answer, 50 ms before the first byte, 0 ms between the pieces of a stream (all pieces at once).
`GET /count` tells how many completions were served. Prints its port, then serves until stdin closes.
"""

import asyncio
import json
import os
import re
import sys
from typing import Any

from bench.workload import ANSWER

_PATH = re.compile(r"/r(\d+)-l(\d+)-g(\d+)/v1/chat/completions")
_USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}


def rounds_done(messages: list[dict[str, Any]]) -> int:
    """Tool rounds since the last thing a user said."""
    done = 0
    for message in reversed(messages):
        if message["role"] == "user":
            break
        done += message["role"] == "assistant" and bool(message.get("tool_calls"))
    return done


def message(body: dict[str, Any], rounds: int, serial: int) -> dict[str, Any]:
    """What the model says: a call of the tool of this round, or the answer."""
    done = rounds_done(body["messages"])
    if done >= rounds:
        return {"role": "assistant", "content": ANSWER}
    function = {"name": f"tool_{done}", "arguments": json.dumps({"sku": f"A-{done}", "n": 2})}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": f"call_{serial}", "type": "function", "function": function}],
    }


def chunks(said: dict[str, Any]) -> list[dict[str, Any]]:
    """The deltas of a stream: a word at a time, or a call's arguments in three pieces."""
    calls = said.get("tool_calls")
    if not calls:
        words = re.findall(r"\S+\s*", said["content"])
        return [{"role": "assistant", "content": ""}, *({"content": word} for word in words)]
    (call,) = calls
    text = call["function"]["arguments"]
    head = {"index": 0, **call, "function": {"name": call["function"]["name"], "arguments": ""}}
    cuts = (text[:8], text[8:16], text[16:])
    pieces = [{"tool_calls": [{"index": 0, "function": {"arguments": cut}}]} for cut in cuts]
    return [{"role": "assistant", "content": None, "tool_calls": [head]}, *pieces]


class Server:
    """Answers requests on keep-alive connections."""

    def __init__(self) -> None:
        self.served = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, until the client closes it."""
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                first, *lines = head.decode("latin-1").split("\r\n")
                fields = dict(line.lower().split(": ", 1) for line in lines if ": " in line)
                body = await reader.readexactly(int(fields.get("content-length", "0")))
                await self._answer(first.split(" ")[1], body, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _answer(self, path: str, body: bytes, writer: asyncio.StreamWriter) -> None:
        found = _PATH.fullmatch(path)
        if found is None:
            writer.write(_whole(str(self.served).encode()))
            return
        rounds, latency, gap = (int(group) for group in found.groups())
        request = json.loads(body)
        self.served += 1
        said, common = message(request, rounds, self.served), {"id": f"c{self.served}", "created": 1, "model": "m"}
        reason = "tool_calls" if said.get("tool_calls") else "stop"
        if latency:
            await asyncio.sleep(latency / 1000)
        if not request.get("stream"):
            choice = {"index": 0, "message": said, "finish_reason": reason, "logprobs": None}
            whole = {**common, "object": "chat.completion", "choices": [choice], "usage": _USAGE}
            writer.write(_whole(json.dumps(whole).encode()))
            return
        frames = [_HEAD, *(_frame(event) for event in _events(said, reason, common)), b"0\r\n\r\n"]
        for frame in frames if gap else [b"".join(frames)]:
            writer.write(frame)
            if gap:
                await asyncio.sleep(gap / 1000)


def _events(said: dict[str, Any], reason: str, common: dict[str, Any]) -> list[bytes]:
    choices: list[list[dict[str, Any]]] = [
        [{"index": 0, "delta": delta, "finish_reason": None, "logprobs": None}] for delta in chunks(said)
    ]
    choices.append([{"index": 0, "delta": {}, "finish_reason": reason, "logprobs": None}])
    base = {**common, "object": "chat.completion.chunk"}
    events = [{**base, "choices": one, "usage": None} for one in choices] + [{**base, "choices": [], "usage": _USAGE}]
    return [json.dumps(event).encode() for event in events] + [b"[DONE]"]


_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n"


def _frame(event: bytes) -> bytes:
    data = b"data: " + event + b"\n\n"
    return b"%x\r\n%s\r\n" % (len(data), data)


def _whole(body: bytes) -> bytes:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
    return head % len(body) + body


async def _main() -> None:
    server = await asyncio.start_server(Server().serve, "127.0.0.1", 0, limit=2**24, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    os._exit(0)  # open connections are the clients' affair


if __name__ == "__main__":
    asyncio.run(_main())
