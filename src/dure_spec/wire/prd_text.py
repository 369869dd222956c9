"""A PRD written as lines."""

from dure_spec.artifacts.prd import Nfr, Prd, Question, Requirement, StateMachine, Term
from dure_spec.wire.text import joined


def written(prd: Prd, only: frozenset[str] | None = None) -> str:
    """All lines, or those of some ids and terms."""

    def wanted(name: str) -> bool:
        return only is None or name in only

    lines = [f"# {prd.project.key} {prd.project.name}", prd.project.summary] if only is None else []
    for actor in prd.actors:
        system = " (system)" if actor.kind == "system" else ""
        lines += [f"{actor.id} {actor.name}{system}: {actor.goal}"] if wanted(actor.id) else []
    lines += [_term(term) for term in prd.glossary if wanted(term.term)]
    for rule in prd.rules:
        lines += [f"{rule.id} {rule.kind} {joined(rule.entities)}: {rule.text}"] if wanted(rule.id) else []
    for req in prd.reqs:
        lines += _requirement(req) if wanted(req.id) or any(wanted(ac.id) for ac in req.ac) else []
    lines += [_nfr(nfr) for nfr in prd.nfrs if wanted(nfr.id)]
    lines += [_machine(machine) for machine in prd.states if wanted(machine.entity)]
    lines += [_question(question) for question in prd.questions if wanted(question.id)]
    if prd.out_of_scope and wanted("OUT"):
        lines.append(f"OUT {', '.join(prd.out_of_scope)}")
    return "\n".join(lines)


def _term(term: Term) -> str:
    synonyms = f" ({', '.join(term.synonyms)})" if term.synonyms else ""
    return f"G {term.term}={term.en}{synonyms}: {term.definition}"


def _requirement(req: Requirement) -> list[str]:
    source = "" if req.src == "inferred" else f" {req.src}"
    rules = "".join(f"{rule} " for rule in req.rules)
    head = f"{req.id} {req.pri} {req.kind}{source} {joined(req.actors)} [{joined(req.entities)}] {rules}"
    return [f"{head}{req.title}: {req.text}", *(f" - {ac.g} > {ac.w} > {ac.t}" for ac in req.ac)]


def _nfr(nfr: Nfr) -> str:
    number = f"{nfr.target:g}" if isinstance(nfr.target, float) else nfr.target
    target = f"{number}{nfr.unit}"
    shown = f'"{target}"' if " " in target else target
    return f"{nfr.id} {nfr.cat} {nfr.metric} {shown} {joined(nfr.scope)}: {nfr.text}"


def _machine(machine: StateMachine) -> str:
    moves = [f"{row[0]}>{row[1]}({row[2]})" for row in machine.transitions]
    moved = {value for row in machine.transitions for value in row[:2]}
    alone = [value for value in machine.values if value not in moved]
    return f"ST {machine.entity}: {' '.join([*alone, *moves])}"


def _question(question: Question) -> str:
    first = question.options[0] if question.options else question.default
    options = [f"*{option}" if option == question.default != first else option for option in question.options]
    impact = f" {joined(question.impact)}" if question.impact else ""
    return f"Q {question.text} [{'|'.join(options)}]{impact}"
