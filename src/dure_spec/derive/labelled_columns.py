"""The columns of a table as people see them: audit columns included, every one with a logical name."""

from dure_spec.artifacts.erd import Column, Erd, Table
from dure_spec.artifacts.shared import Language
from dure_spec.derive.keys import all_columns
from dure_spec.derive.labels import column_label


def labelled_columns(erd: Erd, table: Table, *, lang: Language) -> tuple[Column, ...]:
    """Declared columns, then the audit columns; a logical name that is missing comes from the dictionary."""
    return tuple(_labelled(column, lang) for column in all_columns(erd, table))


def _labelled(column: Column, lang: Language) -> Column:
    if column.logical and column.logical != column.name:
        return column
    return column.model_copy(update={"logical": column_label(column.name, lang=lang).text})
