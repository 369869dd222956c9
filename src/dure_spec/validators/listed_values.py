"""V12, lists of allowed values: each of them is one that the type of its column can hold."""

from collections.abc import Iterator

from dure_spec.artifacts.erd import Column, Dialect
from dure_spec.derive.defaults import reads_as
from dure_spec.derive.type_limits import number_range
from dure_spec.derive.types import SqlType, parse_type
from dure_spec.validators.ddl_drafts import ddl_draft
from dure_spec.validators.index import Index
from dure_spec.validators.policy import Draft, Policy, Text

_LONG = Text(
    "허용 값 {values}이(가) {type}보다 길어 그 값의 행은 넣을 수 없습니다",
    "allowed values {values} are longer than {type}: no row can have them",
)
_OUTSIDE = Text(
    "허용 값 {values}이(가) {type}의 범위를 벗어나 그 값의 행은 넣을 수 없습니다",
    "allowed values {values} are outside {type}: no row can have them",
)
_OTHER = Text("허용 값 {values}은(는) {type}의 값이 아닙니다", "allowed values {values} are none of {type}")
_SIZED = frozenset({"varchar", "char"})


def check_listed_values(index: Index, policy: Policy) -> Iterator[Draft]:
    """Columns whose list of allowed values has one that no row can ever have."""
    erd = index.artifacts.erd
    if erd is None or policy.origin == "source":
        return
    dialect = policy.dialect or erd.meta.dialect
    for number, table in enumerate(erd.tables):
        for position, column in enumerate(table.columns):
            parsed = parse_type(column.type)
            if column.enum and parsed is not None and not parsed.array:
                path, ref = f"/tables/{number}/columns/{position}", f"{table.name}.{column.name}"
                yield from _misfits(column, column.enum, parsed, dialect, path, ref)


def _misfits(
    column: Column, values: tuple[str, ...], parsed: SqlType, dialect: Dialect, path: str, ref: str
) -> Iterator[Draft]:
    said = {"type": column.type}
    other = [value for value in values if not reads_as(value, parsed, dialect)]
    if other and dialect != "sqlite":
        yield ddl_draft(f"{path}/enum", ref, _OTHER, {**said, "values": ", ".join(other)}, candidates=_wide(values))
        return
    length = parsed.length if parsed.name in _SIZED else None
    long = [value for value in values if length is not None and len(value) > length]
    if long:
        told = {**said, "values": ", ".join(long)}
        yield ddl_draft(f"{path}/type", ref, _LONG, told, severity="major", candidates=_wide(values))
    least, most = number_range(parsed) or (float("-inf"), float("inf"))
    outside = [] if other else [value for value in values if _is_number(parsed) and not least <= float(value) <= most]
    if outside:
        yield ddl_draft(f"{path}/enum", ref, _OUTSIDE, {**said, "values": ", ".join(outside)}, severity="major")


def _wide(values: tuple[str, ...]) -> tuple[str, ...]:
    return (f"varchar({max(map(len, values))})",)


def _is_number(parsed: SqlType) -> bool:
    return parsed.family in ("int", "dec")
