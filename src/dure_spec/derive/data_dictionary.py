"""The data dictionary: one row a column, with everything a person looks up there."""

from dataclasses import dataclass

from dure_spec.artifacts import Artifacts
from dure_spec.artifacts.erd import Column, Table
from dure_spec.derive.keys import unique_keys
from dure_spec.derive.labelled_columns import labelled_columns
from dure_spec.derive.op_labels import language_of


@dataclass(frozen=True, slots=True, kw_only=True)
class DictionaryRow:
    """One column as it is looked up."""

    table: str
    number: int
    column: str
    logical: str
    type: str
    key: str
    """`PK`, `FK → customers.id`, `UQ`, or several of them."""
    null: bool
    default: str
    enum: tuple[str, ...]
    rule: str
    """The business rule with its text, and the check."""
    pii: bool


def data_dictionary(artifacts: Artifacts) -> tuple[DictionaryRow, ...]:
    """All columns of all tables in order, audit columns included; nothing without an ERD."""
    erd = artifacts.erd
    if erd is None:
        return ()
    rules = {rule.id: rule.text for rule in artifacts.prd.rules} if artifacts.prd else {}
    lang = language_of(artifacts)
    rows: list[DictionaryRow] = []
    for table in erd.tables:
        columns = labelled_columns(erd, table, lang=lang)
        rows += [_row(table, number, column, rules) for number, column in enumerate(columns, start=1)]
    return tuple(rows)


def _row(table: Table, number: int, column: Column, rules: dict[str, str]) -> DictionaryRow:
    rule_id = column.rule or column.derived
    rule = [f"{rule_id} {rules.get(rule_id, '')}".strip()] if rule_id else []
    return DictionaryRow(
        table=table.name,
        number=number,
        column=column.name,
        logical=column.logical,
        type=column.type,
        key=", ".join(_keys(table, column)),
        null=column.null,
        default=_default(column),
        enum=column.enum or (),
        rule=" · ".join(rule + ([column.check] if column.check else [])),
        pii=column.pii,
    )


def _keys(table: Table, column: Column) -> list[str]:
    keys = ["PK"] if column.pk else []
    if column.fk:
        keys.append(f"FK → {column.fk}")
    for reference in table.refs:
        if column.name in reference.columns:
            keys.append(f"FK → {reference.table}({', '.join(reference.targets)})")
    if column.uq and not column.pk:
        keys.append("UQ")
    shared = [key for key in unique_keys(table)[1:] if len(key) > 1 and column.name in key]
    return keys + [f"UQ({', '.join(key)})" for key in shared]


def _default(column: Column) -> str:
    if column.default is None:
        return ""
    return str(column.default).lower() if isinstance(column.default, bool) else str(column.default)
