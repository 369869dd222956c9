"""Scripted models that answer the questions of a design from a recording, and ways in which an answer goes wrong.

A recording holds the sentence in its first line, then one line for each question: stage, key, answer.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import get_args

from dure.advisors.retry import RetryAdvisor
from dure.chat import ChatRequest
from dure.models.base import ModelCapabilities
from dure.models.scripted import ScriptedModel
from dure.models.scripted_turns import Answer
from dure_spec.agents.prompt_files import load_prompts
from dure_spec.artifacts import STAGES, Stage
from dure_spec.artifacts.shared import Language
from dure_spec.pipeline.design import Design, DesignOptions
from dure_spec.pipeline.events import PipelineEvent

RECORDED = Path(__file__).parents[1] / "data" / "recorded"
_WIRE = Path(__file__).parents[1] / "data" / "wire" / "order_mgmt" / "wire_format.txt"
_SECTIONS: dict[str, Stage] = {"prd": "ba", "ia": "planner", "erd": "dba", "be": "backend", "fe": "frontend"}
SMALL = ModelCapabilities(small=True, grammar=True)
LARGE = ModelCapabilities()
MOST_CALLS = 300

Key = tuple[Stage, str]
Fault = Callable[[str, int], Answer]
"""What comes instead of the right answer when a question is asked for the n-th time, counted from 1."""


@dataclass(frozen=True, kw_only=True)
class Recording:
    """The right answers to the questions about one sentence."""

    sentence: str
    lang: Language
    answers: dict[Key, str]


@dataclass(kw_only=True)
class Player:
    """Answers from a recording, spoiled where a fault is given for the question; counts what it is asked.

    Of what is not recorded it has nothing to say.
    """

    answers: dict[Key, str]
    faults: dict[Key, Fault] = field(default_factory=dict[Key, Fault])
    every: Fault | None = None
    """The fault of questions that have none of their own."""
    asked: Counter[Key] = field(default_factory=Counter[Key])

    def __call__(self, request: ChatRequest) -> Answer:
        """The answer to this request."""
        key = asked_key(request)
        self.asked[key] += 1
        fault = self.faults.get(key, self.every)
        right = self.answers.get(key, "")
        return right if fault is None else fault(right, self.asked[key])

    def model(self, capabilities: ModelCapabilities = SMALL) -> ScriptedModel:
        """A model that answers so."""
        return ScriptedModel(*[self] * MOST_CALLS, capabilities=capabilities)

    def stages(self) -> set[Stage]:
        """The stages that asked anything."""
        return {stage for stage, _ in self.asked}


@dataclass(kw_only=True)
class Outcome:
    """How a run went."""

    exit_code: int
    events: list[PipelineEvent]
    waits: list[float]
    """Seconds that the retry would have slept."""


def recording(name: str) -> Recording:
    """The recording of this name."""
    head, *rows = (json.loads(line) for line in (RECORDED / f"{name}.jsonl").read_text("utf-8").splitlines())
    answers: dict[Key, str] = {(row["stage"], row["key"]): row["answer"] for row in rows}
    return Recording(sentence=head["sentence"], lang=head["lang"], answers=answers)


async def run_design(model: ScriptedModel, options: DesignOptions) -> Outcome:
    """Run to the end without sleeping."""
    waits: list[float] = []
    events: list[PipelineEvent] = []

    async def note(seconds: float) -> None:
        waits.append(seconds)

    retry = RetryAdvisor(sleep=note, chance=lambda: 0.0)
    code = await Design(options, events.append, model=model, advisors=(retry,)).run()
    return Outcome(exit_code=code, events=events, waits=waits)


def whole_answers(*others: tuple[Stage, str, str]) -> dict[Key, str]:
    """The whole answers of the reference design, as a large model gives them; and others by stage and question."""
    answers: dict[Key, str] = {("supervisor", "verdict"): recording("K01").answers["supervisor", "verdict"]}
    for part in _WIRE.read_text("utf-8").split("====="):
        head, _, body = part.strip().partition("\n")
        answers[_SECTIONS[head.strip("[]")], "whole"] = body
    for stage, key, text in others:
        answers[stage, key] = text
    return answers


def script(answers: Mapping[Key, str], lang: Language = "ko") -> list[dict[str, object]]:
    """The answers as lines of a file for `scripted:`, each for the question that it answers."""
    prompts = load_prompts(lang)
    return [{"when": _opening(prompts[stage].sections, key), "text": text} for (stage, key), text in answers.items()]


def _opening(sections: tuple[tuple[str, str], ...], key: str) -> str:
    text = dict(sections)[key].partition("$")[0]
    return text.splitlines()[0]


def stage_files(out: Path) -> dict[str, bytes]:
    """The accepted artifacts of a run, as they lie on the disk."""
    return {path.name: path.read_bytes() for path in sorted((out / ".dure").glob("stage-*.json"))}


def asked_key(request: ChatRequest) -> Key:
    """The stage and the question of a request, told by its system text and the wording of its last text."""
    for stage, system, sections in _wordings():
        if request.system_text == system:
            for key, wording in sections:
                if wording.fullmatch(request.last_user_text):
                    return stage, key
    raise AssertionError(f"no prompt asks {request.last_user_text[:200]!r}")


@cache
def _wordings() -> tuple[tuple[Stage, str, tuple[tuple[str, re.Pattern[str]], ...]], ...]:
    found: list[tuple[Stage, str, tuple[tuple[str, re.Pattern[str]], ...]]] = []
    for lang in get_args(Language):
        prompts = load_prompts(lang)
        for stage in STAGES:
            sections = tuple(
                (name, _wording(text))
                for name, text in prompts[stage].sections
                if name not in ("system", "refused") and not name.endswith(".example")
            )
            found.append((stage, prompts[stage].render("system"), sections))
    return tuple(found)


def _wording(text: str) -> re.Pattern[str]:
    """A section with anything in its placeholders, and perhaps a note after it."""
    parts = re.split(r"\$\{?[a-z_]+\}?", text)
    return re.compile("(?s:.*)".join(map(re.escape, parts)) + r"(?s:\n\n.*)?")
