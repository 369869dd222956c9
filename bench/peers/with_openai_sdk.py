"""The vendor's SDK in a loop written by hand: what most frameworks stand on."""
# Its packages are in an environment of their own, and its signatures are the peer's.
# pyright: basic, reportMissingImports=false

import json
from typing import Any

from bench.workload import BY_NAME, QUESTION, SCHEMAS, Turn
from openai import AsyncOpenAI

PACKAGE = "openai"


def over_http(base: str, stream: bool, history: list[dict[str, str]]) -> Turn:
    client = AsyncOpenAI(base_url=base, api_key="k")

    async def turn() -> str:
        messages: list[dict[str, Any]] = [*history, {"role": "user", "content": QUESTION}]
        while True:
            ask = _streamed if stream else _whole
            message = await ask(client, messages)
            messages.append(message)
            if not message.get("tool_calls"):
                return message["content"]
            for call in message["tool_calls"]:
                function = call["function"]
                result = await BY_NAME[function["name"]](**json.loads(function["arguments"]))
                messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})

    return turn


async def _whole(client: AsyncOpenAI, messages: list[Any]) -> dict[str, Any]:
    found = await client.chat.completions.create(model="m", messages=messages, tools=SCHEMAS)
    message = found.choices[0].message
    said: dict[str, Any] = {"role": "assistant", "content": message.content}
    if message.tool_calls:
        said["tool_calls"] = [
            {
                "id": one.id,
                "type": "function",
                "function": {"name": one.function.name, "arguments": one.function.arguments},
            }
            for one in message.tool_calls
        ]
    return said


async def _streamed(client: AsyncOpenAI, messages: list[Any]) -> dict[str, Any]:
    text: list[str] = []
    calls: dict[int, dict[str, Any]] = {}
    stream = await client.chat.completions.create(
        model="m", messages=messages, tools=SCHEMAS, stream=True, stream_options={"include_usage": True}
    )
    async for chunk in stream:
        for choice in chunk.choices:
            if choice.delta.content:
                text.append(choice.delta.content)
            for piece in choice.delta.tool_calls or ():
                call = calls.setdefault(piece.index, {"type": "function", "function": {"arguments": ""}})
                if piece.id:
                    call["id"] = piece.id
                if piece.function and piece.function.name:
                    call["function"]["name"] = piece.function.name
                if piece.function:
                    call["function"]["arguments"] += piece.function.arguments or ""
    said: dict[str, Any] = {"role": "assistant", "content": "".join(text)}
    if calls:
        said["tool_calls"] = list(calls.values())
    return said
