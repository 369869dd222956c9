"""The screens and the links between them as SVG."""

from collections.abc import Mapping

from markupsafe import Markup

from dure_spec.artifacts.ia import Ia, Screen
from dure_spec.render.drawing.graph import Box, Link, Point
from dure_spec.render.drawing.layout import layout
from dure_spec.render.drawing.svg import arrow, fit, frame, link, path, rect, rounded, text, text_width

_HEIGHT = 62.0
_WIDEST, _NARROWEST = 230.0, 150.0


def navigation_svg(ia: Ia, *, title: str, types: Mapping[str, str]) -> Markup:
    """Draw the screens; two links between the same screens are one line with two heads."""
    if not ia.screens:
        return Markup("")
    screens = {screen.id: screen for screen in ia.screens}
    boxes = [Box(id=name, width=_width(screen), height=_HEIGHT) for name, screen in screens.items()]
    ways = _ways(screens)
    links = _links(ways)
    tallest = max(4, round(len(boxes) ** 0.5 * 1.3))
    drawing = layout(boxes, links, max_height=(_HEIGHT + 26) * tallest, row_gap=26.0, column_gap=64.0)
    parts: list[Markup] = []
    for both, points in zip(ways.values(), drawing.paths, strict=True):
        parts.append(_arrow_line(points, both=both))
    for box in boxes:
        parts.append(_drawn(screens[box.id], box, drawing.corners[box.id], types))
    return frame(parts, drawing.width, drawing.height, title=title, cls="drawing navigation")


def _width(screen: Screen) -> float:
    wide = max(text_width(screen.name, 13.5), text_width(screen.route, 11, mono=True)) + 40
    return min(_WIDEST, max(_NARROWEST, wide))


def _ways(screens: Mapping[str, Screen]) -> dict[tuple[str, str], bool]:
    """Pairs that are joined, and whether one can go both ways."""
    ways: dict[tuple[str, str], bool] = {}
    for name, screen in screens.items():
        for target in screen.links:
            if target not in screens or target == name:
                continue
            if (target, name) in ways:
                ways[target, name] = True
            else:
                ways.setdefault((name, target), False)
    return ways


def _links(ways: Mapping[tuple[str, str], bool]) -> list[Link]:
    """Arrivals spread over the left edge, and two-way lines begin above the others: no two lines become one."""
    arriving: dict[str, int] = {}
    for _, end in ways:
        arriving[end] = arriving.get(end, 0) + 1
    seen: dict[str, int] = {}
    links: list[Link] = []
    for (start, end), both in ways.items():
        seen[end] = seen.get(end, 0) + 1
        step = min(12.0, (_HEIGHT - 20) / max(1, arriving[end]))
        offset = (seen[end] - (arriving[end] + 1) / 2) * step
        begin = _HEIGHT / 2 - (12 if both else 0)
        links.append(Link(start=start, end=end, start_port=begin, end_port=_HEIGHT / 2 + offset))
    return links


def _arrow_line(points: tuple[Point, ...], *, both: bool) -> Markup:
    parts = [path(rounded(points), cls="edge"), arrow(points[-1], points[-2], cls="arrow")]
    if both:
        parts.append(arrow(points[0], points[1], cls="arrow"))
    return Markup("").join(parts)


def _drawn(screen: Screen, box: Box, corner: Point, types: Mapping[str, str]) -> Markup:
    x, y = corner
    room = box.width - 28
    kind = types.get(screen.type, screen.type)
    parts = [
        rect(x, y, box.width, box.height, cls="card", radius=9),
        path(f"M{x + 3:.1f} {y + 10:.1f}v{box.height - 20:.1f}", cls=f"stripe {screen.type}"),
        text(x + 14, y + 18, screen.id, cls="id"),
        text(x + box.width - 12, y + 18, kind, cls="muted", anchor="end"),
        text(x + 14, y + 36, fit(screen.name, 13.5, room), cls="title"),
        text(x + 14, y + 52, fit(screen.route, 11, room, mono=True), cls="physical"),
    ]
    return link(screen.id, parts, cls="screen")
