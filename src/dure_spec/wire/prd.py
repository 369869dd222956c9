"""The PRD as lines: `FR-004 M workflow A1 [주문,상품] BR-02 주문 등록: …` with ` - given > when > then` below."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import cast, get_args

from dure_spec.artifacts.prd import (
    Actor,
    Criterion,
    Nfr,
    NfrCategory,
    Prd,
    Project,
    Question,
    Requirement,
    RequirementKind,
    Rule,
    StateMachine,
    Term,
)
from dure_spec.artifacts.shared import Language
from dure_spec.derive.words import snake
from dure_spec.wire.parsed import Fault, Parsed
from dure_spec.wire.prd_text import written
from dure_spec.wire.text import Line, lines_of, split_list

_ACTOR = re.compile(r"^(A\d+)\s+(.+?)\s*(\(\s*system\s*\))?\s*:\s*(.+)$", re.IGNORECASE)
_TERM = re.compile(r"^G\s+(.+?)\s*=\s*([A-Za-z][\w -]*?)\s*(?:\(([^)]*)\))?\s*(?::\s*(.*))?$")
_RULE = re.compile(r"^(BR-\d+)\s+(constraint|derivation|state|permission)\s+(.*?)\s*:\s*(.+)$", re.IGNORECASE)
_REQ = re.compile(
    r"^(FR-\d+)\s+([MSCW])\s+([a-z]+)\s+(?:(user|inferred|clarified)\s+)?([A0-9, ]*?)\s*"
    r"\[([^\]]*)\]\s*((?:BR-\d+[\s,]*)*)\s*(.+?)\s*:\s*(.+)$"
)
_NFR = re.compile(r"^(NFR-\d+)\s+([a-z0-9]+)\s+(.+?)\s+(\"[^\"]*\"|\S+)\s+((?:FR-\d+[,\s]*)+):\s*(.+)$")
_STATES = re.compile(r"^ST\s+(.+?)\s*:\s*(.+)$")
_MOVE = re.compile(r"([A-Za-z_]\w*)\s*>\s*([A-Za-z_]\w*)\s*(?:\(\s*(FR-\d+)\s*\))?")
_QUESTION = re.compile(r"^Q(?:-\d+)?\s+(.+?)\s*\[([^\]]+)\]\s*((?:FR-\d+[,\s]*)*)$")
_HEADER = re.compile(r"^#+\s*([A-Za-z]\w*)\s+(.+)$")
_EXPECTED = {
    "A": "A1 name: goal",
    "G": "G term=english_word: definition",
    "BR": "BR-01 constraint|derivation|state|permission term,term: text",
    "FR": "FR-001 M|S|C|W kind A1,A2 [term,term] BR-01 title: sentence",
    "NFR": "NFR-01 category metric target FR-001: text",
    "ST": "ST term: STATE>STATE(FR-001)",
    "Q": "Q question? [option|option]",
    "-": "- given > when > then, below a requirement",
}


@dataclass(kw_only=True, slots=True)
class _Draft:
    lang: Language
    header: tuple[str, str] | None = None
    summary: list[str] = field(default_factory=list[str])
    actors: dict[str, Actor] = field(default_factory=dict[str, Actor])
    terms: dict[str, Term] = field(default_factory=dict[str, Term])
    rules: dict[str, Rule] = field(default_factory=dict[str, Rule])
    reqs: dict[str, Requirement] = field(default_factory=dict[str, Requirement])
    nfrs: dict[str, Nfr] = field(default_factory=dict[str, Nfr])
    states: dict[str, StateMachine] = field(default_factory=dict[str, StateMachine])
    questions: list[Question] = field(default_factory=list[Question])
    out: list[str] = field(default_factory=list[str])
    current: str | None = None
    faults: list[Fault] = field(default_factory=list[Fault])
    fresh: set[str] = field(default_factory=set[str])


def parse(text: str, *, lang: Language = "ko") -> Parsed[Prd]:
    """Read a whole PRD."""
    draft = _Draft(lang=lang)
    _read(text, draft)
    if not draft.reqs:
        draft.faults.append(Fault(line=0, text="", expected=_EXPECTED["FR"]))
    key, name = draft.header or ("project", "")
    summary = " ".join(draft.summary)
    project = Project(key=key, name=name or summary or key, summary=summary or name or key, lang=lang)
    return _done(draft, project)


def patch(prd: Prd, text: str) -> Parsed[Prd]:
    """Take replacement lines into a PRD: the same id or term replaces, `DEL id` removes.

    A requirement that is written again without criteria keeps those that it has.
    """
    draft = _Draft(
        lang=prd.project.lang,
        actors={actor.id: actor for actor in prd.actors},
        terms={term.term: term for term in prd.glossary},
        rules={rule.id: rule for rule in prd.rules},
        reqs={req.id: req for req in prd.reqs},
        nfrs={nfr.id: nfr for nfr in prd.nfrs},
        states={machine.entity: machine for machine in prd.states},
        questions=list(prd.questions),
        out=list(prd.out_of_scope),
    )
    _read(text, draft)
    for before in prd.reqs:
        req = draft.reqs.get(before.id)
        if req is not None and not req.ac:
            draft.reqs[req.id] = req.model_copy(update={"ac": before.ac})
    project = prd.project
    if draft.header is not None:
        project = project.model_copy(update={"key": draft.header[0], "name": draft.header[1]})
    return _done(draft, project)


def write(prd: Prd) -> str:
    """The whole PRD as lines."""
    return written(prd)


def items(prd: Prd, ids: frozenset[str] | set[str]) -> str:
    """Only the lines of these ids (or terms)."""
    return written(prd, frozenset(ids))


def _done(draft: _Draft, project: Project) -> Parsed[Prd]:
    artifact = Prd(
        project=project,
        actors=tuple(draft.actors.values()),
        glossary=tuple(draft.terms.values()),
        reqs=tuple(draft.reqs.values()),
        nfrs=tuple(draft.nfrs.values()),
        rules=tuple(draft.rules.values()),
        states=tuple(draft.states.values()),
        questions=tuple(draft.questions),
        out_of_scope=tuple(draft.out),
    )
    return Parsed(artifact=artifact, faults=tuple(draft.faults))


def _read(text: str, draft: _Draft) -> None:
    for line in lines_of(text):
        _read_line(line, draft)


def _read_line(line: Line, draft: _Draft) -> None:
    readers: tuple[tuple[str, str, Callable[[re.Match[str], _Draft], None], re.Pattern[str]], ...] = (
        ("FR", r"FR-\d", _requirement, _REQ),
        ("BR", r"BR-\d", _rule, _RULE),
        ("NFR", r"NFR-\d", _nfr, _NFR),
        ("A", r"A\d+\s", _actor, _ACTOR),
        ("G", r"G\s.*=", _term, _TERM),
        ("ST", r"ST\s", _machine, _STATES),
        ("Q", r"Q(-\d+)?\s.*\[", _question, _QUESTION),
    )
    for name, start, read, pattern in readers:
        if re.match(start, line.text):
            match = pattern.match(line.text)
            if match is None or not _take(match, draft, read):
                draft.faults.append(Fault(line=line.number, text=line.text, expected=_EXPECTED[name]))
            return
    _read_other(line, draft)


def _take(match: re.Match[str], draft: _Draft, read: Callable[[re.Match[str], _Draft], None]) -> bool:
    try:
        read(match, draft)
    except ValueError:  # pydantic's errors included: a word outside its list, an id of the wrong shape
        return False
    return True


def _read_other(line: Line, draft: _Draft) -> None:
    header = _HEADER.match(line.text)
    if header and draft.header is None:
        draft.header = (snake(header[1]), header[2].strip())
    elif line.text.startswith("DEL "):
        _delete(line.text[4:].strip(), line, draft)
    elif re.match(r"OUT\b", line.text):
        added = split_list(line.text[3:].strip(" :"))
        draft.out = added if "OUT" not in draft.fresh else [*draft.out, *added]
        draft.fresh.add("OUT")
    elif line.text.count(">") >= 2 and draft.current in draft.reqs:
        _criterion(line, draft)
    elif draft.header is not None and not draft.actors and not draft.reqs:
        draft.summary.append(line.text)
    elif line.bullet and draft.current is not None:
        draft.faults.append(Fault(line=line.number, text=line.text, expected=_EXPECTED["-"]))
    elif draft.reqs and not draft.current:
        draft.faults.append(Fault(line=line.number, text=line.text, expected="one of A, G, BR, FR, NFR, ST, Q, OUT"))


def _delete(name: str, line: Line, draft: _Draft) -> None:
    for group in (draft.actors, draft.terms, draft.rules, draft.reqs, draft.nfrs, draft.states):
        if name in group:
            del group[name]
            return
    kept = [question for question in draft.questions if question.id != name]
    if len(kept) == len(draft.questions):
        draft.faults.append(Fault(line=line.number, text=line.text, expected="DEL with the id of an item that exists"))
    draft.questions = kept


def _actor(match: re.Match[str], draft: _Draft) -> None:
    kind = "system" if match[3] else "human"
    draft.actors[match[1]] = Actor(id=match[1], name=match[2], kind=kind, goal=match[4])


def _term(match: re.Match[str], draft: _Draft) -> None:
    found = Term.model_validate(
        {
            "term": match[1],
            "en": snake(match[2]),
            "def": match[4] or match[1],
            "synonyms": tuple(split_list(match[3] or "")),
        }
    )
    draft.terms[match[1]] = found


def _rule(match: re.Match[str], draft: _Draft) -> None:
    found = {"id": match[1], "kind": match[2].lower(), "text": match[4], "entities": tuple(split_list(match[3]))}
    draft.rules[match[1]] = Rule.model_validate(found)


def _requirement(match: re.Match[str], draft: _Draft) -> None:
    if match[3] not in get_args(RequirementKind):
        raise ValueError(match[3])
    found = Requirement.model_validate(
        {
            "id": match[1],
            "pri": match[2],
            "kind": match[3],
            "src": match[4] or "inferred",
            "actors": tuple(re.findall(r"A\d+", match[5])),
            "entities": tuple(split_list(match[6])),
            "rules": tuple(re.findall(r"BR-\d+", match[7])),
            "title": match[8],
            "text": match[9],
            "ac": (),
        }
    )
    draft.reqs[match[1]] = found
    draft.current = match[1]


def _criterion(line: Line, draft: _Draft) -> None:
    given, when, then = (part.strip() for part in line.text.split(">", 2))
    req = draft.reqs[draft.current or ""]
    number = len(req.ac) + 1
    found = Criterion(id=f"AC-{req.id[3:]}-{number}", g=given, w=when, t=then)
    draft.reqs[req.id] = req.model_copy(update={"ac": (*req.ac, found)})


def _nfr(match: re.Match[str], draft: _Draft) -> None:
    target, unit = _target(match[4].strip('"'))
    draft.nfrs[match[1]] = Nfr(
        id=match[1],
        cat=cast(NfrCategory, match[2]),
        metric=match[3],
        target=target,
        unit=unit,
        scope=tuple(re.findall(r"FR-\d+", match[5])),
        text=match[6],
    )


def _target(text: str) -> tuple[float | str, str]:
    number = re.fullmatch(r"(-?\d+(?:\.\d+)?)\s*(.*)", text)
    return (float(number[1]), number[2]) if number else (text, "")


def _machine(match: re.Match[str], draft: _Draft) -> None:
    moves = _MOVE.findall(match[2])
    rest = re.findall(r"[A-Za-z_]\w*", re.sub(r"\([^)]*\)", " ", match[2]))
    values = tuple(dict.fromkeys(value.upper() for value in rest))
    rows = tuple((one.upper(), other.upper(), req) for one, other, req in moves if req)
    if not values:
        raise ValueError(match[2])
    draft.states[match[1]] = StateMachine(entity=match[1], values=values, transitions=rows)


def _question(match: re.Match[str], draft: _Draft) -> None:
    options = [option.strip() for option in match[2].split("|") if option.strip()]
    marked = [option[1:] for option in options if option.startswith("*")]
    plain = tuple(option.removeprefix("*") for option in options)
    used = {question.id: question.text for question in draft.questions}
    same = next((name for name, text in used.items() if text == match[1]), None)
    name = same or next(f"Q-{n:02d}" for n in range(1, len(used) + 2) if f"Q-{n:02d}" not in used)
    found = Question(
        id=name,
        text=match[1],
        options=plain,
        default=next(iter([*marked, *plain])),
        impact=tuple(re.findall(r"FR-\d+", match[3])),
    )
    if same is None:
        draft.questions.append(found)
    else:
        draft.questions = [found if question.id == same else question for question in draft.questions]
