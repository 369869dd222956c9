"""The comparison as a table for a terminal, and as rows for anything else."""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from dure.console.render import fit, one_line
from dure_spec.artifacts.shared import STAGES
from dure_spec.compare.figures import WAYS, Figures, figures_of
from dure_spec.compare.results import CellResult

_SENTENCE = 60
"""Columns that a sentence may take."""
HEADS = (
    "variant",
    "runs",
    "finished",
    "unaided",
    "first try",
    "retried",
    "forced",
    "stopped",
    "fixes",
    "score",
    "retries",
    "tokens/retry",
    "tokens in",
    "tokens out",
    "cost USD",
    "seconds",
)


def row(figures: Figures) -> tuple[str, ...]:
    """One line of the table; tokens, cost and seconds are means of a run."""
    return (
        figures.variant.label,
        str(figures.runs),
        f"{figures.finished}/{figures.runs}",
        f"{figures.unaided / figures.stages:.0%}" if figures.stages else "–",
        *(f"{figures.share(way):.0%}" if figures.stages else "–" for way in WAYS),
        str(figures.fixes),
        f"{figures.score:.2f}" if figures.stages else "–",
        str(figures.retries),
        f"{figures.retry_tokens:,.0f}" if figures.retries else "–",
        f"{figures.tokens_in:,.0f}",
        f"{figures.tokens_out:,.0f}",
        "?" if figures.cost_usd is None else f"{figures.cost_usd:.4f}",
        f"{figures.seconds:,.1f}",
    )


def summary_table(all_figures: Sequence[Figures]) -> Table:
    """Every variant in a line."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for number, head in enumerate(HEADS):
        table.add_column(head, justify="left" if number == 0 else "right", overflow="fold", no_wrap=number != 0)
    for figures in all_figures:
        table.add_row(*row(figures))
    return table


def stage_row(figures: Figures) -> tuple[str, ...]:
    """Mean seconds of each stage, in the order of the pipeline."""
    ran = figures.stage_seconds
    return tuple(f"{ran[stage]:,.1f}" if stage in ran else "–" for stage in STAGES)


def stage_table(all_figures: Sequence[Figures]) -> Table:
    """Mean seconds of each stage."""
    table = Table(box=None, pad_edge=False, header_style="bold", title="seconds a stage", title_justify="left")
    table.add_column("variant", overflow="fold")
    for stage in STAGES:
        table.add_column(stage, justify="right", no_wrap=True)
    for figures in all_figures:
        table.add_row(figures.variant.label, *stage_row(figures))
    return table


def show(console: Console, results: Sequence[CellResult], written: Path) -> None:
    """Both tables, what did not come to its report, and where the page is."""
    figures = figures_of(results)
    console.print(summary_table(figures))
    console.print()
    console.print(stage_table(figures))
    for result in results:
        if not result.finished:
            where = result.folder or result.model or "as configured"
            line = f"stopped: {fit(result.sentence, _SENTENCE)} ({where}): {one_line(result.reason)}"
            console.print(line, markup=False, highlight=False, soft_wrap=True)
    console.print(f"\n{written}", markup=False, highlight=False, soft_wrap=True)


def plain(figures: Figures) -> dict[str, object]:
    """For JSON; costs as text, so that no cent is lost."""
    return {
        "model": figures.variant.model,
        "prompts": figures.variant.prompts,
        "runs": figures.runs,
        "finished": figures.finished,
        "stages": figures.stages,
        **figures.ways,
        "unaided": figures.unaided,
        "fixes": figures.fixes,
        "gate_rate": round(figures.gate_rate, 4),
        "score": round(figures.score, 3),
        "retries": figures.retries,
        "tokens_per_retry": round(figures.retry_tokens, 1),
        "tokens_in": round(figures.tokens_in, 1),
        "tokens_out": round(figures.tokens_out, 1),
        "cost_usd": None if figures.cost_usd is None else str(figures.cost_usd),
        "seconds": round(figures.seconds, 3),
        "stage_seconds": {stage: round(seconds, 3) for stage, seconds in figures.stage_seconds.items()},
    }
