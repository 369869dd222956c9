"""A name in a longer text replaced by another: whole words only, and never inside a string literal."""

import re
from collections.abc import Callable, Mapping

_LITERAL = r"'(?:[^']|'')*'"
_WORD = r"[\w$#]+"
_WORDS = re.compile(rf"{_LITERAL}|{_WORD}")
_DOT_BEHIND = re.compile(r"[\"\]`]?\s*\.")
_CALL_BEHIND = re.compile(r"\s*\(")
_QUALIFIER = re.compile(r"([^\s.\"\[\]`(),]+|\"[^\"]+\"|\[[^\]]+\]|`[^`]+`)\s*\.\s*[\"\[`]?$")


def renamed_table(text: str, old: str, new: str) -> str:
    """A table's new name in `table`, `table.column`, a check or a formula, where it stands alone or before a dot."""
    if text.strip().lower() == old.lower():
        return new

    def named(match: re.Match[str]) -> bool:
        return _DOT_BEHIND.match(text, match.end()) is not None

    return _replaced(text, {old.lower(): new}, named)


def renamed_columns(text: str, table: str, names: Mapping[str, str]) -> str:
    """New names of a table's columns, by lower-case old ones, in `column`, `table.column`, a check or a formula.

    A word that another table's name qualifies, or that is called as a function, stays.
    """
    whole = names.get(text.strip().lower())
    if whole is not None:
        return whole
    owner, dot, last = text.strip().rpartition(".")
    if dot and owner.lower() == table.lower() and last.lower() in names:
        return f"{owner}.{names[last.lower()]}"

    def named(match: re.Match[str]) -> bool:
        if _CALL_BEHIND.match(text, match.end()) or _DOT_BEHIND.match(text, match.end()):
            return False
        qualifier = _QUALIFIER.search(text, 0, match.start())
        return qualifier is None or qualifier[1].strip('"[]`').lower() == table.lower()

    return _replaced(text, names, named)


def _replaced(text: str, names: Mapping[str, str], named: Callable[[re.Match[str]], bool]) -> str:
    def replace(match: re.Match[str]) -> str:
        new = names.get(match[0].lower())
        return match[0] if new is None or not named(match) else new

    return _pattern(names).sub(replace, text)


def _pattern(names: Mapping[str, str]) -> re.Pattern[str]:
    """Words of any text; names that are no single words (`unit price`) need a pattern of their own."""
    odd = [name for name in names if not re.fullmatch(_WORD, name)]
    if not odd:
        return _WORDS
    known = "|".join(re.escape(name) for name in sorted(odd, key=len, reverse=True))
    return re.compile(rf"{_LITERAL}|(?<![\w$#])(?:{known})(?![\w$#])|{_WORD}", re.IGNORECASE)
