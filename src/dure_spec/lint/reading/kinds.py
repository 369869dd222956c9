"""What kind of table somebody else's table is: by its name, and by what it holds."""

import re
from collections.abc import Iterable, Sequence

from dure_spec.artifacts.erd import Column, Table, TableKind
from dure_spec.derive.types import family_of
from dure_spec.derive.words import snake

_HISTORY = re.compile(r"(^|_)(history|histories|hist|archive|archives|versions|revisions)$")
_LOG = re.compile(r"(^|_)(log|logs|audit|audits|changelog|databasechangelog|journal_log|audit_trail)$|^audit_")
_CONFIG = re.compile(r"(^|_)(config|configs|configuration|configurations|setting|settings|preferences|parameters)$")
_CODE = re.compile(r"(^|_)(code|codes|lookup|lookups)$|^(lookup|lkp|code|cd)_")
_AUDIT = re.compile(
    r"^((created|updated|modified|changed|deleted|inserted|added)_?(at|on|by|date|time|timestamp|by_id)?"
    r"|(create|update|modify|insert|modified|last_update|last_modified|last_updated|last_change)(_?(at|on|by|date|time|timestamp|ts|user|dt))?"
    r"|(date|time)_(created|updated|modified)|timestamp|row_?version|rowguid)$"
)


def is_audit(name: str) -> bool:
    """Whether a column only says when and by whom a row came or changed."""
    return _AUDIT.search(snake(name)) is not None


def with_kinds(tables: Sequence[Table]) -> tuple[Table, ...]:
    """The tables with their kinds; which tables are looked up decides about short ones."""
    wanted = {name.lower() for table in tables for name in _targets(table)}
    return tuple(table.model_copy(update={"kind": _kind(table, wanted)}) for table in tables)


def _targets(table: Table) -> Iterable[str]:
    for column in table.columns:
        if column.fk:
            yield column.fk.rpartition(".")[0]
    for reference in table.refs:
        yield reference.table


def _kind(table: Table, wanted: set[str]) -> TableKind:
    if _is_junction(table):
        return "junction"
    name = snake(table.name)
    patterns: tuple[tuple[TableKind, re.Pattern[str]], ...] = (
        ("history", _HISTORY),
        ("log", _LOG),
        ("config", _CONFIG),
        ("code", _CODE),
    )
    for kind, pattern in patterns:
        if pattern.search(name):
            return kind
    return "code" if table.name.lower() in wanted and _is_code(table.columns) and not table.refs else "entity"


def _is_junction(table: Table) -> bool:
    """All columns but audit columns and a number of its own are foreign keys that together are a key, two or more."""
    keys = [{column.name.lower()} for column in table.columns if column.fk]
    keys += [{name.lower() for name in reference.columns} for reference in table.refs]
    distinct = {frozenset(key) for key in keys}
    if len(distinct) < 2:
        return False
    ends = {name for key in distinct for name in key}
    primary = {column.name.lower() for column in table.columns if column.pk}
    own = primary if len(primary) == 1 and not primary & ends else set[str]()
    plain = {c.name.lower() for c in table.columns if not is_audit(c.name) or c.name.lower() in ends} - own
    unique = [primary, *({name.lower() for name in group} for group in table.uniques)]
    return plain == ends and any(key == ends for key in unique)


def _is_code(columns: Sequence[Column]) -> bool:
    """A key of its own and one text that says what it means."""
    keys = [column for column in columns if column.pk]
    rest = [column for column in columns if not column.pk and not is_audit(column.name)]
    if len(keys) != 1 or len(rest) != 1 or any(column.fk for column in columns):
        return False
    return family_of(rest[0].type) == "str"
