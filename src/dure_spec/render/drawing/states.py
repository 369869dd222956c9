"""A state machine as SVG: states as pills, transitions with the requirement that they serve."""

from collections.abc import Mapping

from markupsafe import Markup

from dure_spec.artifacts.prd import StateMachine
from dure_spec.render.drawing.graph import Box, Drawing, Link, Point
from dure_spec.render.drawing.layout import layout
from dure_spec.render.drawing.svg import arrow, fit, frame, link, path, rect, rounded, text, text_width

_HEIGHT, _STEP, _START = 40.0, 26.0, "\0start"
_LABEL = 190.0


def states_svg(machine: StateMachine, *, title: str, requirements: Mapping[str, str]) -> Markup:
    """Draw one machine; states that only a transition names are drawn too."""
    moves = _moves(machine)
    names = dict.fromkeys((*machine.values, *(state for move in moves for state in move[:2])))
    if not names:
        return Markup("")
    first = next(iter(names))
    links = _links(moves, first, requirements)
    boxes = [Box(id=_START, width=16, height=16)]
    boxes += [Box(id=name, width=_width(name), height=_box_height(name, links)) for name in names]
    drawing = layout(boxes, links, max_height=420.0, row_gap=30.0, column_gap=54.0)
    parts: list[Markup] = []
    final = {name for name in names if moves and all(move[0] != name for move in moves)}
    parts += [_pill(box, drawing, first=box.id == first, final=box.id in final) for box in boxes[1:]]
    x, y = drawing.corners[_START]
    parts.append(Markup(f'<circle class="start" cx="{x + 8:.1f}" cy="{y + 8:.1f}" r="7"/>'))
    parts.append(_move_line(drawing.paths[0]))
    for move, points in zip(moves, drawing.paths[1:], strict=True):
        label = _label(move[2], requirements)
        parts.append(
            _labelled(points, _first(move[2], requirements), label)
            if points
            else _own_line(move, drawing, boxes, label)
        )
    return frame(parts, drawing.width + 30, drawing.height + 12, title=title, cls="drawing states")


def _moves(machine: StateMachine) -> list[tuple[str, str, str]]:
    """Transitions as triples; several between the same states are one with all their requirements."""
    found: dict[tuple[str, str], list[str]] = {}
    for move in machine.transitions:
        if len(move) >= 2:
            found.setdefault((move[0], move[1]), []).extend(move[2:3])
    return [(start, end, ", ".join(dict.fromkeys(reasons))) for (start, end), reasons in found.items()]


def _label(reason: str, requirements: Mapping[str, str]) -> str:
    return fit(f"{reason} {requirements.get(reason, '')}".strip(), 11.5, _LABEL)


def _first(reason: str, requirements: Mapping[str, str]) -> str:
    """The first requirement that exists; a label without one leads nowhere."""
    return next((each for each in reason.split(", ") if each in requirements), "")


def _links(moves: list[tuple[str, str, str]], first: str, requirements: Mapping[str, str]) -> list[Link]:
    leaving: dict[str, int] = {}
    arriving: dict[str, int] = {first: 1}
    links = [Link(start=_START, end=first, start_port=8.0, end_port=_HEIGHT / 2)]
    for start, end, reason in moves:
        links.append(
            Link(
                start=start,
                end=end,
                start_port=_HEIGHT / 2 + _STEP * leaving.get(start, 0),
                end_port=_HEIGHT / 2 + _STEP * arriving.get(end, 0),
                label_width=text_width(_label(reason, requirements), 11.5) + 18,
            )
        )
        leaving[start] = leaving.get(start, 0) + 1
        arriving[end] = arriving.get(end, 0) + 1
    return links


def _box_height(name: str, links: list[Link]) -> float:
    ports = [each.start_port for each in links if each.start == name]
    ports += [each.end_port for each in links if each.end == name]
    return max(ports, default=_HEIGHT / 2) + _HEIGHT / 2


def _width(name: str) -> float:
    return min(220.0, max(96.0, text_width(name, 13) + 36))


def _pill(box: Box, drawing: Drawing, *, first: bool, final: bool) -> Markup:
    x, y = drawing.corners[box.id]
    cls = "pill first" if first else "pill final" if final else "pill"
    parts = [rect(x, y, box.width, box.height, cls=cls, radius=14)]
    if final:
        parts.append(rect(x + 3.5, y + 3.5, box.width - 7, box.height - 7, cls="inner", radius=11))
    label = fit(box.id, 13, box.width - 20)
    parts.append(text(x + box.width / 2, y + box.height / 2 + 4.5, label, cls="title", anchor="middle"))
    return Markup("").join(parts)


def _move_line(points: tuple[Point, ...]) -> Markup:
    return path(rounded(points), cls="edge") + arrow(points[-1], points[-2], cls="arrow")


def _labelled(points: tuple[Point, ...], reason: str, label: str) -> Markup:
    """The label stands on the piece nearest to the right end, which no other line shares."""
    right, left = (points[-1], points[-2]) if points[-1][0] > points[0][0] else (points[0], points[1])
    middle = ((left[0] + right[0]) / 2, right[1] - 6)
    caption = text(middle[0], middle[1], label, cls="label", anchor="middle")
    return _move_line(points) + (link(reason, [caption], cls="reason") if reason else caption)


def _own_line(move: tuple[str, str, str], drawing: Drawing, boxes: list[Box], label: str) -> Markup:
    box = next(each for each in boxes if each.id == move[0])
    x, y = drawing.corners[box.id]
    right = x + box.width
    points = ((right, y + 12), (right + 22, y + 12), (right + 22, y + box.height - 12), (right, y + box.height - 12))
    caption = text(x + box.width / 2, y + box.height + 14, label, cls="label", anchor="middle")
    return _move_line(points) + caption
