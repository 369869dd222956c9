"""The floor: the honest minimum written by hand with aiohttp and the standard library's json."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
from bench.workload import BY_NAME, QUESTION, SCHEMAS, Script, Turn

PACKAGE = "aiohttp"
Ask = Callable[[list[dict[str, Any]]], Awaitable[dict[str, Any]]]


def scripted() -> Turn:
    script = Script()

    async def ask(messages: list[dict[str, Any]]) -> dict[str, Any]:
        said = script.next()
        if said.text:
            return {"role": "assistant", "content": said.text}
        function = {"name": said.tool, "arguments": said.arguments}
        return {"role": "assistant", "tool_calls": [{"id": said.call_id, "type": "function", "function": function}]}

    async def turn() -> str:
        return await _loop([{"role": "user", "content": QUESTION}], ask)

    return turn


def over_http(base: str, stream: bool, history: list[dict[str, str]]) -> Turn:
    sessions: list[aiohttp.ClientSession] = []
    headers = {"Content-Type": "application/json", "Authorization": "Bearer k"}

    async def ask(messages: list[dict[str, Any]]) -> dict[str, Any]:
        body: dict[str, Any] = {"model": "m", "messages": messages, "tools": SCHEMAS, "stream": stream}
        if stream:
            body["stream_options"] = {"include_usage": True}
        if not sessions:
            sessions.append(aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)))
        async with sessions[0].post(f"{base}/chat/completions", data=json.dumps(body), headers=headers) as response:
            if stream:
                return await _streamed(response)
            message: dict[str, Any] = json.loads(await response.read())["choices"][0]["message"]
            return message

    async def turn() -> str:
        return await _loop([*history, {"role": "user", "content": QUESTION}], ask)

    return turn


async def _loop(messages: list[dict[str, Any]], ask: Ask) -> str:
    while True:
        message = await ask(messages)
        messages.append(message)
        if not message.get("tool_calls"):
            return message["content"]
        for call in message["tool_calls"]:
            function = call["function"]
            result = await BY_NAME[function["name"]](**json.loads(function["arguments"]))
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})


async def _streamed(response: aiohttp.ClientResponse) -> dict[str, Any]:
    text: list[str] = []
    calls: dict[int, dict[str, Any]] = {}
    async for line in response.content:
        if not line.startswith(b"data: "):
            continue
        if line == b"data: [DONE]\n":
            break
        for choice in json.loads(line[6:])["choices"]:
            delta = choice["delta"]
            if delta.get("content"):
                text.append(delta["content"])
            for piece in delta.get("tool_calls") or ():
                call = calls.setdefault(piece["index"], {"type": "function", "function": {"arguments": ""}})
                if piece.get("id"):
                    call["id"] = piece["id"]
                if piece["function"].get("name"):
                    call["function"]["name"] = piece["function"]["name"]
                call["function"]["arguments"] += piece["function"].get("arguments") or ""
    message: dict[str, Any] = {"role": "assistant", "content": "".join(text)}
    if calls:
        message["tool_calls"] = list(calls.values())
    return message
