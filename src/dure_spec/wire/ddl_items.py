"""One item of CREATE TABLE, read by sqlglot: a column with its constraints, or a key of the table."""

import logging
import re
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias, cast

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from dure_spec.artifacts.erd import OnDelete
from dure_spec.wire.ddl_text import bare

Node: TypeAlias = exp.Expression  # pyright: ignore[reportPrivateImportUsage]  # not in its __all__, in no other place
_ACTIONS: dict[str, OnDelete] = {
    "CASCADE": "CASCADE",
    "SET NULL": "SET NULL",
    "NO ACTION": "NO ACTION",
    "RESTRICT": "RESTRICT",
}
_KEY_WORD = re.compile(r"^(UNIQUE)\s+(?:KEY|INDEX)\s+(?:\w+\s*)?(?=\()", re.IGNORECASE)
_INDEX = re.compile(r"^(?:KEY|INDEX|FULLTEXT)\b", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Reference:
    """A foreign key; no target columns means the target's key."""

    columns: tuple[str, ...]
    table: str
    target: tuple[str, ...]
    on_delete: OnDelete | None


@dataclass(kw_only=True, slots=True)
class Read:
    """What one item says: at most one column, and keys over columns."""

    column: str | None = None
    sql_type: str = ""
    null: bool = True
    default: str | None = None
    primary: tuple[str, ...] = ()
    uniques: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])
    references: list[Reference] = field(default_factory=list[Reference])
    enums: list[tuple[str, tuple[str, ...]]] = field(default_factory=list[tuple[str, tuple[str, ...]]])
    checks: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    comment: str = ""


def read_item(sql: str) -> Read | None:
    """The item, or `None` where it is no SQL; an index is nothing and reads as empty."""
    if _INDEX.match(sql):
        return Read()
    text = _KEY_WORD.sub(r"\1 ", sql)
    node = _parse(text)
    if node is None:
        name, _, rest = text.partition(" ")
        node = _parse(f'"{bare(name)}" {rest}') if rest else None
    if isinstance(node, exp.ColumnDef) and node.args.get("kind") is None:
        return None
    found = Read()
    return found if node is not None and _take(node, found) else None


@contextmanager
def quiet_sqlglot() -> Generator[None, None, None]:
    """What sqlglot does not know it tells a log; here it is a fault of the text and told to the model."""
    logger = logging.getLogger("sqlglot")

    def drop(record: logging.LogRecord) -> bool:
        del record
        return False

    logger.addFilter(drop)
    try:
        yield
    finally:
        logger.removeFilter(drop)


def _parse(item: str) -> Node | None:
    try:
        with quiet_sqlglot():
            node = sqlglot.parse_one(f"CREATE TABLE t ({item})", dialect="postgres")
    except SqlglotError:
        return None
    schema = node.this
    if not isinstance(schema, exp.Schema) or len(schema.expressions) != 1:
        return None
    first = schema.expressions[0]
    return first if isinstance(first, Node) else None


def _take(node: Node, found: Read) -> bool:
    match node:
        case exp.ColumnDef():
            _column(node, found)
        case exp.Constraint():
            return all(_take(part, found) for part in node.expressions)
        case exp.PrimaryKey():
            found.primary = _names(node.expressions)
        case exp.UniqueColumnConstraint():
            found.uniques.append(_names(node.this.expressions if node.this is not None else []))
        case exp.ForeignKey():
            reference = node.args.get("reference")
            if not isinstance(reference, exp.Reference):
                return False
            found.references.append(_reference(reference, _names(node.expressions)))
        case exp.CheckColumnConstraint():
            _check(node.this, found)
        case _:
            return False
    return True


def _column(node: exp.ColumnDef, found: Read) -> None:
    found.column = node.name
    kind = node.args.get("kind")
    if isinstance(kind, exp.DataType) and kind.this == exp.DataType.Type.ENUM:
        found.enums.append((node.name, tuple(part.name for part in kind.expressions)))
        found.sql_type = "varchar(20)"
    elif isinstance(kind, exp.DataType):
        found.sql_type = kind.sql(dialect="postgres").lower()
    for constraint in cast(list[Node], node.args.get("constraints") or []):
        _constraint(constraint.args.get("kind"), node.name, found)


def _constraint(kind: object, name: str, found: Read) -> None:
    match kind:
        case exp.PrimaryKeyColumnConstraint():
            found.primary = (name,)
            found.null = False
        case exp.NotNullColumnConstraint():
            found.null = bool(kind.args.get("allow_null"))
        case exp.UniqueColumnConstraint():
            found.uniques.append((name,))
        case exp.DefaultColumnConstraint():
            found.default = _default(kind.this)
        case exp.CheckColumnConstraint():
            _check(kind.this, found)
        case exp.Reference():
            found.references.append(_reference(kind, (name,)))
        case exp.CommentColumnConstraint():
            found.comment = kind.this.name
        case _:
            pass


def _default(node: object) -> str | None:
    """The text of a default: literals as they are, the present moment as `now()`, other functions not at all."""
    match node:
        case exp.CurrentTimestamp() | exp.CurrentDatetime():
            return "now()"
        case exp.Boolean():
            return str(bool(node.this)).lower()
        case exp.Literal():
            return node.name
        case exp.Neg():
            return f"-{node.this.name}"
        case exp.Cast():
            return _default(node.this)
        case exp.Anonymous() if node.name.lower() == "now":
            return "now()"
        case _:
            return None


def _reference(node: exp.Reference, columns: tuple[str, ...]) -> Reference:
    target = node.this
    table = target.this if isinstance(target, exp.Schema) else target
    names = _names(target.expressions) if isinstance(target, exp.Schema) else ()
    options = " ".join(str(option) for option in cast(list[object], node.args.get("options") or [])).upper()
    action = re.search(r"ON DELETE (CASCADE|SET NULL|NO ACTION|RESTRICT)", options)
    on_delete = _ACTIONS[action[1]] if action else None
    return Reference(columns=columns, table=bare(table.name), target=names, on_delete=on_delete)


def _check(node: object, found: Read) -> None:
    """`x IN ('A','B')` is an enumeration; anything else is kept as SQL with its first column."""
    while isinstance(node, exp.Paren):
        node = node.this
    if isinstance(node, exp.In) and isinstance(node.this, exp.Column):
        literals = [part for part in node.expressions if isinstance(part, exp.Literal) and part.is_string]
        if literals and len(literals) == len(node.expressions):
            found.enums.append((node.this.name, tuple(part.name for part in literals)))
            return
    if isinstance(node, Node):
        column = node.find(exp.Column)
        if column is not None:
            found.checks.append((column.name, node.sql(dialect="postgres")))


def _names(nodes: list[Node]) -> tuple[str, ...]:
    return tuple(bare(node.this.name if isinstance(node, exp.Ordered) else node.name) for node in nodes)
