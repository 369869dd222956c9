"""The DBA's artifact: tables, columns, keys and relations."""

from typing import Literal

from pydantic import Field

from dure_spec.artifacts.shared import Part, RequirementId, RuleId

Dialect = Literal["postgresql", "sqlite", "mysql", "oracle"]
TableKind = Literal["entity", "junction", "code", "history", "log", "config"]
OnDelete = Literal["RESTRICT", "CASCADE", "SET NULL", "NO ACTION"]


class Meta(Part):
    """Choices that hold for the whole schema."""

    dialect: Dialect
    pk: str
    audit: tuple[str, ...]
    """Columns that every table of kind `entity` has and that the program keeps."""
    fk_index: Literal["auto", "explicit"] = "auto"


class Column(Part):
    """A column; `fk` is `table.column`, `default` is SQL when it is text that ends in `()`."""

    name: str
    logical: str
    type: str
    pk: bool = False
    null: bool = False
    uq: bool = False
    default: bool | int | float | str | None = None
    enum: tuple[str, ...] | None = None
    check: str | None = None
    fk: str | None = None
    on_delete: OnDelete | None = None
    rule: RuleId | None = None
    derived: RuleId | None = None
    pii: bool = False


class Reference(Part):
    """A foreign key that `Column.fk` cannot say: over several columns, a second one of a column, or deferrable."""

    columns: tuple[str, ...]
    table: str
    targets: tuple[str, ...]
    """Referenced columns, in the order of `columns`; a wrong count is a finding, not an error of form."""
    on_delete: OnDelete | None = None
    deferrable: bool = False


class Table(Part):
    """A table; `uniques` and `indexes` are lists of column lists."""

    name: str
    logical: str
    kind: TableKind
    reqs: tuple[RequirementId, ...]
    columns: tuple[Column, ...]
    uniques: tuple[tuple[str, ...], ...] = ()
    indexes: tuple[tuple[str, ...], ...] = ()
    refs: tuple[Reference, ...] = ()
    lost_key: tuple[str, ...] = ()
    """The primary key as it was declared, where it names columns that the table does not have."""


class Relation(Part):
    """How two tables belong together; `via` is the junction table of an N:M."""

    from_: str = Field(alias="from")
    to: str
    card: Literal["1:1", "1:N", "N:M"]
    via: str | None = None
    optional: bool = False


class Erd(Part):
    """Entity-relationship design."""

    meta: Meta
    tables: tuple[Table, ...]
    relations: tuple[Relation, ...]
    outside: tuple[str, ...] = ()
    """Tables that foreign keys go to and that another schema defines, as `schema.table`."""
