"""A prompt is one text, cut into named sections.

    === system
    === entities
    문장: $sentence
    === entities.example
    …question…
    --- answer
    …answer…

`$name` is a placeholder, `$$` a dollar sign; examples are taken as they stand.
"""

import re
from dataclasses import dataclass
from string import Template

from dure.errors import ConfigError
from dure.prompts.faults import PromptFault
from dure.prompts.keys import PromptKey, version_of

EXAMPLE = ".example"
_SECTION = re.compile(r"^===[ \t]+([a-z_]+(?:\.[a-z_]+)*)[ \t]*$", re.MULTILINE)
_NEARLY = re.compile(r"^={3}(?!=).*$", re.MULTILINE)
_ANSWER = re.compile(r"^---[ \t]+answer[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptTemplate:
    """The sections of one prompt."""

    key: PromptKey
    version: str
    """First 12 hex digits of the text's sha256."""
    text: str
    sections: tuple[tuple[str, str], ...]

    def render(self, section: str, **values: str) -> str:
        """The section with its placeholders filled.

        Raises:
            ConfigError: no such section, or a placeholder without a value.
        """
        try:
            return Template(self.template(section)).substitute(values)
        except (KeyError, ValueError) as error:
            raise ConfigError(f"prompt {self.key} [{section}]: placeholder {error} has no value") from error

    def template(self, section: str) -> str:
        """The section as it stands in the text.

        Raises:
            ConfigError: no such section.
        """
        for name, body in self.sections:
            if name == section:
                return body
        raise ConfigError(f"prompt {self.key} has no section {section!r}")

    def examples(self, section: str) -> tuple[tuple[str, str], ...]:
        """The worked examples of a section, question and answer, in the order of the text."""
        pairs: list[tuple[str, str]] = []
        for name, body in self.sections:
            if name == f"{section}{EXAMPLE}":
                question, answer = _ANSWER.split(body, maxsplit=1)
                pairs.append((question.strip(), answer.strip()))
        return tuple(pairs)


def read_template(key: PromptKey, text: str) -> tuple[PromptTemplate, tuple[PromptFault, ...]]:
    """The prompt in a normalised text, and what breaks its form; with faults it is not to be used."""
    head, *parts = _SECTION.split(text)
    sections = tuple((parts[i], parts[i + 1].strip()) for i in range(0, len(parts), 2))
    template = PromptTemplate(key=key, version=version_of(text), text=text, sections=sections)
    faults = [*_head_faults(key, head, sections)]
    faults += [fault for name, body in sections for fault in _body_faults(key, name, body)]
    return template, tuple(faults)


def placeholders(body: str) -> frozenset[str]:
    """The names that a section wants values for."""
    return frozenset(Template(body).get_identifiers())


def stray_dollar(body: str) -> str | None:
    """The first line in which a dollar sign begins no placeholder."""
    for line in body.splitlines():
        if not Template(line).is_valid():
            return line.strip()
    return None


def _head_faults(key: PromptKey, head: str, sections: tuple[tuple[str, str], ...]) -> list[PromptFault]:
    if head.strip() or not sections:
        return [
            PromptFault(
                prompt=str(key),
                problem="it does not begin with a section" if head.strip() else "it is empty",
                remedy="begin it with a line '=== system'",
            )
        ]
    return []


def _body_faults(key: PromptKey, name: str, body: str) -> list[PromptFault]:
    faults: list[PromptFault] = []

    def add(problem: str, remedy: str) -> None:
        faults.append(PromptFault(prompt=str(key), section=name, problem=problem, remedy=remedy))

    if not body:
        add("the section is empty", "write its text below its heading")
    for line in _NEARLY.findall(body):
        add(
            f"{line.strip()[:60]!r} is no heading of a section", "write '=== name' in small letters, or indent the line"
        )
    if name.endswith(EXAMPLE) and body:
        question, *answers = _ANSWER.split(body)
        if not answers:
            add("the example has no answer", "write '--- answer' on a line of its own, and the answer below it")
        elif len(answers) > 1:
            add("the example has more than one '--- answer'", f"begin each example with '=== {name}'")
        elif not (question.strip() and answers[0].strip()):
            add("the example has an empty half", "write a question above and an answer below '--- answer'")
    return faults
