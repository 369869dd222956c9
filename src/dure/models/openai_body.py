"""The request body of chat completions, composed from bytes that are already encoded."""

from collections.abc import Mapping
from typing import cast

from dure.chat import ChatOptions, ChatRequest
from dure.errors import ConfigError
from dure.messages import Json
from dure.models.base import ModelCapabilities
from dure.models.openai_messages import encode, encode_messages, encode_tools
from dure.models.wire_names import WireNames
from dure.models.wire_tools import WireToolsCache
from dure.schema import StrictForm, strict_form

_OWN = frozenset({"model", "messages", "tools", "stream", "n"})
_OF_TOOLS = ("tool_choice", "parallel_tool_calls")
"""Fields that are refused where no tools are sent."""
_REASONING_MODELS = ("o1", "o3", "o4", "gpt-5")


def is_openai_host(host: str) -> bool:
    """Whether the vendor itself answers, whose newer fields and refusals then apply."""
    return host == "api.openai.com" or host.endswith((".openai.com", ".openai.azure.com"))


def is_reasoning_model(model: str) -> bool:
    """Whether the name is of a family that wants `max_completion_tokens` and refuses sampling options."""
    return model.rpartition("/")[2].lower().startswith(_REASONING_MODELS)


class BodyComposer:
    """Makes the bodies of one model's requests; what stays the same from call to call is encoded once."""

    __slots__ = ("_capabilities", "_fields", "_host", "_model", "_options", "_start", "_stream", "_tools")

    def __init__(self, model: str, *, host: str, capabilities: ModelCapabilities, stream: bool = True) -> None:
        self._model = model
        self._host = host
        self._capabilities = capabilities
        self._stream = stream
        self._start = b'{"model":' + encode(model) + b',"messages":['
        self._tools = WireToolsCache(encode_tools)
        self._options: ChatOptions | None = None
        self._fields = b""

    def compose(self, request: ChatRequest) -> tuple[bytes, WireNames]:
        """The whole body, and the names its tools have there.

        Raises:
            ConfigError: `options.extra` tries to replace the model, messages, tools or streaming, or asks for several
                answers; or something cannot be sent as JSON.
        """
        tools, options = self._tools.get(request.tools), request.options
        parts = [self._start, encode_messages(request.messages, tools.names), b"]"]
        if request.tools:
            parts += (b',"tools":', tools.encoded)
            if options.tool_choice is not None and "tool_choice" not in options.extra:
                parts += (b',"tool_choice":', encode(options.tool_choice))
        parts.append(self._encoded(options, has_tools=bool(request.tools)))
        return b"".join(parts), tools.names

    def _encoded(self, options: ChatOptions, *, has_tools: bool) -> bytes:
        """What follows the messages and tools, to the end."""
        if options is self._options:
            return self._fields
        fields: dict[str, Json] = {"stream": True, "stream_options": {"include_usage": True}} if self._stream else {}
        fields |= _fields(options, model=self._model, host=self._host, capabilities=self._capabilities)
        without = () if has_tools else _OF_TOOLS
        fields = {name: value for name, value in fields.items() if value is not None and name not in without}
        encoded = b"," + encode(fields)[1:] if fields else b"}"
        if options.json_schema is None and not options.extra:  # those are mappings, which their owner may change
            self._options, self._fields = options, encoded
        return encoded


def _fields(options: ChatOptions, *, model: str, host: str, capabilities: ModelCapabilities) -> dict[str, Json]:
    fixed = is_reasoning_model(model)
    limit = "max_completion_tokens" if fixed or is_openai_host(host) else "max_tokens"
    fields: dict[str, Json] = {
        "temperature": None if fixed else options.temperature,
        "top_p": None if fixed else options.top_p,
        limit: options.max_tokens,
        "seed": options.seed,
        "stop": list(options.stop) or None,
        "reasoning_effort": "none" if options.reasoning == "off" else options.reasoning,
        "prompt_cache_key": options.cache_key if is_openai_host(host) else None,
    }
    if options.grammar is not None and capabilities.grammar:
        fields["grammar"] = options.grammar
    elif options.json_schema is not None and capabilities.json_schema:
        fields["response_format"] = _response_format(options.json_schema, host)
    taken = _OWN.intersection(options.extra)
    if taken:
        raise ConfigError(f"ChatOptions.extra may not set {', '.join(sorted(taken))}; these come from the request")
    return {**fields, **options.extra}


def _response_format(schema: Mapping[str, Json], host: str) -> Json:
    form = strict_form(schema) if is_openai_host(host) else StrictForm(schema=schema, strict=_is_strict(schema))
    described = {"name": "answer", "schema": dict(form.schema), "strict": form.strict}
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
