"""Many values where one belongs: numbered columns, and lists in a text."""

import re
from collections.abc import Iterator, Mapping, Sequence

from dure_spec.artifacts.erd import Column
from dure_spec.derive.types import family_of
from dure_spec.derive.words import name_words, plural, singular
from dure_spec.validators.index import Index

_NUMBER = re.compile(r"(?<!\d)\d{1,2}(?![a-z0-9])")
# numbers that belong to the word: a standard, an axis, a version of something
_NUMBERED_WORDS = frozenset(
    "sha oauth http tls usb web x y z lat lon lng latitude longitude alpha v version api".split()
)
_STANDARDS = frozenset("iso rfc ieee ansi icd naics isic utf crc".split())

_LISTING = frozenset(["ids", "list", "lists", "csv", "목록", "리스트"])
_RUN_TOGETHER = re.compile(r"([a-z]{3,})(?:ids|list)")
_LISTED = frozenset(
    """
    tags hashtags keywords labels categories genres roles permissions scopes privileges emails phones members
    participants attendees recipients authors skills hobbies interests ips devices urls
    """.split()
)
_PROSE = frozenset(
    """
    notes comments remarks details terms conditions instructions directions contents news settings preferences options
    specs specifications ingredients reviews messages questions answers logs descriptions address status headers
    """.split()
)
_NOT_LISTS = re.compile(r"(price|wait|waiting|mailing|check|black|white|play|allow|deny|wish|to_?do|packing)_?list$")
_COMMAS = re.compile(r"[^\s,]+(,[^\s,]+)+")


def repeating_groups(columns: Sequence[Column]) -> Iterator[tuple[str, tuple[Column, ...]]]:
    """Columns that differ by a number only, two or more counted from 0 or 1; the stem, and the columns in order.

    A column without a number is the first where the others begin with 2. What belongs together (`contact1_name`,
    `contact1_phone`, `contact2_name`, …) is one group.
    """
    numbered: dict[tuple[str, str], dict[int, Column]] = {}
    for column in columns:
        for match in _NUMBER.finditer(column.name):
            before, after = column.name[: match.start()].lower(), column.name[match.end() :].lower()
            numbered.setdefault((before, after), {}).setdefault(int(match[0]), column)
    bare = {column.name.lower(): column for column in columns}
    groups: dict[str, dict[str, Column]] = {}
    for (before, after), found in numbered.items():
        run = _run(found, bare.get(before.rstrip("_") + after))
        if run and _says_many(before):
            groups.setdefault(before, {}).update((column.name, column) for column in run)
    told: set[str] = set()
    for before, group in groups.items():
        if not told & set(group):
            told |= set(group)
            yield before.strip("_"), tuple(column for column in columns if column.name in group)


def _run(found: Mapping[int, Column], bare: Column | None) -> list[Column]:
    """The columns as far as their numbers follow one another from 0 or 1, nothing where only one has a number."""
    numbers = sorted(found)
    if len(numbers) < 2:
        return []
    first = 1 if numbers[0] == 2 and bare is not None else 0
    if first == 0 and numbers[0] not in (0, 1):
        return []
    run = [number for place, number in enumerate(numbers) if number == numbers[0] + place]
    if len(run) < 2:
        return []
    return [*([bare] if first and bare is not None else []), *(found[number] for number in run)]


def _says_many(before: str) -> bool:
    words = name_words(before)
    return not words or not (words[-1] in _NUMBERED_WORDS or words[0] in _STANDARDS)


def holds_list(index: Index, column: Column) -> str:
    """What a text column lists, empty where it holds one value."""
    if column.fk or column.enum or family_of(column.type) != "str" or "[" in column.type:
        return ""
    words = name_words(column.name)
    if not words or _NOT_LISTS.search(column.name.lower()):
        return ""
    *before, last = words
    logical = column.logical.strip()
    if last in _LISTING or logical.endswith(("목록", "리스트")):
        return "_".join(before) or last
    run = _RUN_TOGETHER.fullmatch(last)
    if run is not None and {run[1], plural(run[1])} & set(index.tables):
        return run[1]
    if _is_plural_thing(index, last):
        return "_".join(words)
    return "_".join(words) if _has_commas(column, words) else ""


def _is_plural_thing(index: Index, word: str) -> bool:
    """Whether it is the plural of what a table is about, or of what is only ever counted."""
    if word in _PROSE or singular(word) == word:
        return False
    return word in _LISTED or any(name in index.tables for name in (plural(singular(word)), singular(word)))


def _has_commas(column: Column, words: Sequence[str]) -> bool:
    default = column.default if isinstance(column.default, str) else ""
    place = {"coordinates", "coords", "location", "point", "position", "geo", "format", "pattern"} & set(words)
    return bool(_COMMAS.fullmatch(default)) and not place and not default.startswith(("{", "[", "<"))
