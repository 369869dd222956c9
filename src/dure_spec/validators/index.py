"""Everything the validators look up, built once for a judgement."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from dure_spec.artifacts.backend import Attribute, Bo, Op
from dure_spec.artifacts.bundle import Artifacts
from dure_spec.artifacts.erd import Column, Erd, Table
from dure_spec.artifacts.ia import Screen
from dure_spec.artifacts.prd import Prd, Requirement, Rule, Term
from dure_spec.derive.keys import ForeignKey, all_columns, foreign_keys, split_reference
from dure_spec.derive.trace import Coverage, coverage
from dure_spec.derive.words import plural, singular, snake


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlace:
    """A table and where it stands; `columns` by lower-case name, audit columns included."""

    table: Table
    path: str
    columns: Mapping[str, Column]
    keys: tuple[ForeignKey, ...]

    def column_path(self, name: str) -> str:
        """JSON pointer of a declared column, of the table where there is none."""
        for number, column in enumerate(self.table.columns):
            if column.name == name:
                return f"{self.path}/columns/{number}"
        return self.path


@dataclass(frozen=True, slots=True, kw_only=True)
class BoPlace:
    """A business object and where it stands."""

    bo: Bo
    path: str
    attributes: Mapping[str, Attribute]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpPlace:
    """An operation, its object, and where it stands."""

    op: Op
    bo: Bo
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """Ids, lower-cased names and reverse references of all artifacts that exist."""

    artifacts: Artifacts
    requirements: Mapping[str, Requirement]
    actors: frozenset[str]
    rules: Mapping[str, Rule]
    terms: Mapping[str, Term]
    """By term, synonym, and lower-case English name."""
    screens: Mapping[str, Screen]
    tables: Mapping[str, TablePlace]
    """By lower-case name."""
    bos: Mapping[str, BoPlace]
    ops: Mapping[str, OpPlace]
    coverage: Coverage
    term_tables: Mapping[str, Table]
    """The table of each glossary term, by `Term.term`."""

    def all_ops(self) -> Iterator[OpPlace]:
        """Every operation in order, duplicates included."""
        backend = self.artifacts.backend
        for number, bo in enumerate(backend.bos if backend else ()):
            for place, op in enumerate(bo.ops):
                yield OpPlace(op=op, bo=bo, path=f"/bos/{number}/ops/{place}")

    def column(self, reference: str) -> Column | None:
        """The column behind `table.column`."""
        pair = split_reference(reference)
        place = self.tables.get(pair[0].lower()) if pair else None
        return place.columns.get(pair[1].lower()) if pair and place else None

    def term_of(self, table: Table) -> Term | None:
        """The glossary term that a table stands for."""
        known = self.terms.get(table.logical.strip()) or self.terms.get(singular(snake(table.name)))
        return known or self.terms.get(table.name.lower())


def build_index(artifacts: Artifacts) -> Index:
    """Read all artifacts once."""
    prd, erd, backend = artifacts.prd, artifacts.erd, artifacts.backend
    bos = {
        bo.id: BoPlace(bo=bo, path=f"/bos/{number}", attributes={attr.name: attr for attr in bo.attrs})
        for number, bo in enumerate(backend.bos if backend else ())
    }
    ops: dict[str, OpPlace] = {}
    for place in bos.values():
        for number, op in enumerate(place.bo.ops):
            ops.setdefault(op.id, OpPlace(op=op, bo=place.bo, path=f"{place.path}/ops/{number}"))
    return Index(
        artifacts=artifacts,
        requirements={each.id: each for each in prd.reqs} if prd else {},
        actors=frozenset(actor.id for actor in prd.actors) if prd else frozenset(),
        rules={rule.id: rule for rule in prd.rules} if prd else {},
        terms=_terms(prd) if prd else {},
        screens={screen.id: screen for screen in artifacts.ia.screens} if artifacts.ia else {},
        tables=_tables(erd) if erd else {},
        bos=bos,
        ops=ops,
        coverage=coverage(artifacts),
        term_tables=_term_tables(prd, erd.tables) if prd and erd else {},
    )


def _terms(prd: Prd) -> dict[str, Term]:
    """A term's own names come before another term's synonym of the same name."""
    terms: dict[str, Term] = {}
    for term in prd.glossary:
        for name in (term.term, term.en.lower(), singular(snake(term.en))):
            terms.setdefault(name, term)
    for term in prd.glossary:
        for name in term.synonyms:
            terms.setdefault(name, term)
    return terms


def _tables(erd: Erd) -> dict[str, TablePlace]:
    by_name = {table.name.lower(): table for table in erd.tables}
    places: dict[str, TablePlace] = {}
    for number, table in enumerate(erd.tables):
        columns: dict[str, Column] = {}
        for column in all_columns(erd, table):
            columns.setdefault(column.name.lower(), column)
        place = TablePlace(table=table, path=f"/tables/{number}", columns=columns, keys=foreign_keys(table, by_name))
        places.setdefault(table.name.lower(), place)
    return places


def _term_tables(prd: Prd, tables: Iterable[Table]) -> dict[str, Table]:
    by_name: dict[str, Table] = {}
    for table in tables:
        for name in (table.logical.strip(), table.name.lower(), singular(snake(table.name))):
            by_name.setdefault(name, table)
    found: dict[str, Table] = {}
    for term in prd.glossary:
        english = snake(term.en)
        names = (plural(singular(english)), singular(english), term.term, *term.synonyms)
        table = next((by_name[name] for name in names if name in by_name), None)
        if table:
            found[term.term] = table
    return found
