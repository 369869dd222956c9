"""V01 RequirementQuality: every requirement is one thing, said so that it can be built and tested in one way only."""

import math
import re
from collections.abc import Iterator, Sequence

from dure_spec.artifacts.findings import Severity
from dure_spec.artifacts.prd import Criterion, Nfr, Prd, Requirement
from dure_spec.validators.atomicity import MOST_VERBS, split_points
from dure_spec.validators.index import Index
from dure_spec.validators.near_duplicates import near_duplicates
from dure_spec.validators.outcomes import is_untestable
from dure_spec.validators.policy import Draft, Policy, Text
from dure_spec.validators.prd_references import check_references_of, twin_topic
from dure_spec.validators.smell_texts import listed, rewrites, shown
from dure_spec.validators.smells import Smell, find_smells

_WORDING = Text(
    '"{sentence}"에서 {words}: 사람마다 다르게 만들고 합격 여부를 가릴 수 없습니다',
    '"{sentence}" says {words}: two people would build two things, and no test can tell which is right',
)
_EMPTY = Text(
    "{field}이(가) 비어 있습니다: 무엇을 만들지 알 수 없습니다", "{field} is empty: nobody knows what to build"
)
_NO_CRITERIA = Text(
    '"{sentence}"에 인수 조건(ac)이 없습니다: 다 만들었는지 확인할 수 없습니다',
    '"{sentence}" has no acceptance criteria (ac): nobody can tell when it is done',
)
_OUTCOME = Text(
    '{id}의 결과(t) "{sentence}"은(는) 시험할 수 없습니다{why}',
    'the outcome (t) of {id}, "{sentence}", cannot be tested{why}',
)
_NO_TARGET = Text(
    '"{sentence}"에 측정할 목표값({field})이 없습니다: 지켰는지 잴 수 없습니다',
    '"{sentence}" has no measurable {field}: nobody can tell whether it is met',
)
_SEVERAL = Text(
    '"{sentence}"에 동작이 {count}개 있습니다: 하나씩 나누어야 따로 만들고 시험합니다',
    '"{sentence}" asks for {count} things: one each can be built and tested alone',
)
_ALIKE = Text(
    '"{sentence}"은(는) {other} "{twin}"과(와) 거의 같습니다: 같은 것을 두 번 만들게 됩니다',
    '"{sentence}" says nearly the same as {other} "{twin}": one thing would be built twice',
)
_OBSERVED = Text(
    "관찰할 수 있는 결과 쓰기: 저장되는 값, 바뀌는 상태, 화면의 문구나 건수, 오류 코드",
    "something to observe: the stored value, the new state, the text or count on the screen, the error code",
)
_TARGET = Text("예: metric p95 응답 시간, target 1.0, unit s", "such as metric p95 latency, target 1.0, unit s")
_EXAMPLE = Text(
    "AC를 하나 이상: 전제(g), 행동(w), 관찰할 수 있는 결과(t)",
    "at least one ac: given (g), when (w), observable outcome (t)",
)
_NOTHING = re.compile(
    r"^[\s\-–—.·?/]*$|^(?:n/?a|none|null|tbd|tbc|unknown|미정|없음|해당\s?없음|추후.*|협의.*)$", re.IGNORECASE
)
_DEGREE = re.compile(
    r"^(?:very |매우 |아주 )?(?:high|low|good|fast|quick|medium|normal|best|max(?:imum)?|min(?:imum)?|sufficient|short"
    r"|long|acceptable"
    r"|높음|높게|낮음|낮게|보통|중간|좋음|양호|우수|충분|최대|최소|최고|빠름|빠르게|상|중|하)$",
    re.IGNORECASE,
)
_TIMED = re.compile(r"time|latency|duration|retention|delay|period|시간|지연|기간|주기|보존", re.IGNORECASE)
_ANY_UNIT = re.compile(
    r"\b(?:ms|s|sec\w*|min\w*|h|hours?|days?|weeks?|months?|years?)\b|초|분|시간\)|일\b|개월|년", re.IGNORECASE
)


def check_requirements(index: Index, policy: Policy) -> Iterator[Draft]:
    """Everything that is wrong with the PRD as a text of requirements."""
    prd = index.artifacts.prd
    if prd is None:
        return
    yield from check_references_of(prd, index, policy)
    names = _names(prd)
    for number, requirement in enumerate(prd.reqs):
        yield from _requirement(f"/reqs/{number}", requirement, names, policy)
    for number, nfr in enumerate(prd.nfrs):
        yield from _nfr(f"/nfrs/{number}", nfr, policy)
    for number, rule in enumerate(prd.rules):
        yield from _wording(f"/rules/{number}/text", rule.id, rule.text, names, policy)
    yield from _repeated(prd)


def _names(prd: Prd) -> tuple[str, ...]:
    """What has a meaning of its own in this system, whatever the words in it mean elsewhere."""
    terms = (name for term in prd.glossary for name in (term.term, *term.synonyms, term.en.replace("_", " ")))
    return tuple(dict.fromkeys(name for name in (*terms, *(actor.name for actor in prd.actors)) if name.strip()))


def _requirement(path: str, requirement: Requirement, names: Sequence[str], policy: Policy) -> Iterator[Draft]:
    sentence = shown(requirement.text)
    yield from _wording(f"{path}/text", requirement.id, requirement.text, names, policy)
    if not requirement.ac and requirement.pri != "W":
        yield _draft(
            "major", f"{path}/ac", requirement.id, _NO_CRITERIA, {"sentence": sentence}, _EXAMPLE.write(policy.lang, {})
        )
    pieces = split_points(requirement.text)
    if len(pieces) > MOST_VERBS:
        yield Draft(
            severity="minor",
            stage="ba",
            path=f"{path}/text",
            ref=requirement.id,
            text=_SEVERAL,
            values={"sentence": sentence, "count": str(len(pieces))},
            candidates=tuple(shown(piece) for piece in pieces),
        )
    for number, criterion in enumerate(requirement.ac):
        yield from _criterion(f"{path}/ac/{number}", requirement.id, criterion, names, policy)


def _wording(path: str, ref: str, text: str, names: Sequence[str], policy: Policy) -> Iterator[Draft]:
    if not text.strip():
        yield _draft("major", path, ref, _EMPTY, {"field": path.rpartition("/")[2]})
    smells = find_smells(text, names)
    if smells:
        yield _smelly(path, ref, text, smells, policy)


def _smelly(path: str, ref: str, text: str, smells: Sequence[Smell], policy: Policy) -> Draft:
    first, *others = rewrites(smells, policy.lang)
    return Draft(
        severity="major",
        stage="ba",
        path=path,
        ref=ref,
        text=_WORDING,
        values={"sentence": shown(text), "words": listed(smells, policy.lang)},
        expected=first,
        candidates=tuple(others),
    )


def _criterion(path: str, owner: str, criterion: Criterion, names: Sequence[str], policy: Policy) -> Iterator[Draft]:
    ref = f"{owner} {criterion.id}"
    smells = find_smells(criterion.t, names, pronouns=False)
    if smells or is_untestable(criterion):
        why = f": {listed(smells, policy.lang)}" if smells else ""
        values = {"id": criterion.id, "sentence": shown(criterion.t), "why": why}
        yield _draft("major", f"{path}/t", ref, _OUTCOME, values, _OBSERVED.write(policy.lang, {}))
    for field, text in (("g", criterion.g), ("w", criterion.w)):
        found = find_smells(text, names, pronouns=False)
        if found:
            yield _smelly(f"{path}/{field}", ref, text, found, policy)


def _nfr(path: str, nfr: Nfr, policy: Policy) -> Iterator[Draft]:
    missing = _missing(nfr)
    if missing:
        values = {"sentence": shown(nfr.text or nfr.metric), "field": missing}
        yield _draft("major", f"{path}/{missing}", nfr.id, _NO_TARGET, values, _TARGET.write(policy.lang, {}))


def _missing(nfr: Nfr) -> str:
    """The field without which it cannot be measured."""
    if isinstance(nfr.target, str):
        target = nfr.target.strip()
        if _NOTHING.match(target) or _DEGREE.match(target):
            return "target"
        if find_smells(target, pronouns=False) and not any(letter.isdigit() for letter in target):
            return "target"
    elif not math.isfinite(nfr.target):
        return "target"
    if _NOTHING.match(nfr.metric.strip()):
        return "metric"
    return "unit" if _lacks_unit(nfr) else ""


def _lacks_unit(nfr: Nfr) -> bool:
    """Whether a time is a bare number."""
    bare = not isinstance(nfr.target, str) or re.fullmatch(r"[<>≤≥=\s\d.,]+", nfr.target) is not None
    said = f"{nfr.unit} {nfr.metric} {nfr.text}"
    return bare and not nfr.unit.strip() and _TIMED.search(nfr.metric) is not None and not _ANY_UNIT.search(said)


def _repeated(prd: Prd) -> Iterator[Draft]:
    for first, second in near_duplicates(prd.reqs):
        twin, each = prd.reqs[first], prd.reqs[second]
        yield Draft(
            severity="major",
            stage="ba",
            path=f"/reqs/{second}",
            ref=each.id,
            text=_ALIKE,
            values={"sentence": shown(each.text), "other": twin.id, "twin": shown(twin.text)},
            cause=twin_topic(prd, each.id) if each.id == twin.id else "",
        )


def _draft(severity: Severity, path: str, ref: str, text: Text, values: dict[str, str], expected: str = "") -> Draft:
    return Draft(severity=severity, stage="ba", path=path, ref=ref, text=text, values=values, expected=expected)
