"""The parts of the PRD around its requirements: qualities, open questions, and what is left out."""

from dure_spec.agents.ba_decisions import Decisions
from dure_spec.artifacts.prd import Nfr, Prd, Question
from dure_spec.intake import Intake
from dure_spec.patterns import Proposal
from dure_spec.validators.asked_for import unnamed

_NFR = {
    "ko": {
        "performance": "목록 조회 응답 시간",
        "security": "비밀번호는 단방향 해시로 저장",
        "audit": "상태 변경 이력 보존 기간",
    },
    "en": {
        "performance": "response time of a list",
        "security": "passwords are stored as a one-way hash",
        "audit": "how long state changes are kept",
    },
}

_UNNAMED = {
    "ko": ("{things}: 이번 설계에서 뺐습니다. 필요합니까?", ("이번에는 뺀다", "다음 설계에 넣는다")),
    "en": ("{things}: left out of this design. Is it needed?", ("leave it out", "put it into the next design")),
}
MOST_QUESTIONS = 5


def nfrs_of(prd: Prd) -> tuple[Nfr, ...]:
    """Qualities that every system of the kind needs, measurable."""
    words = _NFR[prd.project.lang]
    lists = tuple(req.id for req in prd.reqs if req.kind in ("query", "report"))
    logins = tuple(req.id for req in prd.reqs if req.kind == "auth")
    moves = tuple(dict.fromkeys(row[2] for machine in prd.states for row in machine.transitions))
    rows: list[Nfr] = []

    def add(cat: str, metric: str, target: float | str, unit: str, scope: tuple[str, ...]) -> None:
        if scope:
            row = {
                "id": f"NFR-{len(rows) + 1:02d}",
                "cat": cat,
                "text": words[cat],
                "metric": metric,
                "target": target,
                "unit": unit,
                "scope": scope,
            }
            rows.append(Nfr.model_validate(row))

    add("performance", "p95 latency", 1.0, "s", lists)
    add("security", "hash algorithm", "argon2id", "", logins)
    add("audit", "retention", 5.0, "year", moves)
    return tuple(rows)


def asked_of_user(intake: Intake) -> tuple[tuple[str, tuple[str, ...], str], ...]:
    """What only the user can decide, with its options and the default that is taken meanwhile."""
    asked = [(one.question_text, one.options, one.default) for one in intake.substitutions]
    if intake.scope_question is not None:
        asked.append((intake.scope_question.text, intake.scope_question.options, intake.scope_question.default))
    return tuple(asked[:MOST_QUESTIONS])


def questions_of(intake: Intake, count: int) -> tuple[Question, ...]:
    """The same as parts of the PRD."""
    first = tuple(f"FR-{i:03d}" for i in range(1, min(count, 3) + 1))
    return tuple(
        Question(id=f"Q-{i:02d}", text=text, options=options, default=default, impact=first)
        for i, (text, options, default) in enumerate(asked_of_user(intake), 1)
    )


def left_out(intake: Intake, proposal: Proposal, decisions: Decisions) -> tuple[str, ...]:
    """What a broad wish leaves for later, and what the model found unrelated."""
    lang = intake.lang
    dropped = tuple(
        entity.ko if lang == "ko" else entity.en.replace("_", " ")
        for entity in proposal.entities
        if entity.en in decisions.dropped
    )
    return (*intake.out_of_scope, *dropped)


def with_unnamed(prd: Prd, sentence: str) -> Prd:
    """The PRD that says openly what it leaves out of the sentence's own words, and asks about it."""
    missing = unnamed(prd, sentence)
    if not missing:
        return prd
    text, options = _UNNAMED[prd.project.lang]
    question = Question(
        id=f"Q-{len(prd.questions) + 1:02d}",
        text=text.format(things=", ".join(missing)),
        options=options,
        default=options[0],
        impact=tuple(req.id for req in prd.reqs[:1]),
    )
    asked = (*prd.questions, question)[:MOST_QUESTIONS]
    return prd.model_copy(update={"out_of_scope": (*prd.out_of_scope, *missing), "questions": asked})
