"""The Backend agent: business objects and operations over the tables."""

from typing import ClassVar

from dure.chat import ChatOptions
from dure_spec.agents.answers import labelled_lines, unreadable
from dure_spec.agents.base import BaseAgent
from dure_spec.agents.charset import choices
from dure_spec.agents.question import AnswerRefused, Question, StageState
from dure_spec.agents.room import room
from dure_spec.agents.task import Task
from dure_spec.agents.upstream import erd_of, ia_of, prd_of
from dure_spec.artifacts.erd import Table
from dure_spec.artifacts.prd import Requirement
from dure_spec.artifacts.shared import Stage
from dure_spec.derive.picks import OpPick
from dure_spec.derive.propose_backend import propose_backend
from dure_spec.derive.schema_view import table_of_term
from dure_spec.derive.subjects import deed_of, terms_of
from dure_spec.wire import backend as wire


class BackendState(StageState):
    """What the model decided for requirements that could be done in several ways."""

    picks: tuple[tuple[str, str, str], ...] = ()
    """Requirement, table, state it leads to (or an empty text)."""


class BackendAgent(BaseAgent[BackendState]):
    """Asks only which table a workflow changes where it could be more than one; the rest follows."""

    stage: ClassVar[Stage] = "backend"

    def system_prompt(self, task: Task) -> str:
        """The backend designer."""
        return task.prompts.render("system")

    def state_fields(self) -> BackendState:
        """Nothing decided."""
        return BackendState()

    def before_model(self, task: Task, state: BackendState) -> Question | None:
        """One question: the open decisions, or all objects."""
        if state.answered:
            return None
        return _effects(task) if task.small else _whole(task)

    def after_model(self, task: Task, state: BackendState, question: Question | None, text: str | None) -> BackendState:
        """The decisions, or the objects."""
        if question is None:
            if state.artifact is not None:
                return state
            picks = {req: OpPick(action="transition", table=table, to_state=to) for req, table, to in state.picks}
            proposed = propose_backend(prd_of(task), ia_of(task), erd_of(task), picks)
            return state.model_copy(update={"artifact": proposed})
        if question.key == "whole":
            parsed = wire.parse(text or "", erd_of(task))
            if not parsed.artifact.bos and erd_of(task).tables:
                raise unreadable(parsed.faults, "no object was found")
            return state.model_copy(update={"artifact": parsed.artifact})
        return state if text is None else state.model_copy(update={"picks": _read(task, text)})


def _open(task: Task) -> list[tuple[Requirement, list[tuple[Table, str]]]]:
    """Workflow requirements that change a state, with the states that they could lead to."""
    prd, erd = prd_of(task), erd_of(task)
    rows: list[tuple[Requirement, list[tuple[Table, str]]]] = []
    decided = {row[2] for machine in prd.states for row in machine.transitions}
    for req in prd.reqs:
        if deed_of(req, prd) != "transition" or req.id in decided:
            continue
        ways: list[tuple[Table, str]] = []
        for term in terms_of(req, prd):
            table = table_of_term(term, erd)
            machine = next((machine for machine in prd.states if machine.entity == term.term), None)
            if table is not None and machine is not None:
                ways += [(table, value) for value in machine.values[1:]]
        if len(ways) > 1:
            rows.append((req, ways))
    return rows


def _effects(task: Task) -> Question | None:
    rows = [(_label(req), [_way(*way) for way in ways]) for req, ways in _open(task)]
    if not rows:
        return None
    items = "\n".join(f"{label}: {' | '.join(options)}" for label, options in rows)
    return Question(
        key="effects",
        about="업무가 바꾸는 상태" if task.lang == "ko" else "which state each step leads to",
        prompt=task.prompts.render("effects", items=items),
        examples=task.prompts.examples("effects"),
        options=ChatOptions(
            temperature=0.0,
            max_tokens=40 * len(rows),
            grammar=choices(rows) if task.grammar else None,
        ),
        optional=True,
        light=True,
    )


def _label(req: Requirement) -> str:
    return f"{req.id} {req.title}"


def _way(table: Table, state: str) -> str:
    return f"{table.name} {state}"


def _read(task: Task, text: str) -> tuple[tuple[str, str, str], ...]:
    answers = labelled_lines(text)
    found: list[tuple[str, str, str]] = []
    for req, ways in _open(task):
        said = answers.get(_label(req), "")
        way = next((way for way in ways if said.startswith(_way(*way))), None)
        if way is not None:
            found.append((req.id, way[0].name, way[1]))
    if not found:
        raise AnswerRefused("expected one line for each requirement, with one of its options")
    return tuple(found)


def _whole(task: Task) -> Question:
    return Question(
        key="whole",
        about="업무 객체와 API" if task.lang == "ko" else "business objects and API",
        prompt=task.prompts.render("whole", upstream=projection(task)),
        options=ChatOptions(temperature=0.2, max_tokens=room(task)),
    )


def projection(task: Task) -> str:
    """Tables with columns, requirements, rules, states and the actions of the screens."""
    prd, erd, ia = prd_of(task), erd_of(task), ia_of(task)
    lines = [f"{actor.id} {actor.name}" for actor in prd.actors]
    lines += [f"{req.id} {req.pri} {req.kind} {','.join(req.actors)} {req.title}" for req in prd.reqs]
    lines += [f"{rule.id} {rule.kind} {rule.text}" for rule in prd.rules]
    for machine in prd.states:
        moves = " ".join(f"{row[0]}>{row[1]}({row[2]})" for row in machine.transitions)
        lines.append(f"ST {machine.entity}: {moves}")
    for table in erd.tables:
        columns = " ".join(
            f"{column.name}:{column.type}{'?' if column.null else ''}{'>' + column.fk if column.fk else ''}"
            for column in table.columns
        )
        lines.append(f"@{table.name} {table.logical}: {columns}")
    for screen in ia.screens:
        actions = ", ".join(f"{action.kind} {action.label}({action.req})" for action in screen.actions)
        lines.append(f"{screen.id} {screen.name}: {actions}")
    return "\n".join(lines)
