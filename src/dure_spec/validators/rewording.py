"""A name in a longer text replaced by another: whole words only, and never inside a string literal."""

import re
from collections.abc import Mapping

_LITERAL = r"'(?:[^']|'')*'"


def renamed_table(text: str, old: str, new: str) -> str:
    """A table's new name in `table`, `table.column`, a check or a formula, where it stands alone or before a dot."""
    if text.strip().lower() == old.lower():
        return new
    return _replaced(text, {old.lower(): new}, behind=r"(?=[\"\]`]?\s*\.)")


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
    return _replaced(text, names, behind=r"(?!\s*\()(?![\"\]`]?\s*\.)", owner=table)


def _replaced(text: str, names: Mapping[str, str], *, behind: str, owner: str | None = None) -> str:
    known = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    before = r"((?<!\w)[\w$#]+[\"\]`]?\s*\.\s*[\"\[`]?)?" if owner is not None else "()"
    pattern = re.compile(rf"{_LITERAL}|{before}(?<![\w$#])({known})(?![\w$#]){behind}", re.IGNORECASE)

    def replace(match: re.Match[str]) -> str:
        if match[2] is None:
            return match[0]
        qualifier = match[1] or ""
        if owner is not None and qualifier and _bare(qualifier) != owner.lower():
            return match[0]
        return qualifier + names[match[2].lower()]

    return pattern.sub(replace, text)


def _bare(qualifier: str) -> str:
    return qualifier.strip().rstrip('"[`').strip().removesuffix(".").strip().strip('"[]`').lower()
