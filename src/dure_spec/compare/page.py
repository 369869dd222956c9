"""The comparison as one HTML page that opens offline and can load nothing."""

from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from dure_spec.artifacts.shared import STAGES
from dure_spec.compare.cells import Variant
from dure_spec.compare.figures import Figures, figures_of
from dure_spec.compare.results import CellResult
from dure_spec.compare.table import HEADS, row, stage_row

_STYLE = """
:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:76rem;padding:0 1rem}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2.2rem}.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%}th,td{padding:.4rem .7rem;border-bottom:1px solid #8884;text-align:right;
vertical-align:top}th:first-child,td:first-child{text-align:left}th{font-weight:600;white-space:nowrap}
.bar{height:.7rem;width:9rem}.first{fill:#2e7d4f}.retried{fill:#8bc34a}.forced{fill:#f0a830}.stopped{fill:#c62828}
.runs th,.runs td{text-align:left}.runs th:first-child{min-width:11rem}.key span{white-space:nowrap;margin-right:1rem}
.key svg{height:.8rem;width:.8rem;margin:0 .3rem 0 0;vertical-align:-1px}
small,.note{color:#777}.low{color:#c62828}
"""


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("dure_spec.compare", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def page(results: Sequence[CellResult]) -> str:
    """The page; links lead to the designs beside it."""
    figures = figures_of(results)
    style = _STYLE.strip()
    digest = b64encode(sha256(style.encode()).digest()).decode()
    return (
        _environment()
        .get_template("comparison.html.j2")
        .render(
            style=Markup(style),
            policy=f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'",
            heads=HEADS,
            figures=figures,
            rows=[row(each) for each in figures],
            stages=STAGES,
            stage_rows=[stage_row(each) for each in figures],
            sentences=tuple(dict.fromkeys(result.sentence for result in results)),
            cells=_cells(results, figures),
        )
    )


def _cells(results: Sequence[CellResult], figures: Sequence[Figures]) -> dict[tuple[str, Variant], list[CellResult]]:
    """Every run by its sentence and its variant."""
    found: dict[tuple[str, Variant], list[CellResult]] = {}
    for result in results:
        for each in figures:
            if (each.variant.model, each.variant.prompts) == (result.model, result.prompts):
                found.setdefault((result.sentence, each.variant), []).append(result)
    return found
