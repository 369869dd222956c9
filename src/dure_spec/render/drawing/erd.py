"""The ERD as SVG: tables with logical and physical names, keys and types; lines with crow's feet."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from dure_spec.artifacts.erd import Column, Erd, Table
from dure_spec.derive.er_edges import Edge, er_edges
from dure_spec.derive.keys import referencing
from dure_spec.render.anchors import table_anchor
from dure_spec.render.drawing.graph import Box, Link, Point
from dure_spec.render.drawing.layout import layout
from dure_spec.render.drawing.svg import fit, frame, link, path, rect, rounded, text, text_width

_ROW = 23.0
_HEAD = 46.0
_SIZE = 12.0
_MOST_ROWS = 16
_LONGEST = 190.0
_NARROWEST, _PADDING, _KEY = 200.0, 12.0, 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Card:
    table: Table
    rows: tuple[Column, ...]
    hidden: int
    box: Box
    name_width: float
    logical_width: float

    def port(self, columns: Sequence[str]) -> float:
        """The height of the first of the columns; the head where none is shown."""
        for index, column in enumerate(self.rows):
            if column.name in columns:
                return _HEAD + _ROW * (index + 0.5)
        return _HEAD / 2


def erd_svg(erd: Erd, *, title: str) -> Markup:
    """Draw all tables and the lines between them; empty where there is no table.

    Audit columns are left out: they are the same in every table and the dictionary lists them.
    """
    if not erd.tables:
        return Markup("")
    cards = {table.name: _card(table) for table in erd.tables}
    edges = er_edges(erd)
    links = [_link(edge, cards) for edge in edges]
    boxes = [card.box for card in cards.values()]
    area = sum((box.width + 90) * (box.height + 30) for box in boxes)
    highest = max(box.height for box in boxes) + 30
    drawing = layout(boxes, links, max_height=max(highest, (area / 0.95) ** 0.5), column_gap=78.0)
    parts: list[Markup] = []
    for edge, points in zip(edges, drawing.paths, strict=True):
        parts.append(_line(edge, points) if points else _own_line(edge, cards[edge.child], drawing.corners[edge.child]))
    parts += [_drawn(card, drawing.corners[name]) for name, card in cards.items()]
    return frame(parts, drawing.width + 20, drawing.height, title=title, cls="drawing erd")


def _card(table: Table) -> _Card:
    rows = table.columns
    if len(rows) > _MOST_ROWS:
        keys = {column.name for column in rows if column.pk} | referencing(table)
        room = max(0, _MOST_ROWS - len(keys))
        others = [column.name for column in rows if column.name not in keys][:room]
        rows = tuple(column for column in rows if column.name in keys or column.name in others)
    name = min(_LONGEST, max((text_width(column.name, _SIZE, mono=True) for column in rows), default=0))
    logical = min(130.0, max((text_width(column.logical, _SIZE) for column in rows), default=0))
    kind = max((text_width(_type(column), _SIZE - 1, mono=True) for column in rows), default=0)
    head = text_width(table.logical, 14) + text_width(table.name, _SIZE, mono=True) + 3 * _PADDING
    width = max(_NARROWEST, head, _KEY + name + logical + min(kind, 120.0) + 3 * _PADDING)
    hidden = len(table.columns) - len(rows)
    height = _HEAD + _ROW * (len(rows) + (1 if hidden else 0)) + 6
    return _Card(
        table=table,
        rows=rows,
        hidden=hidden,
        box=Box(id=table.name, width=width, height=height),
        name_width=name,
        logical_width=logical,
    )


def _link(edge: Edge, cards: dict[str, _Card]) -> Link:
    return Link(
        start=edge.parent,
        end=edge.child,
        start_port=cards[edge.parent].port(edge.targets),
        end_port=cards[edge.child].port(edge.columns),
    )


def _type(column: Column) -> str:
    return column.type + ("?" if column.null else "")


def _drawn(card: _Card, corner: Point) -> Markup:
    x, y = corner
    width, table = card.box.width, card.table
    head_path = f"M{x:.1f} {y + _HEAD:.1f}v{-(_HEAD - 9):.1f}q0 -9 9 -9h{width - 18:.1f}q9 0 9 9v{_HEAD - 9:.1f}z"
    room = width - 2 * _PADDING
    logical = fit(table.logical, 14, room * 0.6)
    physical = fit(table.name, _SIZE, room - text_width(logical, 14) - 8, mono=True)
    parts = [
        rect(x, y, width, card.box.height, cls="card", radius=9),
        path(head_path, cls=f"head {table.kind}"),
        text(x + _PADDING, y + 28, logical, cls="title"),
        text(x + width - _PADDING, y + 28, physical, cls="physical", anchor="end"),
    ]
    for index, column in enumerate(card.rows):
        parts += _row(card, column, x, y + _HEAD + _ROW * index)
    if card.hidden:
        parts.append(text(x + _KEY, y + card.box.height - 12, f"… +{card.hidden}", cls="muted"))
    return link(table_anchor(table.name), parts, cls="table")


def _row(card: _Card, column: Column, x: float, y: float) -> list[Markup]:
    base, right = y + 16.5, x + card.box.width - _PADDING
    parts = [path(f"M{x + 1:.1f} {y:.1f}h{card.box.width - 2:.1f}", cls="rule")] if y else []
    foreign = column.name in referencing(card.table)
    mark = "PK" if column.pk else "FK" if foreign else "UQ" if column.uq else ""
    if mark:
        parts.append(rect(x + 7, y + 4.5, 20, 14, cls=f"key {mark.lower()}", radius=3))
        parts.append(text(x + 17, y + 15, mark, cls=f"keytext {mark.lower()}", anchor="middle"))
    name_x = x + _KEY + 4
    kind = fit(_type(column), _SIZE - 1, 120.0, mono=True)
    logical_room = right - text_width(kind, _SIZE - 1, mono=True) - 8 - (name_x + card.name_width + 10)
    parts += [
        text(name_x, base, fit(column.name, _SIZE, _LONGEST, mono=True), cls="name"),
        text(name_x + card.name_width + 10, base, fit(column.logical, _SIZE, logical_room), cls="logical"),
        text(right, base, kind, cls="type", anchor="end"),
    ]
    return parts


def _line(edge: Edge, points: Sequence[Point]) -> Markup:
    parts = [path(rounded(points), cls="edge optional" if edge.optional else "edge")]
    parts.append(_end(points[0], points[1], many=edge.card == "N:M", optional=edge.optional))
    parts.append(_end(points[-1], points[-2], many=edge.card != "1:1", optional=True))
    return Markup('<g class="relation">') + Markup("").join(parts) + Markup("</g>")


def _own_line(edge: Edge, card: _Card, corner: Point) -> Markup:
    x, low = corner[0] + card.box.width, corner[1] + card.port(edge.columns)
    high = corner[1] + card.port(edge.targets)
    points = ((x, high), (x + 24, high), (x + 24, low), (x, low))
    return _line(edge, points)


def _end(tip: Point, before: Point, *, many: bool, optional: bool) -> Markup:
    """The mark where a line meets a table: a crow's foot or a bar, and a ring where nothing may stand there."""
    out = 1.0 if before[0] > tip[0] else -1.0
    x, y = tip
    if many:
        foot = f"M{x + 11 * out:.1f} {y:.1f}L{x:.1f} {y - 6:.1f}M{x + 11 * out:.1f} {y:.1f}L{x:.1f} {y + 6:.1f}"
        parts = [path(foot, cls="mark")]
    else:
        parts = [path(f"M{x + 6 * out:.1f} {y - 6:.1f}v12", cls="mark")]
    ring = x + (15 if many else 11) * out
    if optional:
        parts.append(Markup(f'<circle class="ring" cx="{ring:.1f}" cy="{y:.1f}" r="3.6"/>'))
    else:
        parts.append(path(f"M{ring - out:.1f} {y - 6:.1f}v12", cls="mark"))
    return Markup("").join(parts)
