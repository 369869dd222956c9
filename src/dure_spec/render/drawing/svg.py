"""Pieces of SVG: escaped text of estimated width, lines with rounded corners, and the frame around a drawing."""

import unicodedata
from collections.abc import Iterable, Sequence

from markupsafe import Markup, escape

from dure_spec.render.drawing.graph import Point

_NARROW = set("iljtfrI.,:;'|!()[]{} -")
_WIDE = set("mwMW@%")


def text_width(text: str, size: float, *, mono: bool = False) -> float:
    """About how wide a text is; a little generous, so that it fits in any of the fonts."""
    return sum(_em(char, mono=mono) for char in text) * size


def fit(text: str, size: float, width: float, *, mono: bool = False) -> str:
    """The text, cut with an ellipsis where it would be wider than allowed."""
    if text_width(text, size, mono=mono) <= width:
        return text
    kept, room = "", width - size * 0.8
    for char in text:
        room -= _em(char, mono=mono) * size
        if room < 0:
            break
        kept += char
    return kept.rstrip() + "…"


def text(x: float, y: float, content: str, *, cls: str = "", anchor: str = "") -> Markup:
    """One line of text, escaped."""
    attributes = f' class="{cls}"' if cls else ""
    attributes += f' text-anchor="{anchor}"' if anchor else ""
    return Markup(f'<text x="{x:.1f}" y="{y:.1f}"{attributes}>') + escape(content) + Markup("</text>")


def rect(x: float, y: float, width: float, height: float, *, cls: str, radius: float = 0.0) -> Markup:
    """A rectangle."""
    return Markup(
        f'<rect class="{cls}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="{radius:g}"/>'
    )


def path(data: str, *, cls: str) -> Markup:
    """A path that code wrote."""
    return Markup(f'<path class="{cls}" d="{data}"/>')


def rounded(points: Sequence[Point], radius: float = 7.0) -> str:
    """Path data through the points, with rounded corners."""
    if not points:
        return ""
    parts = [f"M{points[0][0]:.1f} {points[0][1]:.1f}"]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        reach = min(radius, _distance(before, corner) / 2, _distance(corner, after) / 2)
        start, end = _towards(corner, before, reach), _towards(corner, after, reach)
        parts.append(f"L{start[0]:.1f} {start[1]:.1f}Q{corner[0]:.1f} {corner[1]:.1f} {end[0]:.1f} {end[1]:.1f}")
    parts.append(f"L{points[-1][0]:.1f} {points[-1][1]:.1f}")
    return "".join(parts)


def arrow(tip: Point, before: Point, *, cls: str) -> Markup:
    """An arrow head at the end of a line that comes horizontally."""
    back = -8.0 if tip[0] > before[0] else 8.0
    x, y = tip
    return path(f"M{x:.1f} {y:.1f}l{back:g} -4.5v9z", cls=cls)


def frame(parts: Iterable[Markup], width: float, height: float, *, title: str, cls: str) -> Markup:
    """The whole drawing with a margin; it scales with the width it is given."""
    margin = 14.0
    full_width, full_height = width + 2 * margin, height + 2 * margin
    head = Markup(
        f'<svg class="{cls}" role="img" viewBox="{-margin:g} {-margin:g} {full_width:.0f} {full_height:.0f}" '
        f'width="{full_width:.0f}" height="{full_height:.0f}"><title>'
    )
    return head + escape(title) + Markup("</title>") + Markup("").join(parts) + Markup("</svg>")


def link(target: str, parts: Iterable[Markup], *, cls: str) -> Markup:
    """A part of a drawing that leads to another place of the page."""
    return Markup('<a class="{}" href="#{}">').format(cls, target) + Markup("").join(parts) + Markup("</a>")


def _em(char: str, *, mono: bool) -> float:
    if unicodedata.east_asian_width(char) in "WF":
        return 1.0
    if mono:
        return 0.62
    if char in _NARROW:
        return 0.36
    return 0.92 if char in _WIDE else 0.68 if char.isupper() else 0.58


def _distance(a: Point, b: Point) -> float:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def _towards(start: Point, end: Point, reach: float) -> Point:
    whole = _distance(start, end) or 1.0
    return (start[0] + (end[0] - start[0]) * reach / whole, start[1] + (end[1] - start[1]) * reach / whole)
