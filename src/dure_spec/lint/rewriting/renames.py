"""New names where statements about tables say the old ones."""

from dure_spec.artifacts.erd import Dialect
from dure_spec.derive.identifiers import quote
from dure_spec.lint.rewriting.edits import Edits
from dure_spec.lint.rewriting.matching import Pairing
from dure_spec.lint.source import SourceSchema

_CLOSING = {'"': '"', "`": "`", "[": "]", "'": "'"}


def rename_where_named(source: SourceSchema, pairing: Pairing, edits: Edits) -> None:
    """Replace every token that the reader knows to name a renamed table or column."""
    pairs = {pair.number: pair for pair in pairing.pairs}
    for naming in source.namings:
        pair = pairs.get(naming.table)
        if pair is None:
            continue
        if naming.column is None:
            old, new = pair.old.name, pair.new.name
        else:
            column = pair.new_column(naming.column)
            old, new = pair.old.columns[naming.column].name, column.name if column else ""
        if new and new != old:
            written = requoted(source.text[naming.start : naming.end], new, source.dialect)
            edits.replace(naming.start, naming.end, written)


def requoted(old: str, new: str, dialect: Dialect) -> str:
    """The new name in the quotes of the old one; a bare name gets quotes only where it needs them."""
    close = _CLOSING.get(old[:1])
    if close is None:
        return bare_name(new, dialect)
    return f"{old[0]}{new.replace(close, close * 2) if close != ']' else new}{close}"


def bare_name(name: str, dialect: Dialect) -> str:
    """The name as SQL text; capitals alone are no reason for quotes in a file that writes none."""
    return name if quote(name.lower(), dialect) == name.lower() else quote(name, dialect)
