"""Sample values as a screen shows them: formatted by their control, references by the name they stand for."""

import logging
import re
import sqlite3
from collections.abc import Mapping

from dure_spec.artifacts.erd import Column, Erd, Table
from dure_spec.artifacts.frontend import ControlKind
from dure_spec.artifacts.shared import Language
from dure_spec.derive.keys import split_reference
from dure_spec.derive.sample_rows import sample_rows
from dure_spec.derive.types import family_of

ROWS = 3
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)")
_YES: dict[Language, tuple[str, str]] = {"ko": ("예", "아니오"), "en": ("Yes", "No")}
_TITLES = ("name", "title", "subject", "label")
_log = logging.getLogger(__name__)


class Samples:
    """A few rows of every table; a schema that no engine takes has none, and the report is still written."""

    def __init__(self, erd: Erd | None, *, lang: Language) -> None:
        self._lang: Language = lang
        self._tables = {table.name: table for table in erd.tables} if erd else {}
        self._rows = _rows(erd) if erd else {}

    def count(self, table: str) -> int:
        """How many rows there are."""
        return len(self._rows.get(table, ()))

    def value(self, table: str, column: Column, row: int, *, kind: ControlKind) -> str:
        """One cell as its control shows it; empty where there is no such row."""
        rows = self._rows.get(table, ())
        if row >= len(rows):
            return ""
        value = rows[row].get(column.name)
        referenced = self._referenced(column, value) if column.fk else ""
        return referenced or shown_value(value, kind=kind, lang=self._lang)

    def head(self, column: Column) -> str:
        """The label of a column; a reference is called as the table that it points at."""
        pair = split_reference(column.fk) if column.fk else None
        target = self._tables.get(pair[0]) if pair else None
        return target.logical if target else column.logical

    def _referenced(self, column: Column, value: object) -> str:
        pair = split_reference(column.fk or "")
        target = self._tables.get(pair[0]) if pair else None
        title = _title_column(target) if target else ""
        if pair is None or not title:
            return ""
        rows = (row for row in self._rows.get(pair[0], ()) if row.get(pair[1]) == value)
        return next((str(row.get(title) or "") for row in rows), "")


def shown_value(value: object, *, kind: ControlKind, lang: Language) -> str:
    """One value in the form that its control gives it."""
    if value is None:
        return ""
    if isinstance(value, bool) or kind in ("switch", "checkbox"):
        return _YES[lang][0 if value not in (False, 0, "0", "false") else 1]
    if kind == "money":
        return _money(value)
    text = str(value)
    moment = _MOMENT.match(text)
    if moment:
        return moment[1] if kind == "date" else f"{moment[1]} {moment[2]}"
    return text


def _money(value: object) -> str:
    try:
        number = float(str(value))
    except ValueError:
        return str(value)
    return f"{number:,.0f}" if number == int(number) else f"{number:,.2f}"


def _title_column(table: Table) -> str:
    """The column by which people know a row: a name, else the first unique text, else the first text."""
    texts = [column for column in table.columns if family_of(column.type) == "str" and not column.enum]
    named = [column for column in texts if column.name.rpartition("_")[2] in _TITLES]
    unique = [column for column in texts if column.uq]
    return next((column.name for column in (*named, *unique, *texts)), "")


def _rows(erd: Erd) -> dict[str, tuple[Mapping[str, object], ...]]:
    try:
        groups = sample_rows(erd, ROWS)
    except (sqlite3.Error, ValueError, LookupError):
        _log.warning("no sample rows for the screens: the schema does not load", exc_info=True)
        return {}
    return {
        group.table.name: tuple(dict(zip(group.columns, row, strict=True)) for row in group.rows) for group in groups
    }
