"""The Frontend agent: what is on every screen and what it calls."""

from typing import ClassVar

from dure.chat import ChatOptions
from dure_spec.agents.answers import labelled_lines, unreadable
from dure_spec.agents.base import BaseAgent
from dure_spec.agents.charset import choices
from dure_spec.agents.question import AnswerRefused, Question, StageState
from dure_spec.agents.room import room
from dure_spec.agents.task import Task
from dure_spec.agents.upstream import backend_of, erd_of, ia_of, prd_of
from dure_spec.artifacts.backend import Attribute, Bo
from dure_spec.artifacts.shared import Language, Stage
from dure_spec.derive.propose_frontend import propose_frontend
from dure_spec.wire import frontend as wire

_CROWDED = 5
"""A list with more columns than this is worth a choice."""
_SHOW: dict[Language, tuple[str, str]] = {"ko": ("보임", "숨김"), "en": ("show", "hide")}


class FrontendState(StageState):
    """The attributes that crowded lists show, by object."""

    shown: tuple[tuple[str, tuple[str, ...]], ...] = ()


class FrontendAgent(BaseAgent[FrontendState]):
    """Asks which columns a crowded list shows; labels, lengths and buttons follow."""

    stage: ClassVar[Stage] = "frontend"

    def system_prompt(self, task: Task) -> str:
        """The frontend designer."""
        return task.prompts.render("system")

    def state_fields(self) -> FrontendState:
        """Nothing chosen."""
        return FrontendState()

    def before_model(self, task: Task, state: FrontendState) -> Question | None:
        """One question: the columns, or all components."""
        if state.answered:
            return None
        return _columns(task) if task.small else _whole(task)

    def after_model(
        self, task: Task, state: FrontendState, question: Question | None, text: str | None
    ) -> FrontendState:
        """The columns, or the components."""
        if question is None:
            if state.artifact is not None:
                return state
            prd, ia, erd, backend = prd_of(task), ia_of(task), erd_of(task), backend_of(task)
            proposed = propose_frontend(prd, ia, erd, backend, dict(state.shown))
            return state.model_copy(update={"artifact": proposed})
        if question.key == "whole":
            parsed = wire.parse(text or "", erd_of(task), backend_of(task), lang=task.lang)
            if not parsed.artifact.components and ia_of(task).screens:
                raise unreadable(parsed.faults, "no component was found")
            return state.model_copy(update={"artifact": parsed.artifact})
        return state if text is None else state.model_copy(update={"shown": _read(task, text)})


def _crowded(task: Task) -> list[tuple[Bo, list[tuple[Attribute, str]]]]:
    """Objects with a list and many columns that a person could want to see there."""
    labels = {
        f"{table.name}.{column.name}": column.logical for table in erd_of(task).tables for column in table.columns
    }
    rows: list[tuple[Bo, list[tuple[Attribute, str]]]] = []
    for bo in backend_of(task).bos:
        shown = [(one, labels[one.col]) for one in bo.attrs if one.col in labels and one.name != "id"]
        if any(op.kind == "list" for op in bo.ops) and len(shown) > _CROWDED:
            rows.append((bo, shown))
    return rows[:4]


def _columns(task: Task) -> Question | None:
    rows = [(_label(bo, label), list(_SHOW[task.lang])) for bo, shown in _crowded(task) for _, label in shown]
    if not rows:
        return None
    return Question(
        key="columns",
        about="목록에 보일 항목" if task.lang == "ko" else "columns of the lists",
        prompt=task.prompts.render("columns", items="\n".join(label for label, _ in rows)),
        examples=task.prompts.examples("columns"),
        options=ChatOptions(
            temperature=0.0,
            max_tokens=16 * len(rows),
            grammar=choices(rows) if task.grammar else None,
        ),
        optional=True,
        light=True,
    )


def _label(bo: Bo, label: str) -> str:
    return f"{bo.name} {label}"


def _read(task: Task, text: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    answers = labelled_lines(text)
    yes = _SHOW[task.lang][0]
    found: list[tuple[str, tuple[str, ...]]] = []
    for bo, shown in _crowded(task):
        names = tuple(one.name for one, label in shown if answers.get(_label(bo, label), "").startswith(yes))
        if names:
            found.append((bo.id, names))
    if not found:
        raise AnswerRefused(f"expected one line for each item, with {' or '.join(_SHOW[task.lang])}")
    return tuple(found)


def _whole(task: Task) -> Question:
    return Question(
        key="whole",
        about="화면 구성요소" if task.lang == "ko" else "components",
        prompt=task.prompts.render("whole", upstream=projection(task)),
        options=ChatOptions(temperature=0.2, max_tokens=room(task)),
    )


def projection(task: Task) -> str:
    """Screens, attributes of the objects and signatures of the operations."""
    lines = [
        f"{screen.id} {screen.type} {screen.route} {','.join(screen.roles)} {','.join(screen.reqs)} {screen.name}"
        for screen in ia_of(task).screens
    ]
    for bo in backend_of(task).bos:
        attributes = ", ".join(one.name + ("!" if one.req else "") for one in bo.attrs)
        lines.append(f"@{bo.id.removeprefix('BO-')} {bo.name}: {attributes}")
        lines += [f"{op.id.removeprefix('OP-')} {op.kind} {','.join(op.roles)} in:{','.join(op.in_)}" for op in bo.ops]
    return "\n".join(lines)
