"""What changes in columns that are there: types, NOT NULL, keys of one column, references."""

from dataclasses import dataclass

from dure_spec.artifacts.erd import Column, OnDelete
from dure_spec.derive.keys import split_reference
from dure_spec.derive.types import exists_in, parse_type, write_type
from dure_spec.lint.reading.tokens import Token, tokens_of
from dure_spec.lint.rewriting.edits import Edits
from dure_spec.lint.rewriting.matching import Pairing, TablePair
from dure_spec.lint.rewriting.renames import bare_name
from dure_spec.lint.source import SourceSchema, Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """Writes the changes of single columns."""

    source: SourceSchema
    pairing: Pairing
    edits: Edits

    def write(self, pair: TablePair) -> None:
        """Write what is different in the columns of a table."""
        for before, after in pair.columns:
            old, new = pair.old.columns[before], pair.new.columns[after]
            path = f"/tables/{pair.number}/columns/{before}"
            own = self.source.spans.get(f"{path}/name")
            place = self.source.spans.get(path) if own else None
            label = f"{pair.new.name}.{new.name}"
            if place is None:
                same = any((given.name, given.type) == (new.name, new.type) for given in pair.given)
                if not same and (old.type, old.null, old.uq) != (new.type, new.null, new.uq):
                    self.edits.note(f"{label} stands in the text of another table and is left as it is")
                continue
            self._type(old, new, path)
            self._null(old, new, place, label)
            self._unique(old, new, place, label)
            self._reference(old, new, path, label)
            if old.default != new.default or old.enum != new.enum:
                self.edits.note(f"{label}: a changed default or list of values is not written")

    def _tokens(self, place: Span) -> list[Token]:
        return tokens_of(self.source.text, place.start, place.end, self.source.dialect)

    def _type(self, old: Column, new: Column, path: str) -> None:
        if old.type == new.type:
            return
        parsed = parse_type(new.type)
        known = parsed is None or exists_in(parsed, self.source.dialect)
        written = new.type if known or parsed is None else write_type(parsed, self.source.dialect)
        span = self.source.spans.get(f"{path}/type")
        if span is not None:
            self.edits.replace(span.start, span.end, written)
        else:
            self.edits.insert(self.source.spans[f"{path}/name"].end, f" {written}")

    def _null(self, old: Column, new: Column, place: Span, label: str) -> None:
        if old.null == new.null or new.pk:
            return
        tokens = self._tokens(place)
        at = next((n for n, token in enumerate(tokens) if token.word == "NULL" and _says_null(tokens, n)), None)
        negated = at is not None and at > 0 and tokens[at - 1].word == "NOT"
        if new.null and at is not None and negated:
            named = at > 2 and tokens[at - 3].word == "CONSTRAINT"
            first = tokens[at - 3] if named else tokens[at - 1]
            start = first.start - 1 if self.source.text[first.start - 1] == " " else first.start
            self.edits.replace(start, tokens[at].end, "")
        elif new.null:
            self.edits.note(f"{label} stays NOT NULL: another statement says so")
        elif at is not None and not negated:
            self.edits.replace(tokens[at].start, tokens[at].end, "NOT NULL")
        else:
            self.edits.insert(place.end, " NOT NULL")

    def _unique(self, old: Column, new: Column, place: Span, label: str) -> None:
        if new.uq and not old.uq:
            self.edits.insert(place.end, " UNIQUE")
        elif old.uq and not new.uq:
            self.edits.note(f"{label} stays unique: taking a key away is not written")

    def _reference(self, old: Column, new: Column, path: str, label: str) -> None:
        if not old.fk:
            return
        span = self.source.spans.get(f"{path}/fk")
        if span is None or not new.fk:
            self.edits.note(f"{label}: taking a foreign key away is not written")
            return
        tokens = self._tokens(span)
        if self._moved(old.fk) != new.fk:
            self._retarget(tokens, new.fk)
        if old.on_delete != new.on_delete:
            self._on_delete(tokens, span, new.on_delete)

    def _moved(self, fk: str) -> str:
        """A reference of the source in the names of now."""
        table, column = split_reference(fk) or (fk, "")
        return f"{self.pairing.renamed_table(table)}.{self.pairing.renamed_column(table, column)}"

    def _retarget(self, tokens: list[Token], fk: str) -> None:
        table, column = split_reference(fk) or (fk, "")
        words = [token.word for token in tokens]
        first = words.index("REFERENCES") + 1
        last = first
        while last + 2 < len(tokens) and words[last + 1] == ".":
            last += 2
        name = last
        if last + 1 < len(tokens) and words[last + 1] == "(":
            last = words.index(")", last)
        dialect = self.source.dialect
        schema = self.source.text[tokens[first].start : tokens[name].start]
        written = f"{schema}{bare_name(table, dialect)} ({bare_name(column, dialect)})"
        inside = range(tokens[first].start, tokens[last].end)
        self.edits.edits = [edit for edit in self.edits.edits if edit.start not in inside]
        self.edits.replace(tokens[first].start, tokens[last].end, written)

    def _on_delete(self, tokens: list[Token], span: Span, action: OnDelete | None) -> None:
        words = [token.word for token in tokens]
        at = next((n for n in range(len(words) - 2) if words[n : n + 2] == ["ON", "DELETE"]), None)
        if at is None:
            self.edits.insert(span.end, f" ON DELETE {action}")
            return
        last = at + 3 if words[at + 2] in ("SET", "NO") else at + 2
        self.edits.replace(tokens[at].start, tokens[last].end, f"ON DELETE {action or 'NO ACTION'}")


def _says_null(tokens: list[Token], at: int) -> bool:
    """Whether a NULL speaks of the column and not of its default, its check or what a reference does."""
    depth = sum((token.word == "(") - (token.word == ")") for token in tokens[:at])
    return depth == 0 and (tokens[at - 1].word if at else "") not in ("DEFAULT", "SET", "ON")
