"""The same sentences over models and prompt versions, side by side."""

from dure_spec.compare.cells import Cell, Variant, plan, sentences_in
from dure_spec.compare.figures import Figures, figures_of
from dure_spec.compare.page import page
from dure_spec.compare.results import CellResult, StageResult
from dure_spec.compare.running import PAGE, Comparison
from dure_spec.compare.settings import settled

__all__ = [
    "PAGE",
    "Cell",
    "CellResult",
    "Comparison",
    "Figures",
    "StageResult",
    "Variant",
    "figures_of",
    "page",
    "plan",
    "sentences_in",
    "settled",
]
