"""A model's own summary of a part of a conversation, asked for outside the chain and charged to it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from dure.advisors.base import Chain
from dure.advisors.chain import AdvisorChain
from dure.advisors.model_call import ModelCall
from dure.advisors.summary_prompts import EARLIER, INSTRUCTIONS, Language
from dure.chat import ChatOptions, ChatRequest
from dure.errors import ContextTooLong, OutputTruncated
from dure.events import ignore
from dure.memory.tokens import text_tokens
from dure.messages import AssistantMessage, Message, SystemMessage, ToolMessage, UserMessage
from dure.models.base import ChatModel
from dure.schema import without_thoughts

MAX_PARTS = 8
"""Requests for one summary; a conversation that needs more is not summed up."""
RESULT_CHARACTERS = 2_000
"""Shown of one tool result, half from its beginning and half from its end."""

_HANGUL = re.compile(r"[가-힣]")
_END_TAG = re.compile(r"</(?=conversation>)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summariser:
    """Which model sums up, and how much it may read and write at once."""

    model: ChatModel
    max_tokens: int
    """Of the summary."""
    room: int
    """Tokens of the conversation that fit into one request."""
    timeout: float
    """Seconds for one request."""

    async def summarise(self, messages: Iterable[Message], language: Language, chain: Chain) -> str:
        """The summary. A conversation that does not fit is read in parts, each with the summary so far.

        Raises:
            ModelError: the model failed or said nothing.
            OutputTruncated: the summary was cut at `max_tokens`.
            LimitExceeded: the run has nothing left to spend on it.
        """
        summary = ""
        parts = _parts(transcript(messages), self.room)
        if len(parts) > MAX_PARTS:
            raise ContextTooLong(f"a summary would take {len(parts)} requests to {self.model.name}")
        for part in parts:
            if summary:
                part = f"[{EARLIER[language]}]\n{summary}\n\n{part}"
            summary = await self._ask(part, language, chain)
        return summary

    async def _ask(self, part: str, language: Language, chain: Chain) -> str:
        """One request of its own: no tools, no advisors, and nothing of it is shown as an answer."""
        request = ChatRequest(
            messages=(
                SystemMessage(text=INSTRUCTIONS[language]),
                UserMessage(text=f"<conversation>\n{part}\n</conversation>"),
            ),
            options=ChatOptions(max_tokens=self.max_tokens),
        )
        unseen = replace(chain.run, sink=ignore)
        alone = AdvisorChain.build((), model=self.model, run=unseen, terminal=ModelCall(timeout=self.timeout))
        try:
            response = await alone.next(request)
        finally:
            chain.charge(alone.frame.spent)
        if response.finish_reason == "length":
            raise OutputTruncated("the summary was cut at the token limit", raw_text=response.text)
        return without_thoughts(response.text)


def language_of(messages: Iterable[Message]) -> Language:
    """Korean if a user wrote any."""
    korean = any(isinstance(message, UserMessage) and _HANGUL.search(message.text) for message in messages)
    return "ko" if korean else "en"


def transcript(messages: Iterable[Message]) -> Iterator[str]:
    """The conversation as paragraphs that say who spoke. Nothing in it can end the quotation it is put in."""
    for message in messages:
        for line in _lines(message):
            yield _END_TAG.sub("< /", line)


def _lines(message: Message) -> Iterator[str]:
    if isinstance(message, ToolMessage):
        for result in message.results:
            kind = "error of" if result.is_error else "result of"
            yield f"[{kind} {result.name}] {_middle_cut(result.text, RESULT_CHARACTERS)}"
        return
    if message.text:
        yield f"[{'assistant' if isinstance(message, AssistantMessage) else 'user'}] {message.text}"
    if isinstance(message, AssistantMessage):
        for call in message.tool_calls:
            yield f"[call {call.name}] {_middle_cut(call.arguments, RESULT_CHARACTERS)}"


def _parts(paragraphs: Iterable[str], room: int) -> list[str]:
    """The paragraphs joined to parts of at most `room` tokens; one that is longer alone loses its middle."""
    parts: list[list[str]] = [[]]
    left = room
    for paragraph in paragraphs:
        size = text_tokens(paragraph)
        if size > room:
            kept = left if 2 * left >= room else room
            paragraph, size = _middle_cut(paragraph, len(paragraph) * kept // size), kept
        if size > left and parts[-1]:
            parts.append([])
            left = room
        parts[-1].append(paragraph)
        left -= size
    return ["\n\n".join(part) for part in parts]


def _middle_cut(text: str, characters: int) -> str:
    if len(text) <= characters:
        return text
    half = characters // 2
    return f"{text[:half]} … ({len(text) - 2 * half:,} characters left out) … {text[len(text) - half :]}"
