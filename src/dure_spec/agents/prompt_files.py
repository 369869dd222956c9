"""Prompts are files: one a stage and language, cut into named sections.

    === system
    === entities
    문장: $sentence
    === entities.example
    …question…
    --- answer
    …answer…

`$name` is a placeholder. A set of prompts is read once when a run begins and is pinned by its version.
"""

import hashlib
import re
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from string import Template

from dure.errors import ConfigError
from dure_spec.artifacts.shared import STAGES, Language, Stage

_SECTION = re.compile(r"^=== +([a-z_.]+)\s*$", re.MULTILINE)
_ANSWER = re.compile(r"^--- answer\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class StagePrompts:
    """The sections of one stage's file."""

    stage: Stage
    version: str
    """First 12 hex digits of the file's sha256."""
    sections: tuple[tuple[str, str], ...]

    def render(self, section: str, **values: str) -> str:
        """The section with its placeholders filled.

        Raises:
            ConfigError: no such section, or a placeholder without a value.
        """
        try:
            return Template(self.template(section)).substitute(values)
        except (KeyError, ValueError) as error:
            raise ConfigError(f"prompt {self.stage}/{section}: placeholder {error} has no value") from error

    def template(self, section: str) -> str:
        """The section as it stands in the file.

        Raises:
            ConfigError: no such section.
        """
        for name, text in self.sections:
            if name == section:
                return text
        raise ConfigError(f"prompt {self.stage} has no section {section!r}")

    def examples(self, section: str) -> tuple[tuple[str, str], ...]:
        """The worked examples of a section, in file order."""
        pairs: list[tuple[str, str]] = []
        for name, text in self.sections:
            if name == f"{section}.example":
                question, answer = _ANSWER.split(text, maxsplit=1)
                pairs.append((question.strip(), answer.strip()))
        return tuple(pairs)


PromptSet = dict[Stage, StagePrompts]


def load_prompts(lang: Language) -> PromptSet:
    """The packaged prompts of a language, all stages."""
    folder = resources.files("dure_spec") / "prompts" / lang
    return {stage: _read(folder / f"{stage}.md", stage) for stage in STAGES}


def _read(file: Traversable, stage: Stage) -> StagePrompts:
    text = file.read_text(encoding="utf-8").lstrip("\ufeff").replace("\r\n", "\n")
    head, *parts = _SECTION.split(text)
    if head.strip() or not parts:
        raise ConfigError(f"prompt file {file.name}: must begin with '=== system'")
    sections = tuple((parts[i], parts[i + 1].strip()) for i in range(0, len(parts), 2))
    for name, body in sections:
        if name.endswith(".example") and not _ANSWER.search(body):
            raise ConfigError(f"prompt file {file.name}: section {name!r} has no '--- answer'")
    return StagePrompts(stage=stage, version=hashlib.sha256(text.encode()).hexdigest()[:12], sections=sections)
