"""One exchange with a model: the request that goes down the chain, the response that comes up.

Both are frozen data. What the model sees of a tool is its definition; what runs lives in
`dure.tools`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

import msgspec

from dure.messages import AssistantMessage, Json, Message, SystemMessage, UserMessage
from dure.usage import NO_USAGE, Usage

NOTHING: Mapping[str, Json] = MappingProxyType({})
"""An empty mapping that nobody can fill."""


def nothing() -> Mapping[str, Json]:
    """`NOTHING`, as the default of a field."""
    return NOTHING


FinishReason = Literal[
    "stop",  # the model said it is done
    "length",  # cut at the token limit: the text is a fragment
    "tool_calls",  # the model waits for tool results
    "content_filter",  # the provider withheld the answer
    "return_direct",  # a tool's result is the answer
    "limit",  # a guard of the tool loop ended it
    "blocked",  # a safeguard refused the request
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDefinition:
    """What a model is told about a tool."""

    name: str
    description: str
    parameters: Mapping[str, Json]
    """JSON Schema (draft 2020-12) of the arguments object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatOptions:
    """How the model is asked to answer. `None` leaves a choice to the provider."""

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    stop: tuple[str, ...] = ()
    json_schema: Mapping[str, Json] | None = None
    """The answer must be JSON of this schema; enforced by the provider where it can."""
    grammar: str | None = None
    """GBNF; only sent to a model whose capabilities say `grammar`."""
    tool_choice: Literal["auto", "none", "required"] | None = None
    reasoning: Literal["off", "low", "medium", "high"] | None = None
    """How much the model should think before it answers, where it can be told."""
    prompt_cache: Literal["5m", "1h"] | None = None
    """Keep the stable beginning of the request in the provider's cache, where it must be asked for."""
    cache_key: str | None = None
    """Requests with the same key share a beginning; routes them to the same cache where a provider has such a key."""
    extra: Mapping[str, Json] = field(default_factory=nothing)
    """Fields of the provider's own request body, sent as they are."""


class ChatRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What goes down the chain. A change is a copy."""

    messages: tuple[Message, ...]
    options: ChatOptions = ChatOptions()
    tools: tuple[ToolDefinition, ...] = ()

    def with_messages(self, *messages: Message) -> "ChatRequest":
        """The same request with other messages."""
        return ChatRequest(messages=messages, options=self.options, tools=self.tools)

    def with_added(self, *messages: Message) -> "ChatRequest":
        """The same request with messages added at the end."""
        return ChatRequest(messages=self.messages + messages, options=self.options, tools=self.tools)

    def with_options(self, options: ChatOptions) -> "ChatRequest":
        """The same request with other options."""
        return ChatRequest(messages=self.messages, options=options, tools=self.tools)

    def with_tools(self, *tools: ToolDefinition) -> "ChatRequest":
        """The same request with other tool definitions."""
        return ChatRequest(messages=self.messages, options=self.options, tools=tools)

    @property
    def system_text(self) -> str:
        """All system texts, joined by a blank line."""
        return "\n\n".join(m.text for m in self.messages if isinstance(m, SystemMessage))

    @property
    def last_user_text(self) -> str:
        """The newest user text, or an empty string."""
        for message in reversed(self.messages):
            if isinstance(message, UserMessage):
                return message.text
        return ""


class ChatResponse(msgspec.Struct, frozen=True, kw_only=True):
    """What comes up the chain."""

    message: AssistantMessage
    finish_reason: FinishReason = "stop"
    usage: Usage = NO_USAGE
    """Of every model call below the point where the response is seen."""
    model: str = ""
    """`provider:model` that answered."""

    @property
    def text(self) -> str:
        """The answer's text."""
        return self.message.text

    def with_message(self, message: AssistantMessage) -> "ChatResponse":
        """The same response with another message."""
        return ChatResponse(message=message, finish_reason=self.finish_reason, usage=self.usage, model=self.model)

    def with_usage(self, usage: Usage) -> "ChatResponse":
        """The same response with another usage."""
        return ChatResponse(message=self.message, finish_reason=self.finish_reason, usage=usage, model=self.model)
