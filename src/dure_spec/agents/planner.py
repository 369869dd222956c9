"""The Planner: which screens there are, and where each requirement lives."""

from typing import ClassVar

from dure.chat import ChatOptions
from dure_spec.agents.answers import labelled_lines, unreadable
from dure_spec.agents.base import BaseAgent
from dure_spec.agents.charset import choices
from dure_spec.agents.question import AnswerRefused, Question, StageState
from dure_spec.agents.room import room
from dure_spec.agents.task import Task
from dure_spec.agents.upstream import prd_of
from dure_spec.artifacts.prd import Prd, Requirement
from dure_spec.artifacts.shared import Language, Stage
from dure_spec.derive.picks import Host, ScreenPick
from dure_spec.derive.propose_ia import propose_ia
from dure_spec.derive.subjects import deed_of
from dure_spec.wire import ia as wire

_HOSTS: dict[str, tuple[Host, ...]] = {
    "transition": ("detail", "list"),
    "action": ("detail", "list"),
    "delete": ("detail", "list"),
    "report": ("report", "dashboard"),
}
_WORDS: dict[Language, dict[Host, str]] = {
    "ko": {"detail": "상세", "list": "목록", "form": "입력", "report": "보고서", "dashboard": "대시보드"},
    "en": {"detail": "detail", "list": "list", "form": "form", "report": "report", "dashboard": "dashboard"},
}


class PlannerState(StageState):
    """Where the model put the requirements that could live in several places."""

    hosts: tuple[tuple[str, Host], ...] = ()


class PlannerAgent(BaseAgent[PlannerState]):
    """Asks only where there is a choice; the rest of the architecture follows from the PRD."""

    stage: ClassVar[Stage] = "planner"

    def system_prompt(self, task: Task) -> str:
        """The planner."""
        return task.prompts.render("system")

    def state_fields(self) -> PlannerState:
        """Nothing placed."""
        return PlannerState()

    def before_model(self, task: Task, state: PlannerState) -> Question | None:
        """One question: the hosts, or the whole architecture."""
        if state.answered:
            return None
        return _hosts_question(task) if task.small else _whole(task)

    def after_model(self, task: Task, state: PlannerState, question: Question | None, text: str | None) -> PlannerState:
        """The hosts, or the architecture."""
        prd = prd_of(task)
        if question is None:
            if state.artifact is not None:
                return state
            picks = {req: ScreenPick(host=host) for req, host in state.hosts}
            return state.model_copy(update={"artifact": propose_ia(prd, picks)})
        if question.key == "whole":
            parsed = wire.parse(text or "", prd)
            if not parsed.artifact.screens:
                raise unreadable(parsed.faults)
            return state.model_copy(update={"artifact": parsed.artifact})
        return state if text is None else state.model_copy(update={"hosts": _read_hosts(task, text)})


def _open(prd: Prd) -> list[tuple[Requirement, tuple[Host, ...]]]:
    return [(req, _HOSTS[deed]) for req in prd.reqs if (deed := deed_of(req, prd)) in _HOSTS]


def _hosts_question(task: Task) -> Question | None:
    rows = [(_label(req), [_WORDS[task.lang][host] for host in hosts]) for req, hosts in _open(prd_of(task))]
    if not rows:
        return None
    items = "\n".join(f"{label}: {' | '.join(options)}" for label, options in rows)
    return Question(
        key="hosts",
        about="버튼이 놓일 화면" if task.lang == "ko" else "where each action lives",
        prompt=task.prompts.render("hosts", items=items),
        examples=task.prompts.examples("hosts"),
        options=ChatOptions(
            temperature=0.0,
            max_tokens=30 * len(rows),
            grammar=choices(rows) if task.grammar else None,
        ),
        optional=True,
        light=True,
    )


def _whole(task: Task) -> Question:
    prompt = task.prompts.render("whole", prd=projection(task))
    about = "화면 구조" if task.lang == "ko" else "information architecture"
    options = ChatOptions(temperature=0.2, max_tokens=room(task))
    return Question(key="whole", about=about, prompt=prompt, options=options)


def projection(task: Task) -> str:
    """What planning needs of the PRD: actors, requirements without their criteria, states."""
    prd = prd_of(task)
    lines = [f"{actor.id} {actor.name}" for actor in prd.actors]
    for req in prd.reqs:
        lines.append(f"{req.id} {req.pri} {req.kind} {','.join(req.actors)} [{','.join(req.entities)}] {req.title}")
    lines += [f"ST {machine.entity}: {' '.join(machine.values)}" for machine in prd.states]
    return "\n".join(lines)


def _label(req: Requirement) -> str:
    return f"{req.id} {req.title}"


def _read_hosts(task: Task, text: str) -> tuple[tuple[str, Host], ...]:
    answers = labelled_lines(text)
    found: list[tuple[str, Host]] = []
    for req, hosts in _open(prd_of(task)):
        said = answers.get(_label(req), "")
        host = _picked(hosts, said, task.lang)
        if host is not None:
            found.append((str(req.id), host))
    if not found:
        raise AnswerRefused("expected one line for each requirement, with one of its options")
    return tuple(found)


def _picked(hosts: tuple[Host, ...], said: str, lang: Language) -> Host | None:
    return next((host for host in hosts if said.startswith(_WORDS[lang][host])), None)
