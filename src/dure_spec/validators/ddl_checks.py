"""What an engine would say of CHECK expressions, found without one: names, functions, form, types, and sense."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dure_spec.artifacts.erd import Column, Dialect, Erd, Table
from dure_spec.derive.check_bench import CheckBench, bench_sql
from dure_spec.derive.contradictions import never_true
from dure_spec.derive.expression_forms import dialect_fault, form_fault
from dure_spec.derive.expressions import Token, called_functions, foreign_owners, named_columns, tokens_of
from dure_spec.derive.keys import all_columns
from dure_spec.derive.sql_functions import is_aggregate, is_forbidden_in_checks, known_functions
from dure_spec.derive.types import parse_type
from dure_spec.validators.check_comparisons import misfit_comparisons
from dure_spec.validators.ddl_drafts import ddl_draft
from dure_spec.validators.policy import Draft, Policy, Text, nearest

_COLUMN = Text(
    "CHECK가 {table}에 없는 컬럼 '{name}'을(를) 씁니다: {check}",
    "column '{name}' does not exist in {table}, but its CHECK uses it: {check}",
)
_FUNCTION = Text(
    "CHECK가 {dialect}에 없는 함수 {name}()을 씁니다: {check}",
    "function {name}() does not exist in {dialect}, but a CHECK calls it: {check}",
)
_FORM = Text("CHECK 식의 문법이 틀렸습니다 ({near}): {check}", "the CHECK cannot be parsed ({near}): {check}")
_FORBIDDEN = Text(
    "{dialect}의 CHECK에는 {name}을(를) 쓸 수 없습니다: {check}", "a CHECK of {dialect} must not use {name}: {check}"
)
_NEVER = Text(
    "CHECK를 만족하는 값이 없어 행을 넣을 수 없습니다: {check}",
    "no value passes the CHECK, so no row can be inserted: {check}",
)
_DEFAULT = Text(
    "기본값 {value}이(가) 자신의 CHECK에 걸립니다: {check}", "default {value} does not pass its own CHECK: {check}"
)
_MISFIT = Text(
    "CHECK에서 {type} 타입 '{column}'은(는) {literal}와(과) 함께 쓸 수 없습니다: {check}",
    "the CHECK uses '{column}' of type {type} with {literal}: {check}",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """A check and all that is said of it in a message."""

    table: Table
    column: Column
    path: str
    tokens: Sequence[Token]
    dialect: Dialect

    def draft(self, text: Text, *, candidates: tuple[str, ...] = (), major: bool = False, **values: str) -> Draft:
        said = {"table": self.table.name, "check": self.column.check or "", "dialect": self.dialect, **values}
        return ddl_draft(
            self.path,
            f"{self.table.name}.{self.column.name}",
            text,
            said,
            severity="major" if major else "critical",
            candidates=candidates,
        )


def check_faults(erd: Erd, dialect: Dialect, policy: Policy) -> Iterator[Draft]:
    """All checks; of somebody else's schema only names of columns that are not there."""
    with CheckBench() as bench:
        for number, table in enumerate(erd.tables):
            known = {column.name.lower(): column for column in all_columns(erd, table)}
            for position, column in enumerate(table.columns):
                if column.check and column.check.strip():
                    path = f"/tables/{number}/columns/{position}/check"
                    tokens = tokens_of(column.check)
                    place = _Place(table=table, column=column, path=path, tokens=tokens, dialect=dialect)
                    yield from _check(place, known, bench, policy)


def _check(place: _Place, known: dict[str, Column], bench: CheckBench, policy: Policy) -> Iterator[Draft]:
    ours = policy.origin == "design"
    if any(token.lower == "select" for token in place.tokens if token.kind == "word"):
        if ours:
            yield place.draft(_FORBIDDEN, name="SELECT")
        return
    lost = list(_missing(place, known))
    if ours:
        lost += [place.draft(_COLUMN, name=f"{each.text}.…") for each in foreign_owners(place.tokens, place.table.name)]
    yield from lost
    if not ours or lost:
        return
    faults = [*_calls(place), *_form(place, known, bench)]
    faults = faults or [
        place.draft(_MISFIT, column=each.what, type=each.type, literal=each.other)
        for each in misfit_comparisons(place.tokens, place.column, known, place.dialect)
    ]
    yield from faults
    if not faults:
        yield from _sense(place, bench)


def _missing(place: _Place, known: dict[str, Column]) -> Iterator[Draft]:
    told: set[str] = set()
    for token in named_columns(place.tokens, place.table.name, known):
        text_in_quotes = token.text[0] == '"' and place.dialect in ("mysql", "sqlite")
        if token.text == "_" or token.lower in known or token.lower in told or text_in_quotes:
            continue
        told.add(token.lower)
        candidates = nearest(token.text, (column.name for column in known.values()))
        yield place.draft(_COLUMN, candidates=candidates, name=token.text)


def _calls(place: _Place) -> Iterator[Draft]:
    functions = known_functions(place.dialect)
    for token in called_functions(place.tokens):
        if is_aggregate(token.lower) or is_forbidden_in_checks(token.lower, place.dialect):
            yield place.draft(_FORBIDDEN, name=f"{token.text}()")
        elif token.lower not in functions:
            yield place.draft(_FUNCTION, candidates=nearest(token.lower, functions), name=token.text)
    for token in place.tokens:
        clock = token.kind == "word" and token.lower.startswith(("current_", "local", "sysdate", "systimestamp"))
        if clock and is_forbidden_in_checks(token.lower, place.dialect):
            yield place.draft(_FORBIDDEN, name=token.text)


def _form(place: _Place, known: dict[str, Column], bench: CheckBench) -> Iterator[Draft]:
    near = form_fault(place.tokens) or dialect_fault(place.tokens, place.dialect)
    if near:
        yield place.draft(_FORM, near=near)
        return
    expression = bench_sql(place.column, place.table)
    fault = bench.syntax_fault(expression, (column.name for column in known.values())) if expression else ""
    if fault:
        yield place.draft(_FORM, near=fault)


def _sense(place: _Place, bench: CheckBench) -> Iterator[Draft]:
    column = place.column
    if never_true(column, place.table, bench):
        yield place.draft(_NEVER, major=True)
        return
    expression = bench_sql(column, place.table)
    default = column.default
    parsed = parse_type(column.type)
    if expression is None or default is None or parsed is None or parsed.family not in ("int", "dec", "float", "str"):
        return
    if isinstance(default, str):
        if default.strip().endswith("()") or parsed.family != "str":
            return
        default = default.strip().removeprefix("'").removesuffix("'")
    if bench.holds(expression, {column.name: default}) is False:
        yield place.draft(_DEFAULT, major=True, value=repr(column.default))
