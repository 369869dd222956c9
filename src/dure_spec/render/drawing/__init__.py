"""Drawings by code: layout of boxes and lines, and the SVG of tables, screens and states."""

from dure_spec.render.drawing.erd import erd_svg
from dure_spec.render.drawing.navigation import navigation_svg
from dure_spec.render.drawing.states import states_svg

__all__ = ["erd_svg", "navigation_svg", "states_svg"]
