"""What PostgreSQL's catalogue says of the tables of one schema."""

from collections import defaultdict

from dure_spec.engines.engine import ColumnFacts, KeyFacts, TableFacts
from dure_spec.engines.postgresql_session import Session

_COLUMNS = """
SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
WHERE c.relnamespace = '{schema}'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
ORDER BY c.relname, a.attnum
"""
_TABLES = """
SELECT relname FROM pg_class WHERE relnamespace = '{schema}'::regnamespace AND relkind IN ('r', 'p') ORDER BY relname
"""
_ACTIONS = {"a": "NO ACTION", "r": "RESTRICT", "c": "CASCADE", "n": "SET NULL", "d": "SET DEFAULT"}
# one row for each column of a constraint; from PostgreSQL 18 on NOT NULL is a constraint too and is left out
_CONSTRAINTS = """
SELECT c.relname, k.oid, k.contype, coalesce(a.attname, ''), coalesce(t.relname, ''), coalesce(b.attname, ''),
       k.confdeltype
FROM pg_constraint k
JOIN pg_class c ON c.oid = k.conrelid
LEFT JOIN LATERAL unnest(k.conkey, k.confkey) WITH ORDINALITY AS n (own, other, place) ON k.contype <> 'c'
LEFT JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = n.own
LEFT JOIN pg_class t ON t.oid = k.confrelid
LEFT JOIN pg_attribute b ON b.attrelid = k.confrelid AND b.attnum = n.other
WHERE c.relnamespace = '{schema}'::regnamespace AND k.contype IN ('p', 'u', 'f', 'c')
ORDER BY c.relname, k.oid, n.place
"""


def read_catalogue(session: Session) -> tuple[TableFacts, ...]:
    """All tables of the session's schema, by name."""
    columns: defaultdict[str, list[ColumnFacts]] = defaultdict(list)
    for table, name, kind, required in session.rows(_COLUMNS.format(schema=session.schema)):
        columns[table].append(ColumnFacts(name=name, type=kind, null=required != "t"))
    found: defaultdict[str, dict[str, list[tuple[str, ...]]]] = defaultdict(dict)
    for table, number, *rest in session.rows(_CONSTRAINTS.format(schema=session.schema)):
        found[table].setdefault(number, []).append(tuple(rest))
    names = [name for (name,) in session.rows(_TABLES.format(schema=session.schema))]
    return tuple(_table(name, columns[name], list(found[name].values())) for name in names)


def _table(name: str, columns: list[ColumnFacts], constraints: list[list[tuple[str, ...]]]) -> TableFacts:
    by_kind: defaultdict[str, list[list[tuple[str, ...]]]] = defaultdict(list)
    for parts in constraints:
        by_kind[parts[0][0]].append(parts)
    primary = by_kind["p"][0] if by_kind["p"] else []
    return TableFacts(
        name=name,
        columns=tuple(columns),
        primary_key=tuple(part[1] for part in primary),
        uniques=frozenset(tuple(part[1] for part in parts) for parts in by_kind["u"]),
        keys=tuple(
            KeyFacts(
                columns=tuple(part[1] for part in parts),
                table=parts[0][2],
                targets=tuple(part[3] for part in parts),
                on_delete=_ACTIONS.get(parts[0][4], ""),
            )
            for parts in by_kind["f"]
        ),
        checks=len(by_kind["c"]),
    )
