"""Lays out boxes and lines from left to right: columns, order, heights, tracks."""

from collections.abc import Sequence

from dure_spec.render.drawing.graph import Box, Columns, Drawing, Link, Point, Segment, Spot
from dure_spec.render.drawing.layering import assign_columns, backward_links
from dure_spec.render.drawing.ordering import order_columns, segments_between
from dure_spec.render.drawing.placing import place_spots
from dure_spec.render.drawing.routing import bundles, gap_width, track_positions

_NEARLY = 7.0
"""Lines that are less than this from straight are drawn straight: a box's edge has that much room."""


def layout(
    boxes: Sequence[Box],
    links: Sequence[Link],
    *,
    max_height: float,
    row_gap: float = 28.0,
    column_gap: float = 64.0,
) -> Drawing:
    """Place everything; a line from a box to itself gets an empty path, its caller draws it.

    Raises:
        KeyError: A link names a box that does not exist.
    """
    real = [index for index, link in enumerate(links) if link.start != link.end]
    backward = {real[index] for index in backward_links(boxes, [links[index] for index in real])}
    forward = {index: links[index].reversed() if index in backward else links[index] for index in real}
    pairs = [(link.start, link.end) for link in forward.values()]
    column = assign_columns(boxes, pairs, max_height=max_height, gap=row_gap)
    columns = _columns(boxes, list(forward.values()), column)
    order_columns(columns)
    place_spots(columns, gap=row_gap)
    drawn = _Drawn(boxes, columns, list(forward.values()), column_gap)
    paths: list[tuple[Point, ...]] = [()] * len(links)
    for index, path in zip(forward, drawn.paths(), strict=True):
        paths[index] = tuple(reversed(path)) if index in backward else path
    return Drawing(corners=drawn.corners, paths=tuple(paths), width=drawn.width, height=drawn.height)


def _columns(boxes: Sequence[Box], links: Sequence[Link], column: dict[str, int]) -> Columns:
    """Columns with the boxes, and a passing spot wherever a line goes through one."""
    count = max(column.values(), default=-1) + 1
    layout = Columns(columns=[[] for _ in range(count)])
    for box in boxes:
        layout.columns[column[box.id]].append(Spot(key=box.id, height=box.height))
    made: dict[tuple[str, float, int], str] = {}
    for link in links:
        route: list[Segment] = []
        left, port = link.start, link.start_port
        for place in range(column[link.start], column[link.end]):
            last = place + 1 == column[link.end]
            right = link.end if last else _passing(layout, made, link, place + 1)
            segment = Segment(
                column=place, left=left, left_port=port, right=right, right_port=link.end_port if last else 0.0
            )
            route.append(segment)
            if segment not in layout.segments:
                layout.segments.append(segment)
            left, port = right, 0.0
        layout.routes.append(route)
    return layout


def _passing(layout: Columns, made: dict[tuple[str, float, int], str], link: Link, column: int) -> str:
    key = (link.start, link.start_port, column)
    if key not in made:
        made[key] = f"\0{len(made)}"
        layout.columns[column].append(Spot(key=made[key], height=0.0, passing=True))
    return made[key]


class _Drawn:
    """Turns columns into coordinates."""

    def __init__(self, boxes: Sequence[Box], columns: Columns, links: Sequence[Link], least_gap: float) -> None:
        self._widths = {box.id: box.width for box in boxes}
        self._columns = columns
        self._tops = {spot.key: spot.y for column in columns.columns for spot in column}
        self._lefts: list[float] = []
        self._rights: list[float] = []
        self._tracks: list[dict[tuple[str, float], float]] = []
        x = 0.0
        for index, column in enumerate(columns.columns):
            self._lefts.append(x)
            x += max((self._widths.get(spot.key, 0.0) for spot in column), default=0.0)
            self._rights.append(x)
            order = bundles(segments_between(columns.segments, index), self._tops)
            label = max(
                (link.label_width for link, route in zip(links, columns.routes, strict=True) if _ends(route, index)),
                default=0.0,
            )
            self._tracks.append(track_positions(order, x))
            x += gap_width(len(order), least=least_gap, label=label)
        self.width = self._rights[-1] if self._rights else 0.0
        self.height = max(
            (spot.y + spot.height for column in columns.columns for spot in column),
            default=0.0,
        )
        self.corners: dict[str, Point] = {
            spot.key: (self._x_of(spot, index), spot.y)
            for index, column in enumerate(columns.columns)
            for spot in column
            if not spot.passing
        }

    def _x_of(self, spot: Spot, index: int) -> float:
        """Boxes stand in the middle of their column."""
        spare = self._rights[index] - self._lefts[index] - self._widths[spot.key]
        return self._lefts[index] + spare / 2

    def paths(self) -> list[tuple[Point, ...]]:
        """For each link the corners of its line."""
        return [self._path(route) for route in self._columns.routes]

    def _path(self, route: Sequence[Segment]) -> tuple[Point, ...]:
        points: list[Point] = []
        for each in route:
            y1, y2 = self._tops[each.left] + each.left_port, self._tops[each.right] + each.right_port
            if not points:
                points.append((self.corners[each.left][0] + self._widths[each.left], y1))
            track = self._tracks[each.column].get((each.left, each.left_port))
            arrived = each.right in self.corners
            if track is not None and abs(y2 - y1) >= (_NEARLY if arrived else 1.0):
                points += [(track, y1), (track, y2)]
            elif arrived:
                y2 = y1
            if arrived:
                points.append((self.corners[each.right][0], y2))
        return tuple(points)


def _ends(route: Sequence[Segment], column: int) -> bool:
    return bool(route) and route[-1].column == column
