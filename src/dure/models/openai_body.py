"""The request body of chat completions, composed from bytes that are already encoded."""

from collections.abc import Mapping
from typing import cast

from dure.chat import ChatOptions, ChatRequest
from dure.errors import ConfigError
from dure.messages import Json
from dure.models.base import ModelCapabilities
from dure.models.openai_messages import encode, encode_messages, encode_tools
from dure.models.wire_names import WireNames

_OWN = frozenset({"model", "messages", "tools", "stream"})
_REASONING_MODELS = ("o1", "o3", "o4", "gpt-5")


def is_openai_host(host: str) -> bool:
    """Whether the vendor itself answers, whose newer fields and refusals then apply."""
    return host == "api.openai.com" or host.endswith((".openai.com", ".openai.azure.com"))


def is_reasoning_model(model: str) -> bool:
    """Whether the name is of a family that wants `max_completion_tokens` and refuses sampling options."""
    return model.rpartition("/")[2].lower().startswith(_REASONING_MODELS)


def compose(request: ChatRequest, *, model: str, host: str, capabilities: ModelCapabilities, names: WireNames) -> bytes:
    """The whole body.

    Raises:
        ConfigError: `options.extra` tries to replace the model, messages, tools or streaming.
    """
    fields = _fields(request.options, model=model, host=host, capabilities=capabilities)
    parts = [b'{"model":', encode(model), b',"messages":[', encode_messages(request.messages, names), b"]"]
    if request.tools:
        parts += [b',"tools":', encode_tools(request.tools, names)]
        if request.options.tool_choice is not None:
            fields = {"tool_choice": request.options.tool_choice, **fields}
    parts += [b",", encode(fields).removeprefix(b"{")]
    return b"".join(parts)


def _fields(options: ChatOptions, *, model: str, host: str, capabilities: ModelCapabilities) -> dict[str, Json]:
    fixed = is_reasoning_model(model)
    limit = "max_completion_tokens" if fixed or is_openai_host(host) else "max_tokens"
    fields: dict[str, Json] = {
        "stream": True,
        "stream_options": {"include_usage": True},
        "temperature": None if fixed else options.temperature,
        "top_p": None if fixed else options.top_p,
        limit: options.max_tokens,
        "seed": options.seed,
        "stop": list(options.stop) or None,
    }
    if options.grammar is not None and capabilities.grammar:
        fields["grammar"] = options.grammar
    elif options.json_schema is not None and capabilities.json_schema:
        fields["response_format"] = _response_format(options.json_schema)
    taken = _OWN.intersection(options.extra)
    if taken:
        raise ConfigError(f"ChatOptions.extra may not set {', '.join(sorted(taken))}; these come from the request")
    fields |= options.extra
    return {name: value for name, value in fields.items() if value is not None}


def _response_format(schema: Mapping[str, Json]) -> Json:
    described = {"name": "answer", "schema": dict(schema), "strict": _is_strict(schema)}
    return {"type": "json_schema", "json_schema": described}


def _is_strict(schema: Json) -> bool:
    # The vendor's strict mode refuses objects that are open or have optional fields; then it is only asked to try.
    if isinstance(schema, (list, tuple)):
        return all(_is_strict(item) for item in cast("list[Json]", schema))
    if not isinstance(schema, Mapping):
        return True
    node = cast("Mapping[str, Json]", schema)
    if node.get("type") == "object":
        properties = set(cast("Mapping[str, Json]", node.get("properties") or {}))
        if node.get("additionalProperties") is not False or properties != set(node.get("required") or ()):
            return False
    return all(_is_strict(value) for value in node.values())
