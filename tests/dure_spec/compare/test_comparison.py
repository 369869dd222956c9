"""Comparison runs: every sentence with every variant, kept as they end, and what the figures say about them."""

import asyncio
import json
from decimal import Decimal
from pathlib import Path

import pytest
from design_players import SMALL, Player, recording

from dure.errors import ConfigError
from dure.models.base import ChatModel
from dure.usage import Usage
from dure_spec.artifacts.findings import Finding, Fix
from dure_spec.artifacts.report import Verdict
from dure_spec.artifacts.shared import STAGES, Stage
from dure_spec.compare import Cell, CellResult, Comparison, Variant, figures_of, page, plan, sentences_in
from dure_spec.compare.results import Gathering
from dure_spec.config import DesignConfig
from dure_spec.pipeline.events import (
    AttemptJudged,
    AutoFixed,
    PipelineEvent,
    RunStarted,
    Spent,
    StageAccepted,
    StageStopped,
)

SENTENCE = recording("K21").sentence
NO_FINDINGS: tuple[Finding, ...] = ()


def silent(cell: Cell, event: PipelineEvent) -> None:
    """Tells nobody."""


def player(cell: Cell) -> ChatModel:
    """A model of the variant's name that knows its answers, or nothing."""
    known = recording("K21").answers if cell.variant.model == "scripted:good" else {}
    return Player(answers=known).model(SMALL)


def spent(stage: Stage, tokens: int, cost: str | None = None) -> Spent:
    """A call of a stage."""
    usage = Usage(fresh_input=tokens, output=1, model_calls=1, cost=None if cost is None else Decimal(cost))
    return Spent(stage=stage, usage=usage, seconds=2.0)


def result_of(*events: PipelineEvent, model: str = "m:a", code: int = 0) -> CellResult:
    """What is gathered of these events."""
    gathering = Gathering(Cell(sentence="s", variant=Variant(model=model, prompts=None)))
    for event in events:
        gathering.hear(event)
    return gathering.result(code, 10.0, "runs/x")


def judged(stage: Stage, attempt: int, score: float) -> AttemptJudged:
    """A judgement without its findings."""
    return AttemptJudged(stage=stage, attempt=attempt, score=score, findings=NO_FINDINGS)


def accepted(stage: Stage, verdict: Verdict, score: float, attempts: int) -> StageAccepted:
    """An acceptance."""
    return StageAccepted(stage=stage, verdict=verdict, score=score, attempts=attempts, usage=Usage(), seconds=3.0)


def test_every_sentence_meets_every_variant_sentence_by_sentence() -> None:
    cells = plan(["a", "b", " a "], ["x:1", "y:2"], ["p", "packaged"], repeat=2)
    assert len(cells) == 2 * 2 * 2 * 2
    assert [cell.sentence for cell in cells[:8]] == ["a"] * 4 + ["b"] * 4
    assert len({cell.key for cell in cells}) == len(cells)
    assert plan(["a"], [], [])[0].variant == Variant(model=None, prompts=None)


def test_nothing_to_compare_is_wrong_use() -> None:
    with pytest.raises(ConfigError, match="what shall be compared"):
        plan([" "], ["x:1"], [])
    with pytest.raises(ConfigError, match="--repeat is 0"):
        plan(["a"], [], [], repeat=0)


def test_sentences_come_from_lines_and_from_json_lines(tmp_path: Path) -> None:
    file = tmp_path / "s.txt"
    file.write_text('\ufeff# ours\n주문 관리\n{"prompt": "x", "lang": "ko"}\n\n{"sentence": "y"}\n', encoding="utf-8")
    assert sentences_in(file) == ("주문 관리", "x", "y")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"{broken", ":1 is no JSON"),
        (b'ok\n{"a": 1}', ":2 has none of"),
        (b"\xff", "not UTF-8"),
        (b'{"text":' + b"[" * 100_000, ":1 is no JSON"),
    ],
)
def test_a_file_of_something_else_is_told_with_its_line(tmp_path: Path, text: bytes, said: str) -> None:
    file = tmp_path / "s.txt"
    file.write_bytes(text)
    with pytest.raises(ConfigError, match=said):
        sentences_in(file)
    with pytest.raises(ConfigError, match="there is no file"):
        sentences_in(tmp_path / "none")
    with pytest.raises(ConfigError, match="cannot read"):
        sentences_in(tmp_path)


def test_tokens_after_the_first_judgement_are_the_cost_of_retries() -> None:
    result = result_of(
        RunStarted(run_id="r", sentence="s", model="m:a", out="o"),
        spent("dba", 100),
        judged("dba", 1, 7.0),
        spent("dba", 40),
        judged("dba", 2, 9.8),
        accepted("dba", "pass", 9.8, 2),
    )
    (stage,) = result.stages
    assert (stage.way, stage.scores, stage.retry_tokens) == ("retried", (7.0, 9.8), (41,))
    assert (stage.tokens_in, stage.tokens_out, stage.cost_usd) == (140, 2, None)
    assert result.models == ("m:a",)


def test_the_way_of_a_stage_is_what_the_gate_said() -> None:
    result = result_of(
        judged("ba", 1, 10.0),
        accepted("ba", "pass", 10.0, 1),
        *(judged("planner", n, 8.5) for n in (1, 2, 3)),
        accepted("planner", "forced", 8.5, 3),
        judged("dba", 1, 5.0),
        StageStopped(stage="dba", reason="r", score=5.0),
        code=3,
    )
    assert [(stage.stage, stage.way) for stage in result.stages] == [
        ("ba", "first"),
        ("planner", "forced"),
        ("dba", "stopped"),
    ]
    (figures,) = figures_of([result])
    assert (figures.finished, figures.runs, figures.retries) == (0, 1, 2)
    assert figures.gate_rate == pytest.approx(1 / 3)
    assert figures.score == pytest.approx((10 + 8.5 + 5) / 3)


def test_what_the_program_repaired_is_told_apart_from_what_passed_unaided() -> None:
    fix = Fix(stage="dba", validator="V05", severity="major", ref="order", message="reserved", done="order → orders")
    fixed = AutoFixed(stage="dba", attempt=1, score=10.0, fixes=(fix, fix), findings=())
    result = result_of(judged("dba", 1, 8.9), fixed, accepted("dba", "pass", 10.0, 1))
    (stage,) = result.stages
    assert (stage.way, stage.scores, stage.unaided, stage.fixes) == ("first", (10.0,), 8.9, 2)
    (figures,) = figures_of([result])
    assert (figures.unaided, figures.fixes, figures.gate_rate) == (0, 2, 1.0)


def test_a_cost_is_known_only_where_every_call_has_its_price() -> None:
    known = result_of(spent("ba", 10, "0.5"), judged("ba", 1, 10.0), accepted("ba", "pass", 10.0, 1), model="m:a")
    unknown = result_of(spent("ba", 10), judged("ba", 1, 10.0), accepted("ba", "pass", 10.0, 1), model="m:b")
    first, second = figures_of([known, unknown])
    assert (first.cost_usd, second.cost_usd) == (Decimal("0.5"), None)


async def test_models_are_compared_side_by_side(tmp_path: Path) -> None:
    cells = plan([SENTENCE], ["scripted:good", "scripted:mute"], [])
    comparison = Comparison(tmp_path, cells, DesignConfig(), model=player)
    results = await comparison.run(silent)
    good, mute = figures_of(results)
    assert (good.runs, good.finished, good.stages) == (1, 1, 6)
    assert good.gate_rate == 1.0
    assert mute.variant.model == "scripted:mute"
    assert (tmp_path / results[0].folder / "report.html").is_file()
    html = page(results)
    assert SENTENCE in html
    assert f'href="{results[0].folder}/report.html"' in html
    assert "<script" not in html


async def test_the_same_folder_again_runs_only_what_is_left(tmp_path: Path) -> None:
    asked: list[str] = []

    def opened(cell: Cell) -> ChatModel:
        asked.append(cell.key)
        return player(cell)

    first = plan([SENTENCE], ["scripted:good"], [])
    await Comparison(tmp_path, first, DesignConfig(), model=opened).run(silent)
    both = plan([SENTENCE], ["scripted:good"], [], repeat=2)
    comparison = Comparison(tmp_path, both, DesignConfig(), model=opened)
    assert [cell.turn for cell in comparison.open_cells()] == [2]
    assert len(await comparison.run(silent)) == 2
    assert asked == [cell.key for cell in both]


async def test_a_run_that_was_broken_off_goes_on_where_it_was(tmp_path: Path) -> None:
    cells = plan([SENTENCE], ["scripted:good"], [])
    tasks: list[asyncio.Task[object]] = []

    def stop_after_ba(cell: Cell, event: PipelineEvent) -> None:
        if isinstance(event, StageAccepted) and event.stage == "ba":
            tasks[0].cancel()

    tasks.append(asyncio.create_task(Comparison(tmp_path, cells, DesignConfig(), model=player).run(stop_after_ba)))
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(tasks[0], 30)
    again = Comparison(tmp_path, cells, DesignConfig(), model=player)
    assert [one.exit_code for one in again.results()] == [130]
    stages: list[str] = []
    await again.run(lambda _, event: stages.append(event.stage) if isinstance(event, StageAccepted) else None)
    assert "ba" not in stages
    (whole,) = again.results()
    assert (whole.exit_code, [stage.stage for stage in whole.stages]) == (0, list(STAGES))
    assert figures_of([whole])[0].stages == len(STAGES)


async def test_half_a_line_of_a_dead_process_costs_its_run_only(tmp_path: Path) -> None:
    cells = plan([SENTENCE], ["scripted:good"], [], repeat=2)
    comparison = Comparison(tmp_path, cells, DesignConfig(), model=player)
    await comparison.run(silent)
    file = tmp_path / "results.jsonl"
    whole, last = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(whole + last[: len(last) // 2])
    assert [cell.turn for cell in comparison.open_cells()] in ([1], [2])
    await comparison.run(silent)
    assert comparison.open_cells() == ()
    assert all(json.loads(line) for line in file.read_text("utf-8").splitlines()[-1:])


async def test_a_variant_without_a_usable_model_leaves_the_others_alone(tmp_path: Path) -> None:
    def opened(cell: Cell) -> ChatModel | None:
        return None if cell.variant.model == "nobody:x" else player(cell)

    cells = plan([SENTENCE], ["nobody:x", "scripted:good"], [])
    comparison = Comparison(tmp_path, cells, DesignConfig(), model=opened)
    bad, good = await comparison.run(silent, jobs=2)
    assert (bad.exit_code, good.exit_code) == (4, 0)
    assert "nobody" in bad.reason
    assert [cell.variant.model for cell in comparison.open_cells()] == ["nobody:x"]


async def test_two_processes_do_not_work_in_one_folder(tmp_path: Path) -> None:
    cells = plan([SENTENCE], ["scripted:good"], [])
    other = Comparison(tmp_path, cells, DesignConfig(), model=player)
    refused: list[str] = []

    async def second() -> None:
        try:
            await other.run(silent)
        except ConfigError as error:
            refused.append(str(error))

    waiting: list[asyncio.Task[None]] = []

    def begin(cell: Cell, event: PipelineEvent) -> None:
        if isinstance(event, RunStarted):
            waiting.append(asyncio.create_task(second()))

    await Comparison(tmp_path, cells, DesignConfig(), model=player).run(begin)
    async with asyncio.timeout(30):
        await asyncio.gather(*waiting)
    assert "another comparison is running" in refused[0]


def test_a_password_does_not_show_in_a_label() -> None:
    variant = Variant(model="m:a", prompts="redis://user:secret@127.0.0.1/0")
    assert variant.label == "m:a · redis://127.0.0.1/0"
