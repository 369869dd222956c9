"""Joins the pieces of a streamed answer: text, thinking, tool calls, usage, the reason it ended.

A piece of a tool call belongs to the call with its id, else the call of its index, else the call that
is open. Two ids are always two calls, even on one index; an index that is skipped makes no call. A
piece that names its tool again after complete arguments begins another call.
"""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import msgspec

from dure.chat import FinishReason
from dure.messages import ToolCall
from dure.usage import Usage

_REASONS: Mapping[str, FinishReason] = {
    "stop": "stop",
    "eos": "stop",
    "end_turn": "stop",
    "length": "length",
    "max_tokens": "length",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "tool_use": "tool_calls",
    "content_filter": "content_filter",
    "refusal": "content_filter",
}


def new_call_id() -> str:
    """An id for a call that came without a usable one."""
    return f"call_{uuid.uuid4().hex[:16]}"


@dataclass(slots=True, kw_only=True)
class OpenCall:
    """A tool call whose arguments still arrive."""

    given_id: str
    """The provider's id, or an empty string."""
    index: int | None
    id: str
    """Ours: the provider's where it is unique, else a new one."""
    name: str = ""
    arguments: list[str] = field(default_factory=list[str])

    @property
    def is_complete(self) -> bool:
        """Whether the arguments are a whole JSON value, so that nothing can follow."""
        text = "".join(self.arguments)
        if not text.rstrip().endswith("}"):
            return False
        try:
            msgspec.json.decode(text.encode("utf-8", "replace"))
        except msgspec.DecodeError:
            return False
        return True


@dataclass(slots=True)
class StreamAssembly:
    """The answer so far. Belongs to one model call."""

    history_ids: Callable[[], frozenset[str]] = frozenset[str]
    """Ids that no new call may have; asked only when a call comes."""
    text: list[str] = field(default_factory=list[str])
    reasoning: list[str] = field(default_factory=list[str])
    calls: list[OpenCall] = field(default_factory=list[OpenCall])
    counts: dict[str, int] = field(default_factory=dict[str, int])
    """Token counts by field of `Usage`-like names; each the last value seen."""
    reason: str | None = None
    """As the provider wrote it."""

    def add_call(self, *, id: str | None, index: int | None, name: str | None, arguments: str | None) -> OpenCall:
        """Take in one piece and return the call it belongs to."""
        call = self._find(id or "", index)
        if call is None or (name and arguments and call.is_complete):
            call = self._open(id or "", index)
        call.given_id = call.given_id or id or ""
        # A name comes whole or in pieces; a provider that repeats it with every piece means the same name.
        if name and name != call.name:
            call.name += name
        if arguments:
            call.arguments.append(arguments)
        return call

    def set_counts(self, counts: Mapping[str, int | None]) -> None:
        """Take in a usage snapshot; a later value of a field replaces the earlier one."""
        self.counts.update({name: count for name, count in counts.items() if count is not None and count >= 0})

    def tool_calls(self) -> tuple[ToolCall, ...]:
        """The calls that have a name, in the order they were begun."""
        return tuple(
            ToolCall(id=call.id, name=call.name, arguments="".join(call.arguments)) for call in self.calls if call.name
        )

    def finish_reason(self) -> FinishReason:
        """The reason in our words; a stop with tool calls waits for their results."""
        has_calls = any(call.name for call in self.calls)
        reason = _REASONS.get(self.reason or "", "stop")
        if reason in ("stop", "tool_calls"):
            return "tool_calls" if has_calls else "stop"
        return reason

    def usage(self) -> Usage:
        """Counts of this one call, with cached tokens taken out of the fresh ones."""
        read = self.counts.get("cache_read", 0)
        write = self.counts.get("cache_write", 0)
        return Usage(
            fresh_input=max(0, self.counts.get("input", 0) - read - write),
            cache_read=read,
            cache_write=write,
            output=self.counts.get("output", 0),
            reasoning=self.counts.get("reasoning", 0),
            model_calls=1,
        )

    def _find(self, given: str, index: int | None) -> OpenCall | None:
        if given:
            for call in reversed(self.calls):
                if call.given_id == given and (index is None or call.index in (None, index)):
                    return call
        if index is not None:
            for call in reversed(self.calls):
                if call.index == index:
                    return call if not given or not call.given_id else None
            return None
        return self.calls[-1] if self.calls and not given else None

    def _open(self, given: str, index: int | None) -> OpenCall:
        call = OpenCall(given_id=given, index=index, id=self._unique(given))
        self.calls.append(call)
        return call

    def _unique(self, given: str) -> str:
        taken = given in self.history_ids() or any(call.id == given for call in self.calls)
        return given if given and not taken else new_call_id()
