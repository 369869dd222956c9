"""From decisions to the PRD: ids, criteria, states and qualities that follow by code."""

import re
from dataclasses import dataclass

from dure_spec.agents.ba_criteria import criteria, plain_sentence
from dure_spec.agents.ba_decisions import Decisions, merged
from dure_spec.agents.ba_extras import left_out, nfrs_of, questions_of, with_unnamed
from dure_spec.artifacts.prd import (
    Actor,
    Criterion,
    Prd,
    Project,
    Requirement,
    Rule,
    StateMachine,
    Term,
)
from dure_spec.artifacts.shared import Language
from dure_spec.derive.assumed_states import assume_states
from dure_spec.derive.words import snake
from dure_spec.intake import Intake
from dure_spec.patterns import PatternEntity, PatternFeature, PatternRole, Proposal

_KINDS_KO = {
    "party": "시스템에 등록되는 사람이나 조직",
    "thing": "시스템이 다루는 대상",
    "event": "날짜가 있는 업무 한 건",
    "line": "업무 한 건을 이루는 줄",
    "money": "금액이 오가는 기록",
    "log": "일어난 일을 쌓아 두는 이력",
    "code": "고르는 값의 목록",
}
_KINDS_EN = {
    "party": "a person or organisation that the system knows",
    "thing": "what the system is about",
    "event": "one case of work with a date",
    "line": "one line of a case",
    "money": "a record of money",
    "log": "a history that only grows",
    "code": "a list of values to choose from",
}
_ANYONE = {
    "ko": ("사용자", "할 일을 빠르고 정확하게 마친다"),
    "en": ("user", "get the work done quickly and without errors"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Draft:
    """The pieces, with their names in the language of the run."""

    lang: Language
    entities: tuple[PatternEntity, ...]
    features: tuple[PatternFeature, ...]
    roles: tuple[PatternRole, ...]
    proposal: Proposal
    sentence: str

    def term(self, english: str) -> str:
        """The glossary term of an entity."""
        entity = next(entity for entity in self.entities if entity.en == english)
        return entity.ko if self.lang == "ko" else entity.en.replace("_", " ")

    def is_named(self, english: str) -> bool:
        """Whether the user's sentence speaks of an entity."""
        entity = next(entity for entity in self.entities if entity.en == english)
        words = (entity.ko, *entity.synonyms_ko, entity.en.replace("_", " "), *entity.synonyms_en)
        said = self.sentence.lower().replace(" ", "")
        return any(word.lower().replace(" ", "").replace("_", "") in said for word in words)

    def actor_ids(self, feature: PatternFeature) -> tuple[str, ...]:
        """Actors of a feature; everybody where it names none that is left."""
        found = tuple(f"A{i}" for i, role in enumerate(self.roles, 1) if role.en in feature.roles)
        return found or ("A1",)

    def who(self, feature: PatternFeature) -> str:
        """The first actor's name."""
        role = next((role for role in self.roles if role.en in feature.roles), None)
        if role is None:
            return self.roles[0].ko if self.lang == "ko" else self.roles[0].en
        return role.ko if self.lang == "ko" else role.en


def assemble(intake: Intake, proposal: Proposal, decisions: Decisions) -> Prd:
    """The whole PRD. Needs at least one entity or feature; the agent sees to that."""
    lang = intake.lang
    entities, features = merged(proposal, decisions)
    roles = decisions.roles or proposal.roles or (_anyone(),)
    draft = _Draft(
        lang=lang, entities=entities, features=features, roles=roles, proposal=proposal, sentence=intake.sentence
    )
    rules = _rules(draft)
    prd = Prd(
        project=Project(
            key=snake(_key(proposal, entities)),
            name=decisions.name or _title(intake.sentence),
            summary=decisions.summary or intake.sentence,
            lang=lang,
        ),
        actors=tuple(
            Actor(
                id=f"A{i}", name=_local(role, lang), kind="human", goal=role.goal_ko if lang == "ko" else role.goal_en
            )
            for i, role in enumerate(roles, 1)
        ),
        glossary=tuple(_term(draft, entity) for entity in entities),
        reqs=_requirements(draft, rules, decisions)
        or tuple(_plain(draft, decisions, i, title) for i, title in enumerate(decisions.titles, 1)),
        nfrs=(),
        rules=rules,
        states=_states(draft),
        questions=questions_of(intake, len(features) or len(decisions.titles)),
        out_of_scope=left_out(intake, proposal, decisions),
    )
    prd = prd.model_copy(update={"states": _lively(assume_states(prd))})
    return with_unnamed(prd.model_copy(update={"nfrs": nfrs_of(prd)}), intake.sentence)


def _title(sentence: str) -> str:
    """The thing that a wish is about, for want of a better name."""
    bare = re.sub(
        r"\s*(을|를)?\s*(만들|설계|개발|구축|관리하고 싶)\S*(\s*\S{1,3})?\s*[.!?]*$",
        "",
        sentence.split("\n")[0].strip(),
    )
    bare = re.sub(
        r"^(please\s+)?(build|make|create|design|develop|generate)\s+(me\s+)?(an?\s+|the\s+)?",
        "",
        bare,
        flags=re.IGNORECASE,
    )
    return bare.strip(" .!?")[:60] or sentence[:60]


def _local(role: PatternRole, lang: Language) -> str:
    return role.ko if lang == "ko" else role.en


def _anyone() -> PatternRole:
    (ko, goal_ko), (en, goal_en) = _ANYONE["ko"], _ANYONE["en"]
    return PatternRole(en=en, ko=ko, goal_ko=goal_ko, goal_en=goal_en)


def _key(proposal: Proposal, entities: tuple[PatternEntity, ...]) -> str:
    if proposal.patterns:
        return f"{proposal.patterns[0]}_system"
    return f"{entities[0].en}_system" if entities else "small_app"


def _term(draft: _Draft, entity: PatternEntity) -> Term:
    kinds = _KINDS_KO if draft.lang == "ko" else _KINDS_EN
    meaning = kinds[entity.kind]
    if entity.of is not None:
        parent = draft.term(entity.of)
        meaning = f"{parent}에 딸린 것: {meaning}" if draft.lang == "ko" else f"{meaning}, part of {parent}"
    synonyms = entity.synonyms_ko if draft.lang == "ko" else entity.synonyms_en
    return Term.model_validate(
        {
            "term": draft.term(entity.en),
            "en": entity.en,
            "def": meaning,
            "synonyms": tuple(w.replace("_", " ") for w in synonyms),
        }
    )


def _requirements(draft: _Draft, rules: tuple[Rule, ...], decisions: Decisions) -> tuple[Requirement, ...]:
    """One for each feature, no two with the same sentence."""
    rows: list[Requirement] = []
    for number, feature in enumerate(draft.features, 1):
        row = _requirement(draft, rules, decisions, number, feature)
        if any(row.text == other.text for other in rows):
            who, entity = draft.who(feature), row.entities[0]
            aimed = plain_sentence(feature, entity=entity, who=who, lang=draft.lang, aim=True)
            row = row.model_copy(update={"text": aimed})
        rows.append(row)
    return tuple(rows)


def _requirement(
    draft: _Draft, rules: tuple[Rule, ...], decisions: Decisions, number: int, feature: PatternFeature
) -> Requirement:
    lang = draft.lang
    terms = tuple(draft.term(name) for name in feature.entities)
    before, after = _step(draft, feature)
    who, title = draft.who(feature), feature.ko if lang == "ko" else feature.en
    said = decisions.sentences[number - 1] if number <= len(decisions.sentences) else ""
    changes = feature.action not in ("list", "read", "report", "login")
    return Requirement(
        id=f"FR-{number:03d}",
        title=title,
        actors=draft.actor_ids(feature),
        text=said or plain_sentence(feature, entity=terms[0], who=who, lang=lang),
        pri=feature.pri,
        kind=feature.kind,
        entities=terms,
        rules=tuple(rule.id for rule in rules if changes and set(rule.entities) <= set(terms)),
        src="user" if draft.is_named(feature.entities[0]) else "inferred",
        ac=criteria(number, feature, entity=terms[0], who=who, before=before, after=after, lang=lang),
    )


def _plain(draft: _Draft, decisions: Decisions, number: int, title: str) -> Requirement:
    """A requirement that stores nothing: a screen is all it needs."""
    said = decisions.sentences[number - 1] if number <= len(decisions.sentences) else ""
    ko = draft.lang == "ko"
    return Requirement(
        id=f"FR-{number:03d}",
        title=title,
        actors=("A1",),
        text=said
        or (
            f"사용자가 {title} 기능을 쓰면 시스템은 결과를 바로 보여 준다."
            if ko
            else f"When the user runs {title.lower()}, the system shall show the result at once."
        ),
        pri="M",
        kind="query",
        entities=(),
        src="inferred",
        ac=(
            Criterion(
                id=f"AC-{number:03d}-1",
                g="화면이 열려 있음" if ko else "the screen is open",
                w=f"사용자가 {title} 실행" if ko else f"the user runs {title.lower()}",
                t="1초 안에 결과가 화면에 보인다" if ko else "the result is on the screen within 1 second",
            ),
        ),
    )


def _step(draft: _Draft, feature: PatternFeature) -> tuple[str, str]:
    for machine in draft.proposal.states:
        for before, after, title in machine.transitions:
            if title == feature.en and machine.entity == feature.entities[0]:
                return before, after
    return "", ""


def _rules(draft: _Draft) -> tuple[Rule, ...]:
    names = {entity.en for entity in draft.entities}
    kept = [rule for rule in draft.proposal.rules if set(rule.entities) <= names][:8]
    return tuple(
        Rule(
            id=f"BR-{i:02d}",
            kind=rule.kind,
            text=rule.ko if draft.lang == "ko" else rule.en,
            entities=tuple(draft.term(name) for name in rule.entities),
        )
        for i, rule in enumerate(kept, 1)
    )


def _states(draft: _Draft) -> tuple[StateMachine, ...]:
    names = {entity.en for entity in draft.entities}
    numbers = {feature.en: f"FR-{i:03d}" for i, feature in enumerate(draft.features, 1)}
    machines: list[StateMachine] = []
    for machine in draft.proposal.states:
        if machine.entity not in names:
            continue
        rows = tuple((a, b, numbers[title]) for a, b, title in machine.transitions if title in numbers)
        reached = {machine.values[0], *(after for _, after, _ in rows), *(before for before, _, _ in rows)}
        values = tuple(value for value in machine.values if value in reached)
        machines.append(StateMachine(entity=draft.term(machine.entity), values=values, transitions=rows))
    return tuple(machines)


def _lively(machines: tuple[StateMachine, ...]) -> tuple[StateMachine, ...]:
    """Machines in which something can change."""
    return tuple(machine for machine in machines if machine.transitions)
