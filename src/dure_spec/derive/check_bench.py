"""Tries checks on values: SQLite with the functions and operators of the other engines.

A check that cannot be brought to SQLite's words is left unanswered, never guessed.
"""

import math
import re
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from types import TracebackType
from typing import Self

from dure.schema.linear_pattern import compiled
from dure_spec.artifacts.erd import Column, Table
from dure_spec.derive.expression_forms import form_fault
from dure_spec.derive.expressions import quoted_columns, tokens_of
from dure_spec.derive.identifiers import quote
from dure_spec.derive.literals import SqlValue
from dure_spec.derive.sqlite_words import NOW, TODAY, taught_sql

MOST_STEPS = 20_000
"""A check that has not answered by then is given up; its text comes from a model."""


def _floor(value: float) -> int:
    return math.floor(value)


def _ceil(value: float) -> int:
    return math.ceil(value)


def _length(value: object) -> int | None:
    return None if value is None else len(str(value))


def _regexp(pattern: object, value: object) -> bool | None:
    """Whether the pattern is found in the value; unknown for one that needs look-around or back-references."""
    matcher = None if pattern is None or value is None else compiled(str(pattern))
    return None if matcher is None else matcher.isinstance_python(str(value))


def _now() -> str:
    return NOW


def _today() -> str:
    return TODAY


def _stripped(value: object) -> str | None:
    return None if value is None else str(value).strip()


def _regexp_like(value: object, pattern: object) -> bool | None:
    return _regexp(pattern, value)


_FUNCTIONS: dict[str, tuple[int, Callable[..., str | float | None]]] = {
    "now": (0, _now),
    "curdate": (0, _today),
    "char_length": (1, _length),
    "character_length": (1, _length),
    "floor": (1, _floor),
    "ceil": (1, _ceil),
    "ceiling": (1, _ceil),
    "btrim": (1, _stripped),
    "regexp": (2, _regexp),
    "regexp_like": (2, _regexp_like),
}


class CheckBench:
    """Evaluates expressions over rows; close it, or use it in a `with` statement."""

    def __init__(self) -> None:
        self._engine = sqlite3.connect(":memory:")
        self._engine.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 1_000_000)
        self._engine.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        self._engine.set_progress_handler(lambda: 1, MOST_STEPS)
        for name, (count, function) in _FUNCTIONS.items():
            self._engine.create_function(name, count, function, deterministic=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the engine."""
        self._engine.close()

    def holds(self, expression: str, row: Mapping[str, SqlValue]) -> bool | None:
        """Whether a row passes; `None` where the expression cannot be evaluated. NULL passes, as in every engine."""
        # a number compares with the text of a number only where its affinity says that it is one
        names = ", ".join(
            f"{'CAST(? AS NUMERIC)' if type(value) in (int, float) else '?'} AS {quote(name, 'sqlite')}"
            for name, value in row.items()
        )
        try:
            found = self._engine.execute(f"SELECT ({expression}) FROM (SELECT {names})", tuple(row.values()))
            answer = found.fetchone()[0]
        except (sqlite3.Error, sqlite3.Warning, OverflowError):
            return None
        return answer is None or bool(answer)

    def syntax_fault(self, expression: str, columns: Iterable[str]) -> str:
        """What SQLite says of the form of an expression; empty where it takes it, or misses only a name."""
        names = ", ".join(f"NULL AS {quote(name, 'sqlite')}" for name in columns)
        try:
            self._engine.execute(f"EXPLAIN SELECT ({expression}) FROM (SELECT {names})").close()
        except (sqlite3.Error, sqlite3.Warning) as error:
            text = str(error)
            return text if _FORM.search(text) else ""
        return ""


_FORM = re.compile(r"syntax error|incomplete input|unrecognized token|row value misused")


def bench_sql(column: Column, table: Table) -> str | None:
    """The column's check in the bench's words; `None` without one, or where it has no counterpart there."""
    text = (column.check or "").strip()
    if not text or form_fault(tokens_of(text)):
        return None
    names = {each.name.lower(): each.name for each in table.columns}
    return taught_sql(tokens_of(quoted_columns(text, column.name, table.name, names, "sqlite")))
