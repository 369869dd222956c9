"""What every store refuses, and what it leaves out."""

from collections.abc import Iterable
from typing import cast

from dure.errors import ConfigError
from dure.messages import AssistantMessage, Message, SystemMessage, ToolMessage, UserMessage


def check_id(conversation_id: str) -> None:
    """Refuse an id that names no conversation.

    Raises:
        ConfigError: it is no text, blank, or not valid Unicode.
    """
    given = cast(object, conversation_id)
    if not isinstance(given, str) or not given.strip():
        raise ConfigError(f"a conversation id must be a text that is not empty, not {given!r}")
    try:
        given.encode()
    except UnicodeEncodeError as error:
        raise ConfigError(f"the conversation id {given!r} is not valid Unicode") from error


def is_blank(text: str) -> bool:
    """Whether nobody could read anything in it."""
    return not text or text.isspace()


def worth_keeping(messages: Iterable[Message]) -> tuple[Message, ...]:
    """The messages without system messages and without those that say nothing.

    Raises:
        ConfigError: something among them is no message.
    """
    return tuple(message for message in messages if _says_something(message))


def _says_something(message: Message) -> bool:
    match message:
        case SystemMessage():
            return False
        case UserMessage():
            return not is_blank(message.text)
        case AssistantMessage():
            return bool(message.tool_calls) or not is_blank(message.text)
        case ToolMessage():
            return bool(message.results)
        case _:
            raise ConfigError(f"only messages can be remembered, not {message!r}")
