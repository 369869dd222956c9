"""Asks again for the failing items only, and takes back only replacements of them."""

import re
from collections.abc import Iterator

from dure.chat import ChatOptions
from dure_spec.agents.answers import unreadable
from dure_spec.agents.question import Question
from dure_spec.agents.replacements import names_in, only_replaced
from dure_spec.agents.task import Task
from dure_spec.artifacts import Part
from dure_spec.artifacts.bundle import with_artifact
from dure_spec.artifacts.findings import Finding
from dure_spec.validators.feedback import failing_items, feedback, outgoing
from dure_spec.wire.stages import items as write_items
from dure_spec.wire.stages import patch

ROOM = 1200
"""Tokens for the replacements; a retry costs 50 to 300."""
_WARMER = 0.2
"""By how much the temperature rises with each repair."""
_NAME = re.compile(r"[A-Za-z][\w-]*(?:\.[\w-]+)?|\w+")


def repair_question(task: Task, previous: Part) -> Question:
    """The failing items in wire form, and what is wrong with them; a light one where nothing weighs much."""
    assert task.judgement is not None
    items = _failing(task, previous)
    count = len(items)
    shown = (*items, *_homes(task, previous, items))
    return Question(
        key="repair",
        about=f"문제가 있는 항목 {count}개 고치기" if task.lang == "ko" else f"repair {count} failing items",
        prompt=task.prompts.render(
            "repair",
            items=write_items(previous, shown, task.artifacts, as_sql=task.small),
            findings=feedback(task.judgement, task.repeated, task.lang),
        ),
        options=ChatOptions(temperature=min(1.0, _WARMER * (task.attempt - 1)), max_tokens=ROOM),
        optional=True,
        light=all(finding.severity == "minor" for finding in outgoing(task.judgement)),
    )


def repaired(task: Task, previous: Part, text: str) -> Part:
    """`previous` with the replacements in it; what was not up for change stays as it was.

    Raises:
        AnswerRefused: nothing in the answer replaces anything.
    """
    assert task.judgement is not None
    parsed = patch(previous, text, task.artifacts)
    items = _failing(task, previous)
    spoken = names_in(previous) & {name for finding in outgoing(task.judgement) for name in _spoken(finding)}
    taken = only_replaced(previous, parsed.artifact, spoken.union(items, _homes(task, previous, items)))
    if taken == previous:
        raise unreadable(parsed.faults, "no item was replaced")
    return taken


def _failing(task: Task, previous: Part) -> tuple[str, ...]:
    assert task.judgement is not None
    return failing_items(with_artifact(task.artifacts, previous), task.judgement)


def _homes(task: Task, previous: Part, items: tuple[str, ...]) -> tuple[str, ...]:
    """Items that could take in what has no place yet: of a missing one there is no line to show."""
    assert task.judgement is not None
    lost = {item for item in items if not write_items(previous, (item,), task.artifacts, as_sql=task.small)}
    found = (finding.candidates for finding in outgoing(task.judgement) if finding.ref.partition(" ")[0] in lost)
    return tuple(dict.fromkeys(name for names in found for name in names))


def _spoken(finding: Finding) -> Iterator[str]:
    """Every name that a finding says, whole and without its column or attribute."""
    for text in (finding.ref, finding.message, finding.expected, *finding.candidates):
        for name in _NAME.findall(text):
            yield name
            yield name.partition(".")[0]
