"""Which column each CHECK of a table is told of, and how it reads after renames."""

from collections.abc import Mapping, Sequence

from dure_spec.artifacts.erd import Column
from dure_spec.lint.reading.catalogue import TableDraft
from dure_spec.lint.reading.tokens import Token
from dure_spec.lint.reading.values import check_text, listed_values


def with_checks(text: str, draft: TableDraft, columns: Sequence[Column]) -> list[Column]:
    """The table's columns with the checks that are about them; a list of strings becomes the column's values."""
    lists: dict[str, tuple[str, ...]] = {}
    checks: dict[str, list[str]] = {}
    for part in draft.checks:
        if not _holds(draft, part.tokens):
            continue
        listed = listed_values(part.tokens)
        subject = draft.current(listed[0]).lower() if listed else ""
        if listed is not None and subject in draft.columns:
            lists[subject] = listed[1]
            continue
        names = _names(draft, part.tokens)
        subject = next((name for name in names if name in draft.columns), next(iter(draft.columns), ""))
        checks.setdefault(subject, []).append(check_text(text, part.tokens, renamed=_renamed(draft, part.tokens)))
    return [_with(column, lists.get(column.name.lower()), checks.get(column.name.lower(), [])) for column in columns]


def joined_checks(checks: Sequence[str]) -> str | None:
    """Several checks as one expression."""
    kept = [check for check in dict.fromkeys(checks) if check]
    if len(kept) < 2:
        return kept[0] if kept else None
    return " AND ".join(f"({check})" for check in kept)


def _with(column: Column, values: tuple[str, ...] | None, checks: list[str]) -> Column:
    if values is None and not checks:
        return column
    own = [column.check] if column.check else []
    return column.model_copy(update={"enum": values or column.enum, "check": joined_checks([*own, *checks])})


def _names(draft: TableDraft, tokens: Sequence[Token]) -> list[str]:
    return [draft.current(token.value).lower() for token in tokens if token.names]


def _holds(draft: TableDraft, tokens: Sequence[Token]) -> bool:
    """Whether the check is still the table's, and can be understood from what was read of it."""
    return not draft.open and not any(
        name in draft.gone and name not in draft.columns for name in _names(draft, tokens)
    )


def _renamed(draft: TableDraft, tokens: Sequence[Token]) -> Mapping[Token, str]:
    if not draft.renamed:
        return {}
    now = ((token, draft.current(token.value)) for token in tokens if token.names)
    return {token: name for token, name in now if name != token.value}
