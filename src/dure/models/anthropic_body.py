"""The request body of the Messages API, composed from bytes that are already encoded."""

import logging

from dure.chat import ChatOptions, ChatRequest
from dure.messages import AssistantMessage, UserMessage
from dure.models.anthropic_messages import (
    NO_TOOL,
    calls_tools,
    encode_system,
    encode_tools,
    encode_turns,
    marked_tools,
    own_blocks,
)
from dure.models.anthropic_options import Plan, plan
from dure.models.anthropic_traits import Traits
from dure.models.openai_messages import encode
from dure.models.wire_names import WireNames
from dure.models.wire_tools import WireToolsCache

_MARKS = {
    None: b"",
    "5m": b',"cache_control":{"type":"ephemeral"}',
    "1h": b',"cache_control":{"type":"ephemeral","ttl":"1h"}',
}
_logger = logging.getLogger(__name__)


class MessageComposer:
    """Makes the bodies of one model's requests; what stays the same from call to call is encoded once."""

    __slots__ = ("_last", "_model", "_name", "_start", "_told", "_tools", "_traits")

    def __init__(self, model: str, *, name: str, traits: Traits) -> None:
        self._model = model
        self._name = name
        self._traits = traits
        self._start = b'{"model":' + encode(model) + b","
        self._tools = WireToolsCache(encode_tools)
        self._last: tuple[ChatOptions, bool, bool, Plan, bytes] | None = None
        self._told: set[str] = set()

    def compose(self, request: ChatRequest) -> tuple[bytes, WireNames]:
        """The whole body, and the names its tools have there.

        At most four marks for the provider's cache: the end of the tools, of the system texts, and of the last two
        user turns, so that the next request finds what this one stored.

        Raises:
            ConfigError: `options.extra` tries to replace the model, messages, system, tools or streaming.
        """
        tools, options = self._tools.get(request.tools), request.options
        # A mark of the caller's own covers the whole request and takes the place of ours: more than four are refused.
        mark = _MARKS[options.prompt_cache if "cache_control" not in options.extra else None]
        planned, fields = self._planned(request)
        parts = [self._start, fields]
        system = encode_system(request.messages, mark)
        if system:
            parts += (b',"system":', system)
        if request.tools:
            parts += (b',"tools":', marked_tools(tools.encoded, mark))
        elif calls_tools(request.messages):
            parts += (b',"tool_choice":{"type":"none"},"tools":', NO_TOOL)
        turns = encode_turns(request.messages, tools.names, model=self._model, mark=mark, words=planned.words)
        parts += (b',"messages":', turns, b"}")
        return b"".join(parts), tools.names

    def _planned(self, request: ChatRequest) -> tuple[Plan, bytes]:
        options, tools, last = request.options, bool(request.tools), self._last
        # Only a model that is told a budget minds how its turn began.
        began = self._traits.thinking != "budget" or options.reasoning is None or _thinking_began(request, self._model)
        if last is not None and last[0] is options and last[1] is tools and last[2] is began:
            return last[3], last[4]
        planned = plan(options, self._traits, tools=tools, thinking_began=began)
        for loss in planned.losses:
            if loss not in self._told:
                self._told.add(loss)
                _logger.warning("%s: %s", self._name, loss)
        encoded = encode(planned.fields)[1:-1]
        if options.json_schema is None and not options.extra:  # those are mappings, which their owner may change
            self._last = (options, tools, began, planned, encoded)
        return planned, encoded


def _thinking_began(request: ChatRequest, model: str) -> bool:
    """Whether the turn in progress may go on with thinking: it has no answer yet, or they began with thinking."""
    first: AssistantMessage | None = None
    for message in reversed(request.messages):
        if isinstance(message, UserMessage):
            break
        if isinstance(message, AssistantMessage):
            first = message
    if first is None:
        return True
    blocks = own_blocks(first, model)
    return bool(blocks) and blocks[0]["type"] in ("thinking", "redacted_thinking")
