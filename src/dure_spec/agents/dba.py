"""The DBA: tables, keys and types. SQL is the wire: every model has read more of it than of anything else."""

from typing import ClassVar

from dure.chat import ChatOptions
from dure_spec.agents.answers import unreadable
from dure_spec.agents.base import BaseAgent
from dure_spec.agents.dba_finish import finished
from dure_spec.agents.dba_plan import PlannedTable, plan_tables
from dure_spec.agents.question import AnswerRefused, Question, StageState
from dure_spec.agents.room import room
from dure_spec.agents.task import Task
from dure_spec.agents.upstream import prd_of
from dure_spec.artifacts import Erd
from dure_spec.artifacts.erd import Meta
from dure_spec.artifacts.shared import Stage
from dure_spec.wire import erd as wire
from dure_spec.wire.ddl_erd import parse_ddl
from dure_spec.wire.grammars import ddl_grammar

AUDIT = ("created_at", "updated_at")


class DbaState(StageState):
    """Nothing beyond the artifact: the answer is the schema."""


class DbaAgent(BaseAgent[DbaState]):
    """One question: the CREATE TABLE statements (small) or the line format (large)."""

    stage: ClassVar[Stage] = "dba"

    def system_prompt(self, task: Task) -> str:
        """The database designer."""
        return task.prompts.render("system")

    def state_fields(self) -> DbaState:
        """No tables yet."""
        return DbaState()

    def before_model(self, task: Task, state: DbaState) -> Question | None:
        """The schema, unless there is nothing to store."""
        plan = plan_tables(prd_of(task), task.proposal)
        if state.answered or not plan:
            return None
        return _ddl(task, plan) if task.small else _whole(task)

    def after_model(self, task: Task, state: DbaState, question: Question | None, text: str | None) -> DbaState:
        """The ERD, with what follows from the PRD put in."""
        prd, plan = prd_of(task), plan_tables(prd_of(task), task.proposal)
        if question is None:
            empty = Erd(meta=Meta(dialect="postgresql", pk="bigint identity", audit=AUDIT), tables=(), relations=())
            return state if state.artifact else state.model_copy(update={"artifact": empty})
        if text is None:
            text = "\n".join(planned.sql() for planned in plan)
        is_sql = "create table" in text.lower()
        parsed = parse_ddl(text, prd) if is_sql else wire.parse(text, prd)
        if not parsed.artifact.tables:
            raise unreadable(parsed.faults, "no table was found")
        missing = {planned.name for planned in plan} - {table.name for table in parsed.artifact.tables}
        if task.small and missing and task.attempt == 1 and question.key == "ddl":
            raise AnswerRefused(f"these tables are missing or cannot be read: {', '.join(sorted(missing))}")
        return state.model_copy(update={"artifact": finished(parsed.artifact, prd, plan)})


def _ddl(task: Task, plan: tuple[PlannedTable, ...]) -> Question:
    names = [planned.name for planned in plan]
    items = "\n".join(planned.line() for planned in plan)
    return Question(
        key="ddl",
        about=f"테이블 {len(plan)}개" if task.lang == "ko" else f"{len(plan)} tables",
        prompt=task.prompts.render("ddl", system=prd_of(task).project.name, items=items),
        examples=task.prompts.examples("ddl"),
        options=ChatOptions(
            temperature=0.0, max_tokens=150 * len(plan) + 100, grammar=ddl_grammar(names) if task.grammar else None
        ),
        optional=True,
    )


def _whole(task: Task) -> Question:
    return Question(
        key="whole",
        about="테이블 설계" if task.lang == "ko" else "tables",
        prompt=task.prompts.render("whole", prd=projection(task)),
        options=ChatOptions(temperature=0.2, max_tokens=room(task)),
    )


def projection(task: Task) -> str:
    """What the schema depends on: terms, requirements, rules, states, and qualities about data."""
    prd = prd_of(task)
    lines = [f"G {term.term}={term.en}: {term.definition}" for term in prd.glossary]
    lines += [
        f"{req.id} {req.pri} {req.kind} [{','.join(req.entities)}] {' '.join(req.rules)} {req.title}: {req.text}"
        for req in prd.reqs
    ]
    lines += [f"{rule.id} {rule.kind} [{','.join(rule.entities)}] {rule.text}" for rule in prd.rules]
    lines += [f"ST {machine.entity}: {' '.join(machine.values)}" for machine in prd.states]
    lines += [
        f"{nfr.id} {nfr.cat} {nfr.text}: {nfr.target} {nfr.unit}"
        for nfr in prd.nfrs
        if nfr.cat in ("audit", "privacy", "security")
    ]
    return "\n".join(lines)
