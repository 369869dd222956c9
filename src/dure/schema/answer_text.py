"""The JSON value in what a model wrote: freed of thoughts, fences and prose, then parsed strictly.

The same cleaning precedes every check and every parse, so that what passes the one passes the other.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, NoReturn, TypeVar

T = TypeVar("T")

Json = Any
"""A value that `json.dumps` accepts."""

MAX_CHARACTERS = 5_000_000
"""Of a text that is parsed; a longer one is refused unread."""
MAX_FAULTS = 10
"""Faults told at once; more would only bury the first."""
MAX_FAULT_CHARACTERS = 300
MAX_TRIES = 1000
"""Brackets of one answer that are looked at; more is no prose."""

_THOUGHT_TAG = re.compile(r"<(/?)(?:think|thinking|reasoning)>", re.IGNORECASE)
_THOUGHT_BLOCK = re.compile(r"^```thinking[^\n]*$|<!--\s*thinking:", re.IGNORECASE | re.MULTILINE)
_LEADING_THOUGHT = re.compile(
    r"(?:<(?:think|thinking|reasoning)>.*?</(?:think|thinking|reasoning)>"
    r"|```thinking[^\n]*\n.*?\n```|<!--\s*thinking:.*?-->)\s*",
    re.IGNORECASE | re.DOTALL,
)
_WHOLE_FENCE = re.compile(r"```[^\n`]*\n(.*)\n\s*```", re.DOTALL)
_OPENING = re.compile(r"[{\[]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed(Generic[T]):
    """A value, or the faults that kept it from being one."""

    value: T | None = None
    faults: tuple[str, ...] = ()


def load_json(text: str) -> Parsed[Any]:
    """The JSON value that the whole text is; strict, so NaN is none."""
    if not text:
        return Parsed(faults=("$: the answer is empty",))
    if len(text) > MAX_CHARACTERS:
        return Parsed(faults=(f"$: longer than {MAX_CHARACTERS:,} characters",))
    try:
        return Parsed(value=json.loads(text, parse_constant=_refuse_constant))
    except RecursionError:
        return Parsed(faults=("$: nested too deeply",))
    except ValueError as error:
        return Parsed(faults=(shortened(f"$: not valid JSON: {error}"),))


def without_thoughts(text: str) -> str:
    """The text without what is marked as thinking: tags, a fenced block or a comment labelled so.

    A closing tag alone ends thinking that began before the text; an opening mark alone never ends.
    """
    if "<" not in text and "`" not in text:
        return text.strip()
    text = _without_blocks(text)
    kept: list[str] = []
    start, thinking = 0, False
    for tag in _THOUGHT_TAG.finditer(text):
        if tag[1]:
            kept = kept if thinking else []
            start, thinking = tag.end(), False
        elif not thinking:
            kept.append(text[start : tag.start()])
            thinking = True
    if not thinking:
        kept.append(text[start:])
    return "".join(kept).strip()


def find_json(text: str) -> tuple[str, Parsed[Any]]:
    """The JSON value in a model's answer, as its text and as what it is.

    A value that begins well and then breaks is never searched for smaller pieces; the text is then
    the cleaned answer, with the fault of its syntax.
    """
    stripped = text.strip()
    whole = load_json(stripped)
    if not whole.faults:
        return stripped, whole
    plain = without_thoughts(stripped)
    for cleaned in (_after_thoughts(stripped), plain):
        fence = _WHOLE_FENCE.fullmatch(cleaned)
        candidate = fence[1].strip() if fence else cleaned
        parsed = load_json(candidate)
        if not parsed.faults:
            return candidate, parsed
    found = max(_values_in(plain), key=len, default=plain)
    return found, load_json(found)


def json_text(text: str) -> str:
    """The text of the JSON value in a model's answer: without thoughts, fences and the prose around it."""
    return find_json(text)[0]


def parse_json(text: str) -> Parsed[Any]:
    """The JSON value in a model's answer, whatever it is."""
    return find_json(text)[1]


def path_of(parts: tuple[str | int, ...]) -> str:
    """A place in a JSON value, as in `$.items[0].name`."""
    return "$" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts)


def shortened(fault: str) -> str:
    """A fault short enough to be told to a model; the reason stands at its end, so the middle goes."""
    if len(fault) <= MAX_FAULT_CHARACTERS:
        return fault
    return f"{fault[: MAX_FAULT_CHARACTERS // 2]}…{fault[1 - MAX_FAULT_CHARACTERS // 2 :]}"


def _after_thoughts(text: str) -> str:
    """Without the thoughts it begins with only, so that a value that speaks of such marks stays as it is."""
    start = 0
    while thought := _LEADING_THOUGHT.match(text, start):
        start = thought.end()
    return text[start:]


def _without_blocks(text: str) -> str:
    """Without fenced blocks and comments labelled as thinking; one that is not closed takes the rest."""
    kept: list[str] = []
    start = 0
    while mark := _THOUGHT_BLOCK.search(text, start):
        kept.append(text[start : mark.start()])
        closing = "-->" if mark[0].startswith("<") else "\n```"
        end = text.find(closing, mark.end())
        if end < 0:
            return "".join(kept)
        start = end + len(closing)
    return "".join((*kept, text[start:])) if kept else text


def _values_in(text: str) -> Iterator[str]:
    """Every JSON object or array that stands in prose, up to the first that begins well and breaks."""
    decoder = json.JSONDecoder(parse_constant=_refuse_constant)
    end = 0
    for _ in range(MAX_TRIES):
        opening = _OPENING.search(text, end)
        if opening is None or len(text) > MAX_CHARACTERS:
            return
        start = opening.start()
        try:
            _, end = decoder.raw_decode(text, start)
            yield text[start:end]
        except json.JSONDecodeError as error:
            if error.pos > start + 1:
                return
            end = start + 1
        except (ValueError, RecursionError):
            return


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")
