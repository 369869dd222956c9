"""What of a conversation stays word for word when the rest of it is shortened."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from dure.messages import AssistantMessage, Message, ToolMessage

SKILL_MARK = "<skill_content"


def holds_skill(text: str) -> bool:
    """Whether the text is the content of a skill, which is loaded once and meant to stay."""
    return SKILL_MARK in text


@dataclass(frozen=True, slots=True, kw_only=True)
class Protection:
    """Says what must survive. Whatever is protected stays with the turn it belongs to."""

    tools: frozenset[str] = frozenset(("Skill",))
    """Every call of these stays, with its result."""
    latest: frozenset[str] = frozenset(("TodoWrite",))
    """The last call of each of these stays: it takes the place of those before."""
    text: Callable[[str], bool] = holds_skill
    """Any other text that stays: of a user, an answer or a tool result."""

    def calls(self, messages: Iterable[Message]) -> frozenset[str]:
        """Ids of the calls that stay, of all in these messages."""
        kept: set[str] = set()
        newest: dict[str, str] = {}
        for message in messages:
            if isinstance(message, AssistantMessage):
                kept.update(call.id for call in message.tool_calls if call.name in self.tools)
                newest.update((call.name, call.id) for call in message.tool_calls if call.name in self.latest)
            elif isinstance(message, ToolMessage):
                kept.update(result.call_id for result in message.results if self.text(result.text))
        return frozenset(kept.union(newest.values()))

    def reduced(self, turn: tuple[Message, ...], calls: frozenset[str]) -> tuple[Message, ...]:
        """The turn with no calls but these; nothing if nothing in it is protected."""
        kept = tuple(part for message in turn if (part := self._part(message, calls)) is not None)
        protected = any(isinstance(part, ToolMessage) or self.text(part.text) for part in kept)
        return kept if protected else ()

    def _part(self, message: Message, calls: frozenset[str]) -> Message | None:
        match message:
            case ToolMessage():
                results = tuple(result for result in message.results if result.call_id in calls)
                return ToolMessage(results=results) if results else None
            case AssistantMessage(tool_calls=made) if made:
                chosen = tuple(call for call in made if call.id in calls)
                return AssistantMessage(text=message.text, tool_calls=chosen) if chosen else None
            case _:
                return message
