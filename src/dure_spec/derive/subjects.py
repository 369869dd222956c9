"""What a requirement is about and what it does: its main glossary term, and its deed."""

import re
from collections.abc import Sequence
from typing import Literal

from dure_spec.artifacts.prd import Prd, Requirement, Term
from dure_spec.derive.verbs import title_verb

Deed = Literal["manage", "create", "read", "update", "delete", "list", "transition", "action", "login", "report"]

_SIGN_UP = re.compile(
    r"가입|회원\s*등록|사용자\s*등록|계정\s*생성|sign[\s-]?up|regist|create an? account", re.IGNORECASE
)
_ADMIN = re.compile(r"관리|권한|역할|manage|permission|role", re.IGNORECASE)
_DELETES = re.compile(r"삭제|제거|\bdelet|\bremov", re.IGNORECASE)
_HELD = re.compile(r"사용자|회원|직원|계정|user|member|employee|staff|account", re.IGNORECASE)


def terms_of(req: Requirement, prd: Prd) -> tuple[Term, ...]:
    """The glossary entries that a requirement names, in its order."""
    known = {term.term: term for term in prd.glossary}
    return tuple(known[name] for name in req.entities if name in known)


def main_term(req: Requirement, prd: Prd) -> Term | None:
    """The term that a requirement is about: named in its title (the head of the phrase), else its first."""
    named = terms_of(req, prd)
    if req.kind == "auth":
        return next((term for term in named if _HELD.search(f"{term.term} {term.en}")), None) or _first(named)
    begun = _begun(req, prd)
    if begun is not None:
        return begun
    mentioned = _mentioned(req.title, named or prd.glossary)
    if mentioned:
        return mentioned[-1] if re.search(r"[가-힣]", req.title) else mentioned[0]
    return _first(named)


def _begun(req: Requirement, prd: Prd) -> Term | None:
    """The term whose life begins with the state that the title's verb leads to (lending begins a loan)."""
    state = target_state(req) if req.kind == "workflow" else None
    begins = {machine.entity for machine in prd.states if machine.values[:1] == (state,)}
    return next((term for term in terms_of(req, prd) if term.term in begins), None)


def _first(terms: Sequence[Term]) -> Term | None:
    return terms[0] if terms else None


def _mentioned(title: str, terms: Sequence[Term]) -> list[Term]:
    """Terms in the title by position; a term inside a longer one does not count."""
    hits: list[tuple[int, int, Term]] = []
    text = title.lower()
    for term in terms:
        spans = [_span(text, word.lower()) for word in (term.term, *term.synonyms) if word]
        found = [span for span in spans if span is not None]
        if found:
            start, end = max(found, key=lambda span: span[1] - span[0])
            hits.append((start, end, term))
    kept = [hit for hit in hits if not any(_inside(hit, other) for other in hits)]
    return [term for _, _, term in sorted(kept, key=lambda hit: hit[0])]


def _span(text: str, word: str) -> tuple[int, int] | None:
    pattern = re.escape(word)
    if re.fullmatch(r"[a-z0-9 _-]+", word):
        pattern = rf"\b{pattern}(?:s|es)?\b"
    hits = list(re.finditer(pattern, text))
    return hits[-1].span() if hits else None


def _inside(hit: tuple[int, int, Term], other: tuple[int, int, Term]) -> bool:
    longer = other[1] - other[0] > hit[1] - hit[0]
    return longer and other[0] <= hit[0] and hit[1] <= other[1]


def deed_of(req: Requirement, prd: Prd) -> Deed:
    """What a requirement does with its main term."""
    match req.kind:
        case "auth":
            return "create" if _SIGN_UP.search(req.title) else "manage" if _ADMIN.search(req.title) else "login"
        case "crud":
            return "manage"
        case "query":
            return "list"
        case "report":
            return "report"
        case "workflow":
            return _workflow_deed(req, prd)
        case "integration" | "notification" | "batch":
            return "action"


def _workflow_deed(req: Requirement, prd: Prd) -> Deed:
    verb = title_verb(req.title)
    term = main_term(req, prd)
    if term is None:
        return "action"
    if verb is None:
        return "update"
    if _begun(req, prd) is not None:
        return "create"
    names = (term.term, *term.synonyms, *term.en.split("_"))
    if verb.deed == "transition" and verb.word in names:
        return "create"
    return "update" if verb.deed == "login" else verb.deed


def target_state(req: Requirement) -> str | None:
    """The state that the title's verb leads to, if it is one that changes a state."""
    verb = title_verb(req.title)
    return verb.state if verb else None


def deletes(req: Requirement) -> bool:
    """Whether the requirement asks for rows to be removed."""
    return bool(_DELETES.search(f"{req.title} {req.text}"))


def human_actors(prd: Prd) -> tuple[str, ...]:
    """People first: systems count only where there is no person."""
    people = tuple(actor.id for actor in prd.actors if actor.kind == "human")
    return people or tuple(actor.id for actor in prd.actors)


def roles_of(reqs: Sequence[Requirement], prd: Prd) -> tuple[str, ...]:
    """The people among the actors of some requirements, in the order of the PRD; everyone where none is named."""
    people = human_actors(prd)
    wanted = {actor for req in reqs for actor in req.actors}
    return tuple(actor for actor in people if actor in wanted) or people
