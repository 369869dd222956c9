"""The Supervisor: judges the whole in a few sentences; the matrix and the figures are computed."""

import re
from typing import Any, ClassVar, cast

from dure.chat import ChatOptions
from dure_spec.agents.answers import json_object, one_line, strings
from dure_spec.agents.base import BaseAgent
from dure_spec.agents.charset import action, sentence
from dure_spec.agents.question import AnswerRefused, Question, StageState
from dure_spec.agents.report_parts import assumptions, decisions_of, open_questions, plain_steps, plain_summary
from dure_spec.agents.sense import borrowed
from dure_spec.agents.task import Task
from dure_spec.agents.upstream import backend_of, erd_of, ia_of, prd_of
from dure_spec.artifacts.report import Report, Risk
from dure_spec.artifacts.shared import Stage
from dure_spec.derive.trace import trace_rows

_IMPACTS = ("high", "medium", "low")
_REF = re.compile(r"\b(?:FR-\d{3}|SC-\d{3}|BR-\d{2}|NFR-\d{2}|Q-\d{2})\b")


class SupervisorState(StageState):
    """What the model said, checked."""

    summary: str = ""
    risks: tuple[Risk, ...] = ()
    next_steps: tuple[str, ...] = ()


class SupervisorAgent(BaseAgent[SupervisorState]):
    """Never changes an artifact; may cite ids, which are checked."""

    stage: ClassVar[Stage] = "supervisor"
    repairs: ClassVar[bool] = False

    def system_prompt(self, task: Task) -> str:
        """The reviewer."""
        return task.prompts.render("system")

    def state_fields(self) -> SupervisorState:
        """Nothing said."""
        return SupervisorState()

    def before_model(self, task: Task, state: SupervisorState) -> Question | None:
        """One question for both kinds of model: summary, risks, next steps."""
        return None if state.answered else _verdict(task)

    def after_model(
        self, task: Task, state: SupervisorState, question: Question | None, text: str | None
    ) -> SupervisorState:
        """The words, or the report around them."""
        if question is None:
            return state.model_copy(update={"artifact": _report(task, state)})
        return state if text is None else _read(task, state, text)


def _verdict(task: Task) -> Question:
    lang = task.lang
    text = sentence(lang, shortest=12, longest=130 if lang == "ko" else 220)
    step = action(lang, shortest=8, longest=70 if lang == "ko" else 150)
    risk = '"{\\"text\\": \\"" text "\\", \\"impact\\": \\"" ("high" | "medium" | "low") "\\"}"'
    grammar = (
        'root ::= "{\\"summary\\": \\"" text " " text "\\", \\"risks\\": [" risk (", " risk){1,2} "], '
        '\\"next_steps\\": [" step (", " step){1,2} "]}"\n'
        f'text ::= {text}\nrisk ::= {risk}\nstep ::= "\\"" {step} "\\""'
    )
    return Question(
        key="verdict",
        about="총평과 위험" if lang == "ko" else "summary and risks",
        prompt=task.prompts.render("verdict", facts=_facts(task)),
        examples=task.prompts.examples("verdict"),
        options=ChatOptions(
            temperature=0.0 if task.small else 0.2, max_tokens=600, grammar=grammar if task.grammar else None
        ),
        optional=True,
    )


def _facts(task: Task) -> str:
    """The matrix and the scores in a few lines."""
    prd, rows = prd_of(task), trace_rows(task.artifacts)
    lines = [prd.project.name, prd.project.summary]
    lines.append(", ".join(req.title for req in prd.reqs))
    lines.append(", ".join(f"{table.logical}" for table in erd_of(task).tables))
    lines.append(f"screens {len(ia_of(task).screens)}, operations {sum(len(bo.ops) for bo in backend_of(task).bos)}")
    lines += [f"{row.req}: {', '.join(row.gaps)}" for row in rows if row.gaps]
    lines += [f"{stage.stage} {stage.score} {stage.verdict}" for stage in task.stages if stage.verdict != "pass"]
    return "\n".join(line for line in lines if line)


def _read(task: Task, state: SupervisorState, text: str) -> SupervisorState:
    data = json_object(text)
    summary = one_line(data.get("summary"), 600)
    if not summary:
        raise AnswerRefused('expected {"summary": "…", "risks": […], "next_steps": […]}')
    risks = _risks(task, data.get("risks"))
    said = {risk.text for risk in risks}
    steps = strings(data.get("next_steps"), most=4, longest=300)
    steps = tuple(step for step in steps if step not in said and not _borrowed(task, step))
    if _borrowed(task, summary):
        summary = ""
    return state.model_copy(update={"summary": summary, "risks": risks, "next_steps": steps})


def _borrowed(task: Task, text: str) -> bool:
    """Whether a text speaks of the worked example instead of this design."""
    examples = [question for question, _ in task.prompts.examples("verdict")]
    return borrowed(text, examples, f"{task.prompts.template('verdict')}\n{_facts(task)}")


def _risks(task: Task, value: object) -> tuple[Risk, ...]:
    found: list[Risk] = []
    known = _known_ids(task)
    for row in cast("list[Any]", value) if isinstance(value, list) else []:
        data = cast("dict[str, Any]", row) if isinstance(row, dict) else {"text": row}
        said = one_line(data.get("text"), 300)
        if said and all(risk.text != said for risk in found) and not _borrowed(task, said):
            impact = data.get("impact")
            refs = tuple(dict.fromkeys(ref for ref in _REF.findall(said) if ref in known))
            found.append(
                Risk(
                    id=f"R-{len(found) + 1:02d}",
                    text=said,
                    impact=impact if impact in _IMPACTS else "medium",
                    refs=refs,
                )
            )
    return tuple(found[:5])


def _known_ids(task: Task) -> set[str]:
    prd, ia = prd_of(task), ia_of(task)
    items = (*prd.reqs, *prd.rules, *prd.nfrs, *prd.questions, *ia.screens)
    return {item.id for item in items}


def _report(task: Task, state: SupervisorState) -> Report:
    return Report(
        summary=state.summary or plain_summary(task),
        decisions=decisions_of(task),
        risks=state.risks,
        next_steps=state.next_steps or plain_steps(task),
        trace=trace_rows(task.artifacts),
        stages=task.stages,
        open_questions=open_questions(task),
        assumptions=assumptions(task),
    )
