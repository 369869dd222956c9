"""The request body of Ollama's chat API, composed from bytes that are already encoded."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast

from dure.chat import ChatOptions, ChatRequest, ToolDefinition
from dure.errors import ConfigError
from dure.messages import Json
from dure.models.ollama_messages import encode_messages, encode_tools
from dure.models.openai_messages import encode
from dure.models.schema_dialect import Simplified, answer_schema
from dure.models.wire_names import WireNames
from dure.models.wire_tools import WireToolsCache

_OWN = frozenset({"model", "messages", "tools", "stream"})
_MOST_SCHEMAS = 256
_MUST_CALL = "Answer by calling one of the tools."
_KEEP_TO = "Of the JSON in the answer, where $ is the whole:\n{}"

Thinking = bool | Literal["low", "medium", "high"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What the model is going to read."""

    names: WireNames
    offered: tuple[ToolDefinition, ...]
    messages: bytes
    tools: bytes
    """The array, or empty when none is offered."""
    schema: Mapping[str, Json] | None
    """What the answer's grammar is made of."""

    @property
    def size(self) -> int:
        """Bytes."""
        return len(self.messages) + len(self.tools)


class Composer:
    """Turns requests into bodies, and keeps what it worked out of tools and schemas."""

    __slots__ = ("_keep_alive", "_model", "_schemas", "_tools")

    def __init__(self, model: str, *, keep_alive: str | float | None) -> None:
        self._model = encode(model)
        self._keep_alive = keep_alive
        self._tools = WireToolsCache(encode_tools)
        self._schemas: dict[bytes, Simplified] = {}

    def prompt(self, request: ChatRequest) -> Prompt:
        """Messages and tools as bytes; what the wire has no place for is said to the model in words.

        Raises:
            ConfigError: a schema refers to something that is not in it.
        """
        options = request.options
        offered = request.tools if options.tool_choice != "none" else ()
        tools = self._tools.get(offered)
        notes: list[str] = []
        simple = None if options.json_schema is None else self._simplified(options.json_schema)
        if simple is not None and simple.notes:
            notes.append(_KEEP_TO.format("\n".join(simple.notes)))
        if offered and options.tool_choice == "required":
            notes.append(_MUST_CALL)
        return Prompt(
            names=tools.names,
            offered=offered,
            messages=encode_messages(request.messages, tools.names, note="\n\n".join(notes)),
            tools=tools.encoded if offered else b"",
            schema=None if simple is None else simple.schema,
        )

    def body(self, prompt: Prompt, options: ChatOptions, *, num_ctx: int, think: Thinking | None) -> bytes:
        """The whole body.

        Raises:
            ConfigError: `options.extra` tries to replace the model, messages, tools or streaming.
        """
        fields = _fields(options, prompt.schema, num_ctx=num_ctx, think=think, keep_alive=self._keep_alive)
        parts = [b'{"model":', self._model, b',"messages":[', prompt.messages, b"]"]
        if prompt.tools:
            parts += [b',"tools":', prompt.tools]
        parts += [b",", encode(fields).removeprefix(b"{")]
        return b"".join(parts)

    def _simplified(self, schema: Mapping[str, Json]) -> Simplified:
        key = encode(schema)
        found = self._schemas.get(key)
        if found is None:
            if len(self._schemas) >= _MOST_SCHEMAS:
                self._schemas.clear()
            found = self._schemas[key] = answer_schema(schema)
        return found


def own_size(options: ChatOptions) -> int | None:
    """`num_ctx` of `options.extra["options"]`, where the caller sets it for this request.

    Raises:
        ConfigError: it is not a number of tokens.
    """
    size = _extra_options(options).get("num_ctx")
    if size is not None and (not isinstance(size, int) or isinstance(size, bool) or size < 1):
        raise ConfigError(f"ChatOptions.extra['options']['num_ctx'] must be a number of tokens, not {size!r}")
    return size


def _fields(
    options: ChatOptions,
    schema: Mapping[str, Json] | None,
    *,
    num_ctx: int,
    think: Thinking | None,
    keep_alive: str | float | None,
) -> dict[str, Json]:
    taken = _OWN.intersection(options.extra)
    if taken:
        raise ConfigError(f"ChatOptions.extra may not set {', '.join(sorted(taken))}; these come from the request")
    sampling: dict[str, Json] = {
        "temperature": options.temperature,
        "top_p": options.top_p,
        "num_predict": options.max_tokens,
        "seed": options.seed,
        "stop": list(options.stop) or None,
    }
    given = {name: value for name, value in sampling.items() if value is not None}
    fields: dict[str, Json] = {
        "stream": True,
        "truncate": False,  # refuse what does not fit, instead of dropping its front
        "shift": False,  # end the answer when the context is full, instead of forgetting the question
        "think": think,
        "format": schema,
        "keep_alive": keep_alive,
        **options.extra,
        "options": {**given, "num_ctx": num_ctx, **_extra_options(options)},
    }
    return {name: value for name, value in fields.items() if value is not None}


def _extra_options(options: ChatOptions) -> Mapping[str, Json]:
    given = options.extra.get("options", {})
    if not isinstance(given, Mapping):
        raise ConfigError(f"ChatOptions.extra['options'] must be a mapping of Ollama's options, not {given!r}")
    return cast("Mapping[str, Json]", given)
