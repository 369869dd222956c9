"""The source text with the smallest edits that make it say a corrected schema."""

from dataclasses import dataclass

from dure_spec.artifacts.erd import Erd
from dure_spec.lint.rewriting.additions import Additions
from dure_spec.lint.rewriting.changes import Changes
from dure_spec.lint.rewriting.edits import Edits, edited
from dure_spec.lint.rewriting.elsewhere import rename_elsewhere
from dure_spec.lint.rewriting.matching import paired
from dure_spec.lint.rewriting.renames import rename_where_named
from dure_spec.lint.source import SourceSchema


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewrite:
    """The new text, and what a person has to look at."""

    text: str
    notes: tuple[str, ...] = ()


def rewritten(source: SourceSchema, fixed: Erd) -> Rewrite:
    """Edit the source so that it says `fixed`; everything else stays byte for byte.

    What no edit can say, and what may or may not be a renamed name, is left and told in the notes.
    """
    if fixed == source.erd:
        return Rewrite(text=source.text)
    edits = Edits(text=source.text)
    pairing = paired(source.erd, fixed, [outline.parents for outline in source.outlines])
    rename_where_named(source, pairing, edits)
    rename_elsewhere(source, pairing, edits)
    changes = Changes(source=source, pairing=pairing, edits=edits)
    additions = Additions(source=source, fixed=fixed, pairing=pairing, edits=edits)
    for pair in pairing.pairs:
        changes.write(pair)
        additions.write(pair)
    for table in pairing.added:
        edits.note(f"{table.name}: a new table is not written")
    for table in pairing.removed:
        edits.note(f"{table.name}: taking a table away is not written")
    return Rewrite(text=edited(source.text, edits.edits), notes=tuple(edits.notes))
