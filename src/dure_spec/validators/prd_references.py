"""V01, ids: nothing has the id of something else, and whoever or whatever a requirement names exists."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count

from dure_spec.artifacts.prd import Prd
from dure_spec.validators.index import Index
from dure_spec.validators.policy import Draft, Policy, Text, nearest

_TWICE = Text(
    "{id}이(가) 두 번 쓰였습니다: 뒤 단계가 어느 것을 따를지 알 수 없습니다",
    "{id} stands for two things: later stages cannot tell which one is meant",
)
_SAME_ENGLISH = Text(
    "용어 '{term}'과 '{other}'의 영어 이름이 모두 {id}입니다: 두 용어가 한 테이블이 됩니다",
    "the terms '{term}' and '{other}' are both called {id}: they would become one table",
)
_NO_ACTOR = Text("존재하지 않는 액터 {id}: 누가 쓰는지 알 수 없습니다", "unknown actor {id}: nobody knows who does it")
_NO_RULE = Text(
    "존재하지 않는 업무규칙 {id}: 무엇을 지켜야 하는지 알 수 없습니다",
    "unknown business rule {id}: nobody knows what it asks",
)
_NO_TERM = Text(
    "'{id}'은(는) 용어집에 없습니다: 테이블과 화면의 이름을 정할 수 없습니다",
    "'{id}' is not in the glossary: tables and screens cannot be named after it",
)
_NUMBER = re.compile(r"\d+$")
_MOST = 8
"""Terms to choose from, in one message."""


def check_references_of(prd: Prd, index: Index, policy: Policy) -> Iterator[Draft]:
    """Duplicate ids, and references to actors, rules and terms that are not there."""
    yield from _duplicates(prd)
    actors = {actor.id: actor.name for actor in prd.actors}
    for number, requirement in enumerate(prd.reqs):
        for place, actor in enumerate(requirement.actors):
            if actor not in actors:
                near = nearest(actor, actors) or tuple(actors)[:_MOST]
                yield _unknown(f"/reqs/{number}/actors/{place}", requirement.id, _NO_ACTOR, actor, near, "actor")
        for place, rule in enumerate(requirement.rules):
            if rule not in index.rules:
                near = nearest(rule, index.rules) or tuple(index.rules)[:_MOST]
                yield _unknown(f"/reqs/{number}/rules/{place}", requirement.id, _NO_RULE, rule, near, "rule")
    mixed = any(_repeated(term.term.strip() for term in prd.glossary))
    for path, owner, entity in _entities(prd):
        if not _is_term(index, entity):
            terms = tuple(term.term for term in prd.glossary)
            near = tuple(dict.fromkeys((*nearest(entity, terms), *terms)))[:_MOST]
            draft = _unknown(path, owner, _NO_TERM, entity, near, "term")
            # a term that stands twice in the glossary stands in the place of another one
            yield replace(draft, cause="term:") if mixed else draft


def twin_topic(prd: Prd, requirement: str) -> str:
    """The topic of the finding on a requirement whose id stands twice; no finding has it where the id stands once."""
    ids = [each.id for each in prd.reqs]
    return f"requirement:{_free(requirement, ids)}" if ids.count(requirement) > 1 else ""


def _duplicates(prd: Prd) -> Iterator[Draft]:
    groups: tuple[tuple[str, str, str, Sequence[str]], ...] = (
        ("requirement", "reqs", "id", [each.id for each in prd.reqs]),
        ("actor", "actors", "id", [each.id for each in prd.actors]),
        ("rule", "rules", "id", [each.id for each in prd.rules]),
        ("nfr", "nfrs", "id", [each.id for each in prd.nfrs]),
        ("question", "questions", "id", [each.id for each in prd.questions]),
        ("term", "glossary", "term", [each.term.strip() for each in prd.glossary]),
        ("state", "states", "entity", [each.entity.strip() for each in prd.states]),
    )
    for kind, field, key, ids in groups:
        for number, name in _repeated(ids):
            yield _twice(f"/{field}/{number}/{key}", name, name, kind, ids)
    criteria = [
        (f"/reqs/{i}/ac/{j}/id", req.id, each.id) for i, req in enumerate(prd.reqs) for j, each in enumerate(req.ac)
    ]
    ids = [name for _, _, name in criteria]
    for number, name in _repeated(ids):
        path, owner, _ = criteria[number]
        draft = _twice(path, f"{owner} {name}", name, "criterion", ids)
        # a requirement that stands twice brings its criteria with it
        yield replace(draft, cause=twin_topic(prd, owner))
    yield from _same_english(prd)


def _same_english(prd: Prd) -> Iterator[Draft]:
    names = [term.en.strip().lower() for term in prd.glossary]
    for number, name in _repeated(names):
        term, other = prd.glossary[number], prd.glossary[names.index(name)]
        if term.term != other.term:
            yield Draft(
                severity="critical",
                stage="ba",
                path=f"/glossary/{number}/en",
                ref=term.term,
                text=_SAME_ENGLISH,
                values={"term": term.term, "other": other.term, "id": term.en},
            )


def _repeated(ids: Iterable[str]) -> Iterator[tuple[int, str]]:
    seen: set[str] = set()
    for number, name in enumerate(ids):
        if name in seen:
            yield number, name
        seen.add(name)


def _twice(path: str, ref: str, name: str, kind: str, ids: Sequence[str]) -> Draft:
    """Its topic is the id that is free now: whoever still names that one does so because of the mix-up."""
    free = _free(name, ids)
    return Draft(
        severity="critical",
        stage="ba",
        path=path,
        ref=ref,
        text=_TWICE,
        values={"id": name},
        expected=free,
        topic=f"{kind}:{free}",
    )


def _free(name: str, ids: Sequence[str]) -> str:
    """The first id of the same shape that is not taken."""
    number = _NUMBER.search(name)
    if number is None:
        return ""
    head, width = name[: number.start()], len(number[0])
    return next(free for each in count(1) if (free := f"{head}{each:0{width}d}") not in ids)


def _entities(prd: Prd) -> Iterator[tuple[str, str, str]]:
    for number, requirement in enumerate(prd.reqs):
        for place, entity in enumerate(requirement.entities):
            yield f"/reqs/{number}/entities/{place}", requirement.id, entity
    for number, rule in enumerate(prd.rules):
        for place, entity in enumerate(rule.entities):
            yield f"/rules/{number}/entities/{place}", rule.id, entity
    for number, machine in enumerate(prd.states):
        yield f"/states/{number}/entity", machine.entity, machine.entity


def _is_term(index: Index, entity: str) -> bool:
    name = entity.strip()
    return name in index.terms or name.lower() in index.terms


def _unknown(path: str, owner: str, text: Text, name: str, near: tuple[str, ...], kind: str) -> Draft:
    """One that is named in several places is one mistake: the first place is the cause of the others."""
    severity = "major" if kind == "term" else "critical"
    return Draft(
        severity=severity,
        stage="ba",
        path=path,
        ref=owner,
        text=text,
        values={"id": name},
        expected=near[0] if len(near) == 1 else "",
        candidates=near,
        topic=f"{kind}:{name}",
        cause=f"{kind}:{name}",
    )
