"""V02 RequirementCoverage: nothing wanted is forgotten, nothing refers to a requirement that is not there."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import repeat

from dure_spec.artifacts.findings import Severity
from dure_spec.artifacts.prd import Requirement
from dure_spec.artifacts.shared import Stage
from dure_spec.derive.trace import Need, needs_of
from dure_spec.validators.index import Index
from dure_spec.validators.policy import Draft, Policy, Text, nearest

_MISSING: dict[Need, Text] = {
    "screen": Text(
        "{title}({pri}): 화면이 없어 사용자가 쓸 곳이 없습니다", "{title} ({pri}) has no screen, so nobody can use it"
    ),
    "table": Text(
        "{title}({pri}): 테이블이 없어 저장할 곳이 없습니다", "{title} ({pri}) has no table, so it cannot be stored"
    ),
    "op": Text(
        "{title}({pri}): 오퍼레이션이 없어 화면이 호출할 것이 없습니다", "{title} ({pri}) has no operation to call"
    ),
    "component": Text("{title}({pri}): 화면 구성요소가 없습니다", "{title} ({pri}) has no component on any screen"),
}
_UNKNOWN = Text("존재하지 않는 요구 {id}: 추적이 끊어집니다", "traces unknown requirement {id}: the trace ends here")
_NOTHING_WANTED = Text(
    "요구사항이 하나도 없어 설계할 것이 없습니다", "there is no requirement, so there is nothing to design"
)
_NO_REQUIREMENT = Text("어떤 요구에도 속하지 않습니다", "serves no requirement")

_STAGE: dict[Need, tuple[Stage, str]] = {
    "screen": ("planner", "/screens"),
    "table": ("dba", "/tables"),
    "op": ("backend", "/bos"),
    "component": ("frontend", "/components"),
}
_WEIGHT: dict[str, Severity] = {"M": "critical", "S": "major", "C": "minor"}


def check_coverage(index: Index, policy: Policy) -> Iterator[Draft]:
    """Requirements without a home, and homes without a requirement."""
    for need in index.coverage:
        causes = _causes(index, need)
        for requirement in index.requirements.values():
            for draft in _missing(index, requirement, need):
                yield draft if draft.cause else replace(draft, cause=next(causes, ""))
    if index.artifacts.prd:
        yield from _traces(index)


def _missing(index: Index, requirement: Requirement, need: Need) -> Iterator[Draft]:
    severity = _WEIGHT.get(requirement.pri)
    if severity is None or need not in needs_of(requirement) or index.coverage[need].get(requirement.id):
        return
    stage, path = _STAGE[need]
    yield Draft(
        severity=severity,
        stage=stage,
        path=path,
        ref=requirement.id,
        text=_MISSING[need],
        values={"title": requirement.title, "pri": requirement.pri},
        candidates=_homes(index, requirement, need),
        topic=f"{need}:{requirement.id}",
        cause=_bare_screen(index, requirement) if need == "component" else "",
    )


def _causes(index: Index, need: Need) -> Iterator[str]:
    """Topics that may be why requirements have no home: a trace that went astray each, a screen that is gone all."""
    for requirement, names in index.coverage[need].items():
        if requirement not in index.requirements:
            yield from (f"trace:{name}:{requirement}" for name in names)
    ia = index.artifacts.ia if need == "screen" else None
    if ia:
        named = [*(menu.screen for menu in ia.menu), *(link for screen in ia.screens for link in screen.links)]
        named += [step for flow in ia.flows for step in flow.steps]
        gone = next((name for name in named if name not in index.screens), None)
        yield from repeat(f"dead:{gone}") if gone else ()


def _bare_screen(index: Index, requirement: Requirement) -> str:
    """The topic of a screen of the requirement that has no component at all."""
    frontend = index.artifacts.frontend
    used = {component.screen for component in frontend.components} if frontend else set[str]()
    screens = (screen.id for screen in index.screens.values() if requirement.id in screen.reqs)
    return next((f"no-component:{screen}" for screen in screens if screen not in used), "")


def _homes(index: Index, requirement: Requirement, need: Need) -> tuple[str, ...]:
    """Things that already deal with the same entities, most shared entities first."""
    entities = set(requirement.entities)
    if need == "table":
        return tuple(index.term_tables[term].name for term in requirement.entities if term in index.term_tables)[:3]
    shared: dict[str, int] = {}
    for other, names in index.coverage[need].items():
        known = index.requirements.get(other)
        for name in names:
            common = len(entities & set(known.entities)) if known else 0
            shared[name] = max(shared.get(name, 0), common)
    ranked = sorted((name for name in shared if shared[name]), key=lambda name: -shared[name])
    return tuple(ranked[:3])


def _traces(index: Index) -> Iterator[Draft]:
    yield from _in_prd(index)
    yield from _on_screens(index)
    erd, frontend = index.artifacts.erd, index.artifacts.frontend
    for number, table in enumerate(erd.tables if erd else ()):
        yield from _item(index, "dba", f"/tables/{number}", table.name, table.reqs, needed=table.kind == "entity")
    for place in index.all_ops():
        yield from _item(index, "backend", place.path, place.op.id, place.op.reqs, needed=place.op.kind != "login")
    for number, component in enumerate(frontend.components if frontend else ()):
        yield from _item(index, "frontend", f"/components/{number}", component.id, component.reqs)


def _in_prd(index: Index) -> Iterator[Draft]:
    prd = index.artifacts.prd
    if prd and not prd.reqs:
        yield Draft(severity="critical", stage="ba", path="/reqs", ref="reqs", text=_NOTHING_WANTED)
    for number, nfr in enumerate(prd.nfrs if prd else ()):
        yield from _known(index, "ba", f"/nfrs/{number}/scope", nfr.id, nfr.scope)
    for number, question in enumerate(prd.questions if prd else ()):
        yield from _known(index, "ba", f"/questions/{number}/impact", question.id, question.impact)
    for number, machine in enumerate(prd.states if prd else ()):
        for place, transition in enumerate(machine.transitions):
            path = f"/states/{number}/transitions/{place}"
            yield from _known(index, "ba", path, machine.entity, transition[2:3], first=2)


def _on_screens(index: Index) -> Iterator[Draft]:
    ia = index.artifacts.ia
    for number, screen in enumerate(ia.screens if ia else ()):
        yield from _item(index, "planner", f"/screens/{number}", screen.id, screen.reqs)
        for place, action in enumerate(screen.actions):
            if action.req not in index.requirements:
                path = f"/screens/{number}/actions/{place}/req"
                yield _unknown(index, "planner", path, screen.id, action.req)


def _item(
    index: Index, stage: Stage, path: str, name: str, requirements: Sequence[str], *, needed: bool = True
) -> Iterator[Draft]:
    if needed and not requirements:
        cause = _waiting(index, stage)
        yield Draft(severity="minor", stage=stage, path=f"{path}/reqs", ref=name, text=_NO_REQUIREMENT, cause=cause)
    yield from _known(index, stage, f"{path}/reqs", name, requirements)


def _waiting(index: Index, stage: Stage) -> str:
    """The topic of a requirement that nothing of the stage serves: an item without one is probably its home."""
    need: Need | None = next((each for each in index.coverage if _STAGE[each][0] == stage), None)
    if need is None:
        return ""
    missing = (name for name, each in index.requirements.items() if need in needs_of(each))
    return next((f"{need}:{name}" for name in missing if not index.coverage[need].get(name)), "")


def _known(
    index: Index, stage: Stage, path: str, name: str, requirements: Iterable[str], *, first: int = 0
) -> Iterator[Draft]:
    for number, requirement in enumerate(requirements, first):
        if requirement not in index.requirements:
            yield _unknown(index, stage, f"{path}/{number}", name, requirement)


def _unknown(index: Index, stage: Stage, path: str, name: str, requirement: str) -> Draft:
    return Draft(
        severity="critical",
        stage=stage,
        path=path,
        ref=f"{name}:{requirement}",
        text=_UNKNOWN,
        values={"id": requirement},
        candidates=nearest(requirement, index.requirements) or tuple(index.requirements)[:3],
        topic=f"trace:{name}:{requirement}",
        cause=f"requirement:{requirement}",
    )
