"""Everything the templates need, looked up once; templates only lay it out."""

from collections.abc import Mapping
from dataclasses import dataclass

from dure_spec.artifacts import Artifacts
from dure_spec.artifacts.prd import Actor
from dure_spec.artifacts.report import TraceRow
from dure_spec.artifacts.shared import Language
from dure_spec.derive.data_dictionary import DictionaryRow, data_dictionary
from dure_spec.derive.op_labels import language_of
from dure_spec.derive.trace import trace_rows
from dure_spec.render.operations import BoGroup, bo_groups
from dure_spec.render.wireframes import Sketch, sketches
from dure_spec.render.words import words


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """One design, ready for a template."""

    artifacts: Artifacts
    lang: Language
    words: Mapping[str, str]
    names: Mapping[str, str]
    """What the id of an actor, a requirement, a rule, a screen, an object, an operation or a table stands for."""
    known: frozenset[str]
    """Every id that has a place of its own."""
    dictionary: Mapping[str, tuple[DictionaryRow, ...]]
    groups: tuple[BoGroup, ...]
    sketches: tuple[Sketch, ...]
    trace: tuple[TraceRow, ...]
    open_questions: tuple[str, ...]
    assumptions: tuple[str, ...]
    people: tuple[Actor, ...]
    """The actors that some screen or operation names, else all human ones: the columns of the permission matrix."""

    @property
    def title(self) -> str:
        """Name of the project."""
        prd = self.artifacts.prd
        return prd.project.name if prd else self.words["doc.untitled"]

    def name(self, key: str) -> str:
        """The name behind an id, or the id itself."""
        return self.names.get(key, key)


def build_view(artifacts: Artifacts) -> View:
    """Look everything up; a stage that is missing leaves its part empty."""
    lang = language_of(artifacts)
    groups = bo_groups(artifacts)
    names = _names(artifacts, groups)
    report = artifacts.report
    return View(
        artifacts=artifacts,
        lang=lang,
        words=words(lang),
        names=names,
        known=frozenset(names) | _placed(artifacts),
        dictionary=_by_table(artifacts),
        groups=groups,
        sketches=sketches(artifacts),
        trace=report.trace if report and report.trace else trace_rows(artifacts),
        open_questions=report.open_questions if report else _questions(artifacts),
        assumptions=report.assumptions if report else _assumptions(artifacts),
        people=_people(artifacts),
    )


def _names(artifacts: Artifacts, groups: tuple[BoGroup, ...]) -> dict[str, str]:
    names: dict[str, str] = {}
    if prd := artifacts.prd:
        names |= {actor.id: actor.name for actor in prd.actors}
        names |= {requirement.id: requirement.title for requirement in prd.reqs}
        names |= {rule.id: rule.text for rule in prd.rules}
        names |= {nfr.id: nfr.text for nfr in prd.nfrs}
    if ia := artifacts.ia:
        names |= {screen.id: screen.name for screen in ia.screens}
    if erd := artifacts.erd:
        names |= {table.name: table.logical for table in erd.tables}
    names |= {group.bo.id: group.bo.name for group in groups}
    return names | {row.op.id: row.label for group in groups for row in group.ops}


def _placed(artifacts: Artifacts) -> frozenset[str]:
    prd, frontend, report = artifacts.prd, artifacts.frontend, artifacts.report
    criteria = {each.id for requirement in prd.reqs for each in requirement.ac} if prd else set[str]()
    questions = {each.id for each in prd.questions} if prd else set[str]()
    components = {each.id for each in frontend.components} if frontend else set[str]()
    risks = {each.id for each in report.risks} if report else set[str]()
    return frozenset(criteria | questions | components | risks)


def _by_table(artifacts: Artifacts) -> dict[str, tuple[DictionaryRow, ...]]:
    rows = data_dictionary(artifacts)
    tables = dict.fromkeys(row.table for row in rows)
    return {table: tuple(row for row in rows if row.table == table) for table in tables}


def _questions(artifacts: Artifacts) -> tuple[str, ...]:
    prd = artifacts.prd
    return tuple(f"{each.id} {each.text}" for each in prd.questions) if prd else ()


def _assumptions(artifacts: Artifacts) -> tuple[str, ...]:
    prd = artifacts.prd
    return tuple(f"{each.id} {each.title}" for each in prd.reqs if each.src == "inferred") if prd else ()


def _people(artifacts: Artifacts) -> tuple[Actor, ...]:
    if artifacts.prd is None:
        return ()
    named = {role for screen in (artifacts.ia.screens if artifacts.ia else ()) for role in screen.roles}
    bos = artifacts.backend.bos if artifacts.backend else ()
    named |= {role for bo in bos for op in bo.ops for role in op.roles}
    return tuple(actor for actor in artifacts.prd.actors if actor.kind == "human" or actor.id in named)
