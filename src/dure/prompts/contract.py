"""What a set of prompts must hold so that the program that asks with them can use it: the packaged set says."""

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from dure.prompts.faults import PromptFault
from dure.prompts.keys import PromptKey, normalised
from dure.prompts.source import MAX_BYTES
from dure.prompts.template import EXAMPLE, PromptTemplate, placeholders, read_template, stray_dollar

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedPrompts:
    """What a check came to; the templates are only to be used when there is no fault."""

    templates: Mapping[PromptKey, PromptTemplate]
    faults: tuple[PromptFault, ...]
    notes: tuple[str, ...] = ()
    """What is odd, but in nobody's way."""


class PromptContract:
    """Which prompts there are, the sections of each, and the placeholders of each section."""

    def __init__(self, templates: Mapping[PromptKey, PromptTemplate]) -> None:
        self._shapes = {
            key: {name: placeholders(body) for name, body in template.sections if not name.endswith(EXAMPLE)}
            for key, template in templates.items()
        }
        self._shown = {
            key: {name for name, _ in template.sections if name.endswith(EXAMPLE)}
            for key, template in templates.items()
        }

    def check(self, raw: Mapping[PromptKey, bytes]) -> CheckedPrompts:
        """Read and judge the prompts of a source; those that it does not have are nobody's fault."""
        known = {key: content for key, content in raw.items() if key in self._shapes}
        read = read_prompts(known)
        differences = (
            fault for template in read.templates.values() if template.sections for fault in self._differences(template)
        )
        notes = (
            f"{key} is no prompt of this program and is not used{_near(str(key), self._shapes)}"
            for key in sorted(set(raw) - set(known))
        )
        faults = sorted((*read.faults, *differences), key=lambda fault: fault.prompt)
        return CheckedPrompts(templates=read.templates, faults=tuple(faults), notes=tuple(notes))

    def _differences(self, template: PromptTemplate) -> Iterator[PromptFault]:
        prompt, shape = str(template.key), self._shapes[template.key]
        shown = self._shown[template.key]
        known = {*shape, *shown}
        names = [name for name, _ in template.sections]
        for name in sorted(known - set(names)):
            remedy = f"add a section '=== {name}'" + (" with a worked example" if name.endswith(EXAMPLE) else "")
            yield PromptFault(prompt=prompt, section=name, problem="the section is missing", remedy=remedy)
        for name in dict.fromkeys(names):
            if name not in known:
                remedy = f"rename or remove it{_near(name, known)}"
                yield PromptFault(
                    prompt=prompt, section=name, problem="no such section is ever asked for", remedy=remedy
                )
            elif name in shape and names.count(name) > 1:
                remedy = "keep one of them"
                yield PromptFault(prompt=prompt, section=name, problem="the section is there twice", remedy=remedy)
        for name, body in template.sections:
            if name in shape:
                yield from _placeholder_faults(prompt, name, body, shape[name])
            elif name in shown:
                yield from _unfilled(prompt, name, body, frozenset(one for names in shape.values() for one in names))


def read_prompts(raw: Mapping[PromptKey, bytes]) -> CheckedPrompts:
    """The prompts in these files, judged by their form alone."""
    templates: dict[PromptKey, PromptTemplate] = {}
    faults: list[PromptFault] = []
    for key, content in sorted(raw.items()):
        read = _decoded(key, content)
        if isinstance(read, PromptFault):
            faults.append(read)
        else:
            templates[key], broken = read_template(key, read)
            faults.extend(broken)
    return CheckedPrompts(templates=templates, faults=tuple(faults))


def _placeholder_faults(prompt: str, section: str, body: str, wanted: frozenset[str]) -> Iterator[PromptFault]:
    found = placeholders(body)
    for name in sorted(wanted - found):
        yield PromptFault(
            prompt=prompt,
            section=section,
            placeholder=name,
            problem="the placeholder is missing",
            remedy=f"write ${name} where its value belongs",
        )
    for name in sorted(found - wanted):
        known = f"there are: {', '.join(f'${one}' for one in sorted(wanted))}" if wanted else "this section has none"
        yield PromptFault(
            prompt=prompt,
            section=section,
            placeholder=name,
            problem="no value is ever given for this placeholder",
            remedy=f"remove it, or write $$ for a dollar sign ({known})",
        )
    stray = stray_dollar(body)
    if stray is not None:
        problem = f"a dollar sign begins no placeholder: {stray[:60]!r}"
        yield PromptFault(prompt=prompt, section=section, problem=problem, remedy="write $$ for a dollar sign")


def _unfilled(prompt: str, section: str, body: str, known: frozenset[str]) -> Iterator[PromptFault]:
    for name in sorted(placeholders(body) & known):
        yield PromptFault(
            prompt=prompt,
            section=section,
            placeholder=name,
            problem="an example is sent as it stands, so the placeholder would stay",
            remedy="write a value of your own in its place",
        )


def _decoded(key: PromptKey, content: bytes) -> str | PromptFault:
    if len(content) > MAX_BYTES:
        problem = f"it is larger than {MAX_BYTES:,} bytes"
        return PromptFault(
            prompt=str(key), problem=problem, remedy="shorten it; no model should read so much each time"
        )
    try:
        text = normalised(content)
    except UnicodeDecodeError as error:
        problem = f"it is not UTF-8: byte {error.start:,} cannot be read"
        return PromptFault(prompt=str(key), problem=problem, remedy="save it as UTF-8")
    control = _CONTROL.search(text)
    if control is not None:
        line = text.count("\n", 0, control.start()) + 1
        problem = f"line {line} holds the control character U+{ord(control.group()):04X}"
        return PromptFault(prompt=str(key), problem=problem, remedy="remove it")
    return text


def _near(name: str, known: Iterable[object]) -> str:
    found = difflib.get_close_matches(name, [str(one) for one in known], n=1)
    return f"; did you mean {found[0]!r}?" if found else ""
