"""Asks again for the failing items only, and takes back only replacements of them."""

import re
from collections.abc import Collection, Iterable

from dure.chat import ChatOptions
from dure_spec.agents.answers import unreadable
from dure_spec.agents.question import Question
from dure_spec.agents.renaming import with_new_names
from dure_spec.agents.replacements import emptied, items_in, names_in, only_replaced
from dure_spec.agents.task import Task
from dure_spec.artifacts import Erd, Part
from dure_spec.artifacts.bundle import with_artifact
from dure_spec.artifacts.findings import Finding
from dure_spec.validators.feedback import failing_items, feedback, outgoing
from dure_spec.wire.stages import items as write_items
from dure_spec.wire.stages import patch

ROOM = 1200
"""Tokens for the replacements; a retry costs 50 to 300."""
_WARMER = 0.2
"""By how much the temperature rises with each repair."""
_WHOLE = 3
"""From so many items on that nobody asked for, an answer that has all of them is the whole artifact."""


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
    items, findings = _failing(task, previous), outgoing(task.judgement)
    homes = _homes(task, previous, items)
    parsed = patch(previous, text, task.artifacts)
    base = previous
    if isinstance(previous, Erd) and isinstance(parsed.artifact, Erd):
        base = with_new_names(previous, parsed.artifact, items, findings)
    answered = items_in(patch(emptied(previous), text, task.artifacts).artifact)
    left_out = _left_out(base, items, homes, answered)
    if base != previous or left_out:
        parsed = patch(base, "\n".join((text, *(f"DEL {name}" for name in left_out))), task.artifacts)
    spoken = (names_in(previous) | names_in(base)) & _spoken(findings, names_in(previous))
    fields = {finding.path.split("/")[1] for finding in findings if finding.path.count("/") > 0}
    renamed = items_in(base) - items_in(previous)
    taken = only_replaced(base, parsed.artifact, {*spoken, *fields, *renamed, *items, *homes})
    if taken == previous:
        raise unreadable(parsed.faults, "no item was replaced")
    return taken


def _left_out(base: Part, items: Collection[str], homes: Collection[str], answered: Collection[str]) -> list[str]:
    """Failing items that are missing in an answer which has all the others, though nobody asked for those."""
    there = items_in(base)
    others = there - set(items) - set(homes)
    if len(others) < _WHOLE or not others <= set(answered):
        return []
    return [name for name in items if name in there and name not in answered]


def _failing(task: Task, previous: Part) -> tuple[str, ...]:
    assert task.judgement is not None
    return failing_items(with_artifact(task.artifacts, previous), task.judgement)


def _homes(task: Task, previous: Part, items: tuple[str, ...]) -> tuple[str, ...]:
    """Items that could take in what has no place yet: of a missing one there is no line to show."""
    assert task.judgement is not None
    lost = {item for item in items if not write_items(previous, (item,), task.artifacts, as_sql=task.small)}
    found = (finding.candidates for finding in outgoing(task.judgement) if finding.ref.partition(" ")[0] in lost)
    return tuple(dict.fromkeys(name for names in found for name in names))


def _spoken(findings: Iterable[Finding], names: Collection[str]) -> set[str]:
    """The names that findings say; a Korean particle may stand right behind one."""
    texts = "\n".join(text for each in findings for text in (each.ref, each.message, each.expected, *each.candidates))
    return {name for name in names if re.search(rf"(?<![\w-]){re.escape(name)}(?![A-Za-z0-9_-])", texts)}
