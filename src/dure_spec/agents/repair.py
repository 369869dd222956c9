"""Asks again for the failing items only, and takes back only replacements."""

from dure.chat import ChatOptions
from dure_spec.agents.answers import unreadable
from dure_spec.agents.question import Question
from dure_spec.agents.task import Task
from dure_spec.artifacts import Part
from dure_spec.artifacts.bundle import with_artifact
from dure_spec.validators.feedback import failing_items, feedback
from dure_spec.wire.stages import items as write_items
from dure_spec.wire.stages import patch

ROOM = 1200
"""Tokens for the replacements; a retry costs 50 to 300."""


def repair_question(task: Task, previous: Part) -> Question:
    """The failing items in wire form, and what is wrong with them."""
    assert task.judgement is not None
    items = failing_items(with_artifact(task.artifacts, previous), task.judgement)
    findings = feedback(task.judgement, task.repeated, task.lang)
    count = len(items)
    shown = (*items, *_homes(task, previous, items))
    return Question(
        key="repair",
        about=f"문제가 있는 항목 {count}개 고치기" if task.lang == "ko" else f"repair {count} failing items",
        prompt=task.prompts.render(
            "repair", items=write_items(previous, shown, task.artifacts, as_sql=task.small), findings=findings
        ),
        options=ChatOptions(temperature=0.2 * task.attempt, max_tokens=ROOM),
        optional=True,
    )


def _homes(task: Task, previous: Part, items: tuple[str, ...]) -> tuple[str, ...]:
    """Items that could take in what has no place yet: of a missing one there is no line to show."""
    assert task.judgement is not None
    lost = {item for item in items if not write_items(previous, (item,), task.artifacts, as_sql=task.small)}
    found = (finding.candidates for finding in task.judgement.findings if finding.ref.partition(" ")[0] in lost)
    return tuple(dict.fromkeys(name for names in found for name in names))


def repaired(task: Task, previous: Part, text: str) -> Part:
    """`previous` with the replacements in it.

    Raises:
        AnswerRefused: nothing in the answer replaces anything.
    """
    parsed = patch(previous, text, task.artifacts)
    if parsed.artifact == previous:
        raise unreadable(parsed.faults, "no item was replaced")
    return parsed.artifact
