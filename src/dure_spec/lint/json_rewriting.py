"""JSON that says something else: what did not change stays as it was written, defaults stay unwritten."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from dure_spec.artifacts.shared import Part

_INDENT = re.compile(r"\n([ \t]+)\S")


@dataclass(frozen=True, slots=True)
class Meaning:
    """A value with all its defaults, and the same without them."""

    full: Any
    short: Any

    @classmethod
    def of(cls, part: Part) -> "Meaning":
        """What an artifact says."""
        return cls(
            part.model_dump(mode="json", by_alias=True),
            part.model_dump(mode="json", by_alias=True, exclude_defaults=True),
        )

    def member(self, name: str) -> "Meaning":
        """The value of a field."""
        full = self.full[name]
        return Meaning(full, self.short.get(name, full))

    def items(self) -> Iterator["Meaning"]:
        """The values of a list."""
        return (Meaning(full, short) for full, short in zip(self.full, self.short, strict=True))


def carried(written: object, old: Meaning, new: Meaning, *, at: str = "") -> object:
    """The written value, changed where its meaning changed; `at` is a field of it that alone means something."""
    if at:
        name = at.removeprefix("/")
        fields = cast("dict[str, object]", written)
        return {**fields, name: carried(fields[name], old, new)}
    if old.full == new.full:
        return written
    if _are(dict, written, old.full, new.full):
        return _object(cast("dict[str, object]", written), old, new)
    if _are(list, written, old.full, new.full):
        return _array(cast("list[object]", written), old, new)
    return new.short


def in_the_style_of(text: str, value: object) -> str:
    """The value as JSON with the indentation, the escapes and the end of another text."""
    match = _INDENT.search(text)
    compact = match is None and '": ' not in text
    written = json.dumps(
        value,
        ensure_ascii=text.isascii() and "\\u" in text,
        indent=None if match is None else match[1],
        separators=(",", ":") if compact else None,
    )
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    newline = "\r\n" if "\r\n" in text else "\n"
    return mark + written.replace("\n", newline) + (newline if text.endswith("\n") else "")


def _are(kind: type[object], *values: object) -> bool:
    return all(isinstance(value, kind) for value in values)


def _object(written: dict[str, object], old: Meaning, new: Meaning) -> dict[str, object]:
    result: dict[str, object] = {}
    for name in (*written, *(name for name in new.full if name not in written)):
        if name not in new.full:
            continue
        if name in written:
            result[name] = (
                carried(written[name], old.member(name), new.member(name))
                if name in old.full
                else new.member(name).short
            )
        elif name not in old.full or old.full[name] != new.full[name]:
            result[name] = new.member(name).short
    return result


def _array(written: list[object], old: Meaning, new: Meaning) -> list[object]:
    """Item by item; where their number changed, items are told by their meaning, then by their names."""
    before = list(old.items())
    if len(before) == len(new.full):
        return [carried(*triple) for triple in zip(written, before, new.items(), strict=True)]
    left = dict(enumerate(before))
    result: list[object] = []
    for item in new.items():
        number = next((n for n, each in left.items() if each.full == item.full), None)
        if number is None:
            number = next((n for n, each in left.items() if _name(each.full) == _name(item.full) is not None), None)
        result.append(item.short if number is None else carried(written[number], left.pop(number), item))
    return result


def _name(value: object) -> object:
    fields = cast("dict[str, object]", value) if isinstance(value, dict) else {}
    return fields.get("id") or fields.get("name")
