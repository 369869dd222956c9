"""Every agent reads its answers however they are dressed, and refuses what says nothing, in both languages."""

import asyncio
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from design_players import Key, Player, Recording, recording, run_design

from dure_spec.agents.accounts import with_accounts
from dure_spec.agents.prompt_files import load_prompts
from dure_spec.agents.question import AnswerRefused, Question, StageState
from dure_spec.agents.registry import AGENTS
from dure_spec.agents.task import Task
from dure_spec.artifacts import STAGES, Artifacts, Stage
from dure_spec.artifacts.bundle import FIELDS
from dure_spec.intake import screen
from dure_spec.patterns import propose
from dure_spec.pipeline.design import DesignOptions
from dure_spec.pipeline.journal import Journal

NAMES = ("K16", "E07")
LINES = ("optional", "hosts", "effects", "columns")
"""Questions answered by `label: choice` lines."""
Read = tuple[Task, Any, Question, str]


@pytest.fixture(scope="module")
def designs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Artifacts]:
    """The recorded designs, all stages."""
    found: dict[str, Artifacts] = {}
    for name in NAMES:
        spoken, out = recording(name), tmp_path_factory.mktemp(name)
        options = DesignOptions(sentence=spoken.sentence, out=out)
        assert asyncio.run(run_design(Player(answers=spoken.answers).model(), options)).exit_code == 0
        journal = Journal.resume(str(out))
        found[name] = journal.artifacts()
        journal.close()
    return found


@pytest.fixture(scope="module")
def asked(designs: dict[str, Artifacts]) -> dict[str, list[Read]]:
    """Every question of the recorded designs, with the state it is asked in and its right answer."""
    return {name: list(_questions(name, designs)) for name in NAMES}


def _questions(name: str, designs: dict[str, Artifacts]) -> Iterator[Read]:
    spoken = recording(name)
    for stage in STAGES:
        task, agent = _task(spoken, stage, designs[name]), AGENTS[stage]
        state = agent.state_fields()
        while question := agent.before_model(task, state):
            right = spoken.answers[_key(stage, question)]
            yield task, state, question, right
            state = agent.after_model(task, state, question, right)
            state = state.model_copy(update={"answered": (*state.answered, question.key)})


def _key(stage: Stage, question: Question) -> Key:
    return stage, question.key


def _task(spoken: Recording, stage: Stage, whole: Artifacts) -> Task:
    before = STAGES[: STAGES.index(stage)]
    intake = screen(spoken.sentence)
    return Task(
        stage=stage,
        intake=intake,
        proposal=with_accounts(propose(spoken.sentence), intake),
        artifacts=Artifacts.model_validate({FIELDS[one]: getattr(whole, FIELDS[one]) for one in before}),
        prompts=load_prompts(spoken.lang)[stage],
        lang=spoken.lang,
        small=True,
        grammar=True,
    )


def _lines(text: str, change: Callable[[str], str]) -> str:
    return "\n".join(change(line) for line in text.splitlines())


DRESSES: dict[str, Callable[[str], str]] = {
    "bullets": lambda text: _lines(text, lambda line: f"- {line}"),
    "emphasis": lambda text: _lines(text, lambda line: "* **" + line.replace(": ", ":** ", 1)),
    "numbers": lambda text: "\n".join(f"{n}. {line}" for n, line in enumerate(text.splitlines(), 1)),
    "full-width colons": lambda text: text.replace(": ", "："),
    "spaces": lambda text: _lines(text, lambda line: f"  {line.replace(' ', '  ')}  "),
    "windows": lambda text: text.replace("\n", "\r\n"),
    "prose": lambda text: f"Sure, here it is:\n\n{text}\n\nTell me if you need more.",
    "fence": lambda text: f"```text\n{text}\n```",
}


@pytest.mark.parametrize("dress", DRESSES)
@pytest.mark.parametrize("name", NAMES)
def test_choices_are_read_however_they_are_dressed(name: str, dress: str, asked: dict[str, list[Read]]) -> None:
    rows = [row for row in asked[name] if row[2].key in LINES]
    assert rows
    for task, state, question, right in rows:
        agent = AGENTS[task.stage]
        if question.key == "optional":  # to need all that is proposed says nothing that could be seen
            right = f"{right.rpartition(': ')[0]}: {'무관' if task.lang == 'ko' else 'unrelated'}"
        plain = agent.after_model(task, state, question, right)
        assert plain != state
        assert agent.after_model(task, state, question, DRESSES[dress](right)) == plain


@pytest.mark.parametrize("dress", ["prose", "fence", "windows"])
@pytest.mark.parametrize("name", NAMES)
def test_other_answers_are_read_in_prose_and_fences(name: str, dress: str, asked: dict[str, list[Read]]) -> None:
    for task, state, question, right in asked[name]:
        agent = AGENTS[task.stage]
        plain = agent.after_model(task, state, question, right)
        assert agent.after_model(task, state, question, DRESSES[dress](right)) == plain


@pytest.mark.parametrize("text", ["", "   \n", "no idea", "{}", "[]", "null", "a: b", "- \n- \n", "?" * 5000])
@pytest.mark.parametrize("name", NAMES)
def test_what_says_nothing_is_refused_with_a_reason(name: str, text: str, asked: dict[str, list[Read]]) -> None:
    for task, state, question, _ in asked[name]:
        with pytest.raises(AnswerRefused, match=r"\S"):
            AGENTS[task.stage].after_model(task, state, question, text)


@pytest.mark.parametrize("name", NAMES)
def test_a_damaged_answer_is_read_or_refused_and_never_an_error(name: str, asked: dict[str, list[Read]]) -> None:
    chance = random.Random(7)
    for task, state, question, right in asked[name]:
        for _ in range(25):
            _read_or_refused(task, state, question, _damaged(right, chance))


_NOISE = ("", '"', "\n", "{", "]", ":", ";", "\x00", "9", "(", "가")


def _damaged(text: str, chance: random.Random) -> str:
    letters = list(text)
    for _ in range(chance.randint(1, 12)):
        at = chance.randrange(len(letters))
        letters[at : at + chance.randint(0, 6)] = chance.choice(
            ["", '"', "\n", "{", "]", ":", ";", "\x00", "9", "(", "가"]
        )
    return "".join(letters)[: chance.randint(0, 2 * len(text))]


def _read_or_refused(task: Task, state: StageState, question: Question, text: str) -> None:
    try:
        read = AGENTS[task.stage].after_model(task, state, question, text)
    except AnswerRefused:
        return
    assert isinstance(read, StageState)


@pytest.mark.parametrize("name", NAMES)
def test_without_an_answer_the_program_goes_on_with_its_own(name: str, designs: dict[str, Artifacts]) -> None:
    for stage in STAGES:
        task, agent = _task(recording(name), stage, designs[name]), AGENTS[stage]
        state = agent.state_fields()
        while question := agent.before_model(task, state):
            assert question.optional
            state = agent.after_model(task, state, question, None)
            state = state.model_copy(update={"answered": (*state.answered, question.key)})
        assert agent.after_model(task, state, None, None).artifact is not None


def test_an_agent_is_six_methods_and_no_more() -> None:
    frame = {"system_prompt", "tools", "state_fields", "before_model", "after_model", "limits_tool_calls"}
    for agent in AGENTS.values():
        own = {name for name in vars(type(agent)) if not name.startswith("_")} - {"stage", "repairs"}
        assert own <= frame


def test_every_stage_has_its_agent() -> None:
    assert tuple(AGENTS) == STAGES
