"""What an engine would say of types, defaults and keys, found without one: SQLite lets most of it pass."""

from collections.abc import Iterator

from dure_spec.artifacts.erd import Column, Dialect, Erd, Table
from dure_spec.artifacts.findings import Severity
from dure_spec.derive.defaults import default_fault
from dure_spec.derive.keys import all_columns, unique_keys
from dure_spec.derive.type_limits import size_fault
from dure_spec.derive.types import SqlType, exists_in, is_valid_identifier, parse_type, write_type
from dure_spec.validators.ddl_drafts import ddl_draft
from dure_spec.validators.patches import replaced
from dure_spec.validators.policy import Draft, Policy, Text, nearest

_TYPE = Text("{dialect}에 '{type}' 타입이 없습니다", "type '{type}' does not exist in {dialect}")
_SIZE = Text(
    "{dialect}에서 '{type}'은(는) 쓸 수 없는 크기입니다: {why}", "'{type}' is out of bounds in {dialect}: {why}"
)
_DEFAULTS = {
    "type": Text("기본값 {value}은(는) {type}의 값이 아닙니다", "default {value} is no value of {type}"),
    "function": Text(
        "기본값 {value}: {dialect}에 없는 함수입니다", "default {value} calls a function that {dialect} does not have"
    ),
    "length": Text(
        "기본값 {value}이(가) {type}보다 깁니다: 값을 주지 않은 행은 넣을 수 없습니다",
        "default {value} is longer than {type}: no row that leaves it out can be inserted",
    ),
    "range": Text(
        "기본값 {value}이(가) {type}의 범위를 벗어납니다: 값을 주지 않은 행은 넣을 수 없습니다",
        "default {value} is outside {type}: no row that leaves it out can be inserted",
    ),
    "list": Text(
        "기본값 {value}이(가) 허용 값 목록에 없습니다: 값을 주지 않은 행은 넣을 수 없습니다",
        "default {value} is not among the allowed values: no row that leaves it out can be inserted",
    ),
}
_MISSING = Text(
    "{what}에 쓰인 컬럼 '{column}'이(가) {table}에 없습니다",
    "{what} names column '{column}', which {table} does not have",
)
_UNKEYABLE = Text(
    "{dialect}에서 {type} 타입 '{column}'은(는) 키나 인덱스가 될 수 없습니다",
    "'{column}' of type {type} cannot be a key or be indexed in {dialect}",
)
_TWICE = Text("테이블 {table}이(가) 두 번 정의되어 있습니다", "table {table} is defined twice")
# canonical types that have no order of their own, or are too long for a key
_UNKEYED: dict[Dialect, frozenset[str]] = {
    "postgresql": frozenset({"json", "xml", "point", "line", "lseg", "box", "path", "circle", "polygon"}),
    "mysql": frozenset({"text", "json", "jsonb", "bytea", "xml"}),
    "oracle": frozenset({"text", "json", "jsonb", "bytea", "xml"}),
    "sqlite": frozenset(),
}


def definition_faults(erd: Erd, dialect: Dialect, policy: Policy) -> Iterator[Draft]:
    """All tables; of somebody else's schema only what no engine of its dialect takes."""
    ours = policy.origin == "design"
    seen: set[str] = set()
    for number, table in enumerate(erd.tables):
        path = f"/tables/{number}"
        if ours and table.name.lower() in seen:
            yield ddl_draft(f"{path}/name", table.name, _TWICE, {"table": table.name})
        seen.add(table.name.lower())
        yield from _missing_columns(erd, table, path)
        for position, column in enumerate(table.columns):
            place = f"{path}/columns/{position}"
            if ours:
                yield from _column(table, column, place, dialect)
            elif dialect == "postgresql":
                yield from _source_default(table, column, place)
        if ours:
            yield from _unkeyed(table, path, dialect)


def _column(table: Table, column: Column, path: str, dialect: Dialect) -> Iterator[Draft]:
    ref = f"{table.name}.{column.name}"
    parsed = parse_type(column.type)
    values = {"dialect": dialect, "type": column.type}
    if parsed is None:
        yield ddl_draft(f"{path}/type", ref, _TYPE, values, candidates=(_likely_type(column),))
        return
    if not exists_in(parsed, dialect):
        native = native_type(parsed, dialect)
        patch = replaced("dba", f"{path}/type", column.type, native)
        yield ddl_draft(f"{path}/type", ref, _TYPE, values, candidates=(native,), patch=patch)
        return
    fault = size_fault(parsed, dialect)
    if fault:
        taken = fault.startswith("scale") and dialect != "mysql"  # PostgreSQL takes it from 15 on; nobody means it
        severity: Severity = "major" if taken else "critical"
        yield ddl_draft(f"{path}/type", ref, _SIZE, {**values, "why": fault}, severity=severity)
        return
    yield from _default(table, column, path, dialect)


def native_type(parsed: SqlType, dialect: Dialect) -> str:
    """The dialect's own word for a type of another engine."""
    if parsed.name == "timestamp" and dialect == "postgresql":
        return "timestamptz"  # the other engines' datetime is a moment
    return write_type(parsed, dialect)


def _likely_type(column: Column) -> str:
    return f"varchar({max(len(value) for value in column.enum)})" if column.enum else "varchar(100)"


def _default(table: Table, column: Column, path: str, dialect: Dialect) -> Iterator[Draft]:
    fault = default_fault(column, dialect)
    if fault is None:
        return
    values = {"value": repr(column.default), "type": column.type, "dialect": dialect}
    severity: Severity = "critical" if fault.effect == "refused" else "major"
    candidates = nearest(str(column.default), column.enum or ()) or (column.enum or ())[:3]
    ref = f"{table.name}.{column.name}"
    yield ddl_draft(
        f"{path}/default", ref, _DEFAULTS[fault.why], values, severity=severity, candidates=tuple(candidates)
    )


def _source_default(table: Table, column: Column, path: str) -> Iterator[Draft]:
    """A number or truth value that PostgreSQL itself cannot read."""
    parsed = parse_type(column.type)
    if not isinstance(column.default, str) or parsed is None or parsed.spelling == "money":
        return
    fault = default_fault(column, "postgresql")
    if fault is not None and fault.why == "type" and parsed.family in ("int", "dec", "float", "bool"):
        values = {"value": repr(column.default), "type": column.type, "dialect": "postgresql"}
        yield ddl_draft(path, f"{table.name}.{column.name}", _DEFAULTS["type"], values)


def _missing_columns(erd: Erd, table: Table, path: str) -> Iterator[Draft]:
    known = {column.name.lower(): column.name for column in all_columns(erd, table)}
    lists = [
        *((f"{path}/uniques/{number}", "UNIQUE", names) for number, names in enumerate(table.uniques)),
        *((f"{path}/indexes/{number}", "INDEX", names) for number, names in enumerate(table.indexes)),
        *((f"{path}/refs/{number}", "FOREIGN KEY", reference.columns) for number, reference in enumerate(table.refs)),
    ]
    for place, what, names in lists:
        for name in names:
            if name.lower() not in known and is_valid_identifier(name):  # an expression is no name
                values = {"what": what, "column": name, "table": table.name}
                yield ddl_draft(place, table.name, _MISSING, values, candidates=nearest(name, known.values()))


def _unkeyed(table: Table, path: str, dialect: Dialect) -> Iterator[Draft]:
    keyed = {name.lower() for key in (*unique_keys(table), *table.indexes) for name in key}
    keyed |= {column.name.lower() for column in table.columns if column.fk}
    keyed |= {name.lower() for reference in table.refs for name in reference.columns}
    for position, column in enumerate(table.columns):
        parsed = parse_type(column.type)
        if parsed is None or parsed.array or parsed.name not in _UNKEYED[dialect] or column.name.lower() not in keyed:
            continue
        values = {"dialect": dialect, "type": column.type, "column": column.name}
        candidates = ("jsonb",) if parsed.name == "json" and dialect == "postgresql" else ("varchar(255)",)
        place = f"{path}/columns/{position}/type"
        yield ddl_draft(place, f"{table.name}.{column.name}", _UNKEYABLE, values, candidates=candidates)
