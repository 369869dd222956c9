"""A comparison that is begun again: what counts of the earlier sitting, and files that cannot be used."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from design_players import SMALL, Player, recording

from dure.errors import ConfigError
from dure.models.base import ChatModel
from dure.prompts import FolderPrompts, PackagedPrompts, PromptKey
from dure_spec.compare import PAGE, Cell, Comparison, figures_of, page, plan, settled
from dure_spec.compare.results import Gathering
from dure_spec.compare.table import plain, row
from dure_spec.config import DesignConfig
from dure_spec.pipeline.events import PipelineEvent, RunFinished, RunStopped
from dure_spec.pipeline.stops import FAILED, GATE

SENTENCE = recording("K21").sentence
SECRET = "sesame-4711"
BA = PromptKey("ko", "ba")
TEXT = PackagedPrompts("dure_spec").texts()[BA]


def player(cell: Cell) -> ChatModel:
    """A model that knows its answers."""
    return Player(answers=recording("K21").answers).model(SMALL)


def silent(cell: Cell, event: PipelineEvent) -> None:
    """Tells nobody."""


def comparing(out: Path, *cells: Cell) -> Comparison:
    """A comparison with that model."""
    return Comparison(out, cells, DesignConfig(), model=player)


def everything_in(folder: Path) -> str:
    """The text of every file."""
    return "".join(path.read_text("utf-8") for path in folder.rglob("*") if path.is_file())


async def test_a_run_with_an_edited_prompt_is_another_run(tmp_path: Path) -> None:
    folder = FolderPrompts(tmp_path / "own")
    await folder.publish({BA: TEXT})
    cells = plan([SENTENCE], ["scripted:x"], [folder.name])
    before = await settled(cells, DesignConfig(), {})
    assert await settled(cells, DesignConfig(), {}) == before
    await comparing(tmp_path / "out", *before).run(silent)

    await folder.publish({BA: TEXT + "\n한 줄 더\n".encode()})
    after = comparing(tmp_path / "out", *await settled(cells, DesignConfig(), {}))
    assert (len(after.open_cells()), after.outdated(), after.results()) == (1, 1, ())
    await folder.publish({BA: TEXT})
    back = comparing(tmp_path / "out", *await settled(cells, DesignConfig(), {}))
    assert (back.open_cells(), back.outdated()) == ((), 0)


async def test_other_settings_and_another_model_of_the_environment_make_another_run() -> None:
    cells = plan([SENTENCE], [], [])
    seen = [
        await settled(cells, DesignConfig(), {}),
        await settled(cells, DesignConfig(autofix="off"), {}),
        await settled(cells, DesignConfig(), {"DURE_MODEL": "scripted:y"}),
    ]
    assert len({cell.key for (cell,) in seen}) == 3
    named = plan([SENTENCE], ["scripted:x"], [])
    assert await settled(named, DesignConfig(), {}) == await settled(named, DesignConfig(), {"DURE_MODEL": "a:b"})


async def test_prompts_that_cannot_be_read_fail_their_own_runs_only(tmp_path: Path) -> None:
    cells = plan([SENTENCE], ["scripted:x"], ["packaged", str(tmp_path / "none")])
    comparison = comparing(tmp_path / "out", *await settled(cells, DesignConfig(), {}))
    told: list[PipelineEvent] = []
    good, bad = await comparison.run(lambda cell, event: told.append(event))
    assert [event.reason for event in told if isinstance(event, RunStopped)] == [bad.reason]
    assert row(figures_of([bad])[0])[1:8] == ("1", "0/1", "–", "–", "–", "–", "–")
    assert (good.exit_code, bad.exit_code) == (0, 4)
    assert "none is not there; make it with" in bad.reason


@pytest.mark.parametrize("rest", ["u:{}@127.0.0.1:1/0", "127.0.0.1:1/0?password={}", ":{}@127.0.0.1:1/0?db=1"])
async def test_a_password_is_in_nothing_that_is_kept_or_shown(tmp_path: Path, rest: str) -> None:
    cells = await settled(plan([SENTENCE], ["scripted:x"], [f"redis://{rest.format(SECRET)}"]), DesignConfig(), {})
    comparison = comparing(tmp_path, *cells)
    results = await comparison.run(silent)
    comparison.write_page()
    kept = everything_in(tmp_path)
    assert "redis://127.0.0.1:1/0" in kept
    assert SECRET not in kept
    assert SECRET not in f"{cells} {results} {page(results)} {plain(figures_of(results)[0])}"


def test_an_address_that_cannot_be_read_is_refused_before_anything_runs() -> None:
    with pytest.raises(ConfigError, match="URL of the prompts cannot be read") as said:
        plan([SENTENCE], [], [f"redis://u:se/{SECRET}@host/0"])
    assert SECRET not in str(said.value)


@pytest.mark.parametrize(("code", "left"), [(FAILED, 1), (GATE, 0), (0, 0)])
def test_what_a_full_disk_ended_is_run_again(tmp_path: Path, code: int, left: int) -> None:
    (cell,) = plan([SENTENCE], ["scripted:x"], [])
    line = Gathering(cell).result(code, 1.0, "").model_dump_json()
    (tmp_path / "results.jsonl").write_text(f"{line}\n", encoding="utf-8")
    comparison = comparing(tmp_path, cell, replace(cell, turn=2))
    assert [one.turn for one in comparison.open_cells()] == [1] * left + [2]


async def test_a_result_that_cannot_be_kept_ends_in_one_line_that_names_the_file(tmp_path: Path) -> None:
    def in_the_way(cell: Cell, event: PipelineEvent) -> None:
        if isinstance(event, RunFinished):
            (tmp_path / "results.jsonl").mkdir()

    cells = plan([SENTENCE], ["scripted:x"], [], repeat=2)
    with pytest.raises(ConfigError, match=r"cannot write .*results\.jsonl: Is a directory; put that right, then"):
        await asyncio.wait_for(comparing(tmp_path, *cells).run(in_the_way), 30)


async def test_a_page_that_cannot_be_written_is_told_and_the_results_are_kept(tmp_path: Path) -> None:
    comparison = comparing(tmp_path, *plan([SENTENCE], ["scripted:x"], []))
    comparison.write_page()
    assert not (tmp_path / PAGE).exists()
    await comparison.run(silent)
    (tmp_path / PAGE).mkdir()
    with pytest.raises(ConfigError, match=rf"cannot write .*{PAGE}"):
        comparison.write_page()
    (tmp_path / PAGE).rmdir()
    comparison.write_page()
    assert SENTENCE in (tmp_path / PAGE).read_text("utf-8")
