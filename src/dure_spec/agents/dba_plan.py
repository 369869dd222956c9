"""Which tables a design needs and what is known of each before the DBA's model is asked."""

from dataclasses import dataclass

from dure_spec.artifacts.prd import Prd, StateMachine, Term
from dure_spec.derive.words import plural, singular
from dure_spec.patterns import ColumnHint, PatternEntity, Proposal


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTable:
    """One table to be written: what it refers to stands before it."""

    name: str
    term: Term
    refers: tuple[str, ...]
    """Tables that it refers to as far as is known."""
    hints: tuple[ColumnHint, ...]
    states: StateMachine | None

    def line(self) -> str:
        """The table as one line of the question."""
        columns = [hint.name for hint in self.hints]
        if self.states:
            columns = [name for name in columns if name != "status"]
            columns.append(f"status ({', '.join(self.states.values)})")
        refers = f" -> {', '.join(self.refers)}" if self.refers else ""
        return f"{self.name} {self.term.term}{refers}" + (f": {', '.join(columns)}" if columns else "")

    def sql(self) -> str:
        """The table as the program would write it, from what the catalogue knows."""
        columns = [f"{singular(target)}_id BIGINT NOT NULL REFERENCES {target}(id)" for target in self.refers]
        columns += [f"{hint.text}{' NOT NULL' if _is_needed(i, hint) else ''}" for i, hint in enumerate(self.hints)]
        if not self.hints and not self.refers:
            columns.append("name VARCHAR(200) NOT NULL")
        return f"CREATE TABLE {self.name} (id BIGINT PRIMARY KEY, {', '.join(columns)});"


def _is_needed(place: int, hint: ColumnHint) -> bool:
    """What names a row, and what is counted or paid, is there from the beginning."""
    return place == 0 or "unique" in hint.ddl or hint.ddl.startswith(("numeric", "integer"))


def plan_tables(prd: Prd, proposal: Proposal) -> tuple[PlannedTable, ...]:
    """A table for each glossary term, those that are referred to first."""
    known = {entity.en: entity for entity in proposal.entities}
    names = {term.en: plural(term.en) for term in prd.glossary}
    refers = {term.en: _targets(term.en, known.get(term.en), proposal) & names.keys() for term in prd.glossary}
    machines = {machine.entity: machine for machine in prd.states}
    planned = tuple(
        PlannedTable(
            name=names[term.en],
            term=term,
            refers=tuple(names[other] for other in sorted(refers[term.en], key=list(names).index)),
            hints=known[term.en].columns if term.en in known else (),
            states=machines.get(term.term),
        )
        for term in _ordered(prd.glossary, refers)
    )
    return (*planned, *_junctions(proposal, names, prd))


def _junctions(proposal: Proposal, names: dict[str, str], prd: Prd) -> tuple[PlannedTable, ...]:
    """A table between the two ends of an N:M that no entity joins."""
    labels = {term.en: term.term for term in prd.glossary}
    found: dict[str, PlannedTable] = {}
    for relation in proposal.relations:
        one, other = relation.from_, relation.to
        if relation.card == "N:M" and relation.via is None and one != other and {one, other} <= names.keys():
            english = f"{one}_{other}"
            term = Term.model_validate({"term": f"{labels[one]} {labels[other]}", "en": english, "def": english})
            refers = (names[one], names[other])
            found[english] = PlannedTable(name=plural(english), term=term, refers=refers, hints=(), states=None)
    return tuple(found.values())


def _targets(english: str, entity: PatternEntity | None, proposal: Proposal) -> set[str]:
    found = {entity.of} if entity and entity.of else set[str]()
    for relation in proposal.relations:
        if relation.via == english:
            found |= {relation.from_, relation.to}
        elif relation.via is None and relation.to == english and relation.card != "N:M":
            found.add(relation.from_)
    return found


def _ordered(terms: tuple[Term, ...], refers: dict[str, set[str]]) -> list[Term]:
    """Terms whose targets are there already first; a circle is broken at its first term."""
    left, done = list(terms), list[Term]()
    while left:
        names = {term.en for term in left}
        ready = next((term for term in left if not (refers[term.en] - {term.en}) & names), left[0])
        left.remove(ready)
        done.append(ready)
    return done
