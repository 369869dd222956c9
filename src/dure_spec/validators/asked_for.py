"""V02 at the first stage: what the sentence asks for is in the design, or said to be out of it."""

from collections.abc import Iterator

from dure_spec.artifacts.prd import Prd
from dure_spec.intake.asked import is_named, things
from dure_spec.intake.sentence import language
from dure_spec.validators.index import Index
from dure_spec.validators.policy import Draft, Policy, Text, nearest

_ABSENT = Text(
    "문장이 말한 '{thing}'이(가) 용어집에도 요구사항에도 없어 다음 단계가 모릅니다: "
    "용어와 요구를 더하거나 범위 밖(out_of_scope)에 적으세요",
    "'{thing}' of the sentence is in no term and no requirement, so no later stage knows of it: "
    "add a term and a requirement, or name it in out_of_scope",
)


def check_asked(index: Index, policy: Policy) -> Iterator[Draft]:
    """Things of the sentence that nothing speaks of; nothing to say where the design is in another language."""
    prd = index.artifacts.prd
    if prd is None or not policy.sentence:
        return
    terms = [term.term for term in prd.glossary]
    for thing in unnamed(prd, policy.sentence):
        yield Draft(
            severity="major",
            stage="ba",
            path="/glossary",
            ref=thing,
            text=_ABSENT,
            values={"thing": thing},
            candidates=nearest(thing, terms),
        )


def unnamed(prd: Prd, sentence: str) -> tuple[str, ...]:
    """Things that the sentence asks for and the PRD does not speak of; none where the two are in other languages."""
    lang = language(sentence)
    if lang == "ko" and prd.project.lang != "ko":
        return ()
    spoken = _spoken(prd)
    return tuple(thing for thing in things(sentence, lang) if not is_named(thing, spoken))


def _spoken(prd: Prd) -> str:
    """All that the PRD says of its own; the project's name and summary only repeat the sentence."""
    parts = [part for term in prd.glossary for part in (term.term, term.en, term.definition, *term.synonyms)]
    parts += [part for req in prd.reqs for part in (req.title, req.text, *req.entities)]
    parts += [part for criterion in (ac for req in prd.reqs for ac in req.ac) for part in (criterion.g, criterion.t)]
    parts += [part for actor in prd.actors for part in (actor.name, actor.goal)]
    parts += [rule.text for rule in prd.rules] + [nfr.text for nfr in prd.nfrs]
    parts += [part for question in prd.questions for part in (question.text, *question.options)]
    return "\n".join((*parts, *prd.out_of_scope))
