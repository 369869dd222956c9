"""A run works with the prompts that it began with, whatever becomes of their source."""

import asyncio
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest
from design_players import SMALL, Player, asked_key, recording, run_design
from postgres_server import running_postgres
from valkey_server import running_valkey

from dure.chat import ChatRequest
from dure.errors import ConfigError, Unauthenticated
from dure.models.scripted import ScriptedModel
from dure.models.scripted_turns import Answer
from dure.prompts import PackagedPrompts, PromptKey, open_source
from dure_spec.agents.prompt_files import load_prompts, open_store
from dure_spec.artifacts import STAGES, Stage
from dure_spec.artifacts.shared import Language
from dure_spec.config import DesignConfig
from dure_spec.pipeline.design import DesignOptions
from dure_spec.pipeline.run_prompts import begin_with, pin, pinned

SPOKEN = recording("K01")
LAST = PromptKey("ko", "supervisor")
DEADLINE = 120


def edited(mark: str, key: PromptKey = LAST, section: str = "verdict") -> bytes:
    """A stage's prompt, one question of which ends with a mark."""
    text = PackagedPrompts("dure_spec").texts()[key].decode()
    head, tail = text.split(f"\n=== {section}.example", maxsplit=1)
    return f"{head.rstrip()}\n\n{mark}\n\n=== {section}.example{tail}".encode()


def publish(where: str, mark: str) -> None:
    asyncio.run(open_source(where).publish({LAST: edited(mark)}))


def designed(out: Path, where: str | None, meanwhile: Callable[[], None], *, resume: bool = False) -> list[str]:
    """Run, do something at the first question of the second stage, and give the last stage's questions."""
    questions: list[str] = []
    player = Player(answers=SPOKEN.answers)
    done: list[None] = []

    def play(request: ChatRequest) -> Answer:
        stage, _ = asked_key(request)
        if stage != "ba" and not done:
            done.append(meanwhile())
        if stage == "supervisor":
            questions.append(request.last_user_text)
        return player(request)

    options = (
        DesignOptions(resume=str(out), config=DesignConfig(prompts=where))
        if resume
        else DesignOptions(sentence=SPOKEN.sentence, out=out, config=DesignConfig(prompts=where))
    )

    async def run() -> int:
        async with asyncio.timeout(DEADLINE):
            return (
                await run_design(ScriptedModel(*[play] * 300, capabilities=player.model().capabilities), options)
            ).exit_code

    assert asyncio.run(run()) == 0
    assert done or resume
    return questions


def refresh_says(where: str) -> tuple[str, str]:
    """How a refresh of that source ends, and why."""
    store = open_store(where)
    assert store.restore()
    outcome = asyncio.run(store.refresh())
    return outcome.status, outcome.trouble()


def versions_of(out: Path) -> dict[Stage, str]:
    """Those that the report records, by stage."""
    report = json.loads((out / ".dure" / "stage-supervisor.json").read_bytes())["artifact"]
    return {row["stage"]: row["prompt_version"] for row in report["stages"]}


def test_a_run_goes_on_with_what_it_pinned_when_the_folder_disappears(tmp_path: Path) -> None:
    folder, out = tmp_path / "own", tmp_path / "out"
    publish(str(folder), "표시 하나")
    (question, *_) = designed(out, str(folder), lambda: shutil.rmtree(folder))
    assert question.endswith("표시 하나")
    status, reason = refresh_says(str(folder))
    assert (status, reason.startswith(f"the prompt folder {folder} is not there")) == ("away", True)


def test_a_run_goes_on_with_what_it_pinned_when_a_prompt_becomes_faulty(tmp_path: Path) -> None:
    folder, out = tmp_path / "own", tmp_path / "out"
    publish(str(folder), "표시 하나")

    def spoil() -> None:
        (folder / "ko" / "supervisor.md").write_bytes(edited("표시 $two"))

    (question, *_) = designed(out, str(folder), spoil)
    assert question.endswith("표시 하나")
    status, reason = refresh_says(str(folder))
    assert status == "faulty"
    assert "ko/supervisor [verdict] $two: no value is ever given" in reason


def test_a_run_goes_on_with_what_it_pinned_when_redis_goes_away(tmp_path: Path) -> None:
    with running_valkey() as valkey:
        _survives(valkey.url, valkey.stop, tmp_path)


def test_a_run_goes_on_with_what_it_pinned_when_postgresql_goes_away(tmp_path: Path) -> None:
    with running_postgres() as postgres:
        _survives(postgres.url, postgres.stop, tmp_path)


def _survives(url: str, stop: Callable[[], None], tmp_path: Path) -> None:
    publish(url, "표시 하나")
    (question, *_) = designed(tmp_path / "first", url, stop)
    assert question.endswith("표시 하나")
    status, reason = refresh_says(url)
    assert (status, reason.startswith("cannot use ")) == ("away", True)
    # and a run that only begins now has what was kept
    (question, *_) = designed(tmp_path / "second", url, lambda: None)
    assert question.endswith("표시 하나")


@pytest.mark.parametrize("change", ["other text", "faulty", "gone"])
def test_a_run_that_is_taken_up_again_has_the_texts_it_began_with(change: str, tmp_path: Path) -> None:
    folder, out = tmp_path / "own", tmp_path / "out"
    publish(str(folder), "표시 하나")
    _stopped_before_the_end(out, str(folder))
    if change == "gone":
        shutil.rmtree(folder)
    else:
        publish(str(folder), "표시 둘" if change == "other text" else "$nobody")
    (question, *_) = designed(out, str(folder), lambda: None, resume=True)
    assert question.endswith("표시 하나")
    (mine,) = [prompt.version for stage, prompt in pinned(out, "ko").items() if stage == "supervisor"]
    assert mine != load_prompts("ko")["supervisor"].version
    assert json.loads((out / ".dure" / "run.json").read_bytes())["prompt_versions"]["supervisor"] == mine


def test_the_report_records_the_versions_of_the_source(tmp_path: Path) -> None:
    key = PromptKey("ko", "dba")
    asyncio.run(open_source(str(tmp_path / "own")).publish({key: edited("표시", key, "ddl")}))
    designed(tmp_path / "out", str(tmp_path / "own"), lambda: None)
    expected = {stage: prompt.version for stage, prompt in load_prompts("ko").items()}
    expected["dba"] = pinned(tmp_path / "out", "ko")["dba"].version
    assert expected["dba"] != load_prompts("ko")["dba"].version
    recorded = versions_of(tmp_path / "out")
    assert recorded == {stage: expected[stage] for stage in expected if stage in recorded}
    assert "dba" in recorded


def test_a_run_with_nothing_to_show_leaves_no_prompts_behind(tmp_path: Path) -> None:
    async def run() -> None:
        refused = Unauthenticated("the key is wrong")
        model = ScriptedModel(*[refused] * 10, capabilities=SMALL)
        await run_design(model, DesignOptions(sentence=SPOKEN.sentence, out=tmp_path / "out"))

    asyncio.run(run())
    assert not (tmp_path / "out").exists()


def _stopped_before_the_end(out: Path, where: str) -> None:
    """A run whose model fails for good at the last stage."""

    def fail(right: str, time: int) -> Answer:
        return Unauthenticated("the key is wrong")

    player = Player(answers=SPOKEN.answers, faults={("supervisor", "verdict"): fail})
    options = DesignOptions(sentence=SPOKEN.sentence, out=out, config=DesignConfig(prompts=where))
    assert asyncio.run(run_design(player.model(), options)).exit_code != 0
    assert not (out / ".dure" / "stage-supervisor.json").exists()


async def test_a_source_that_is_wrong_from_the_start_begins_nothing(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is not there"):
        await begin_with(str(tmp_path / "nowhere"), "ko")
    with pytest.raises(ConfigError, match="prompts cannot come from 'ftp'"):
        await begin_with("ftp://example.com", "ko")


@pytest.mark.parametrize("lang", get_args(Language))
def test_pinned_texts_come_back_as_they_were(lang: Language, tmp_path: Path) -> None:
    (tmp_path / ".dure").mkdir()
    prompts = asyncio.run(begin_with(None, lang))
    assert prompts == load_prompts(lang)
    pin(tmp_path, prompts)
    assert pinned(tmp_path, lang) == prompts


def test_pinned_texts_that_are_damaged_are_named_with_the_way_out(tmp_path: Path) -> None:
    (tmp_path / ".dure").mkdir()
    pin(tmp_path, load_prompts("ko"))
    path = tmp_path / ".dure" / "prompts.json"
    whole = json.loads(path.read_bytes())
    faults = {
        "{": "Invalid JSON",
        json.dumps({**whole, "texts": {**whole["texts"], "ba": "?"}}): "does not begin with a section",
        json.dumps({**whole, "texts": {"ba": whole["texts"]["ba"]}}): "no prompt of stage 'planner'",
    }
    for content, said in faults.items():
        path.write_text(content, encoding="utf-8")
        with pytest.raises(ConfigError, match=rf"prompts.json is damaged: .*{said}.*remove the file to go on with"):
            pinned(tmp_path, "ko")
    pin(tmp_path, load_prompts("en"))
    with pytest.raises(ConfigError, match="holds prompts in 'en', but the run is in 'ko'"):
        pinned(tmp_path, "ko")


def test_an_older_run_goes_on_with_the_packaged_prompts_and_says_if_they_are_others(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    designed(tmp_path, None, lambda: None)
    (tmp_path / ".dure" / "prompts.json").unlink()
    assert pinned(tmp_path, "ko") == load_prompts("ko")
    assert caplog.messages == []
    header = tmp_path / ".dure" / "run.json"
    begun = json.loads(header.read_bytes())
    begun["prompt_versions"]["dba"] = "0" * 12
    header.write_text(json.dumps(begun), encoding="utf-8")
    assert set(pinned(tmp_path, "ko")) == set(STAGES)
    version = load_prompts("ko")["dba"].version
    assert caplog.messages == [
        f"the texts of this run's prompts were not kept; it goes on with others: dba {'0' * 12} → {version}"
    ]


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot write to .*; give another --out"):
        pin(tmp_path / "nowhere", load_prompts("ko"))
