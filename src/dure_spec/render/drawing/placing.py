"""Heights inside the columns: each box as near as possible to where its lines would be straight."""

from collections.abc import Sequence
from statistics import median

from dure_spec.render.drawing.graph import Columns, Spot

_SWEEPS = 10


def place_spots(layout: Columns, *, gap: float) -> None:
    """Set `y` of every spot; the topmost is at 0."""
    for column in layout.columns:
        _stack(column, [0.0] * len(column), gap)
    last = len(layout.columns) - 1
    for sweep in range(_SWEEPS):
        order = range(last + 1) if sweep % 2 == 0 else range(last, -1, -1)
        for index in order:
            _settle(layout, index, gap)
    top = min((spot.y for column in layout.columns for spot in column), default=0.0)
    for column in layout.columns:
        for spot in column:
            spot.y -= top


def _settle(layout: Columns, index: int, gap: float) -> None:
    spots = {spot.key: spot for column in layout.columns for spot in column}
    wishes: dict[str, list[float]] = {}
    for each in layout.segments:
        if each.column == index:
            wish = spots[each.right].y + each.right_port - each.left_port
            wishes.setdefault(each.left, []).append(wish)
        elif each.column == index - 1:
            wish = spots[each.left].y + each.left_port - each.right_port
            wishes.setdefault(each.right, []).append(wish)
    column = layout.columns[index]
    _stack(column, [median(wishes.get(spot.key, [spot.y])) for spot in column], gap)


def _stack(column: Sequence[Spot], wishes: Sequence[float], gap: float) -> None:
    """The heights nearest to the wishes (least squares) that keep order and distance."""
    offsets: list[float] = []
    offset = 0.0
    for place, spot in enumerate(column):
        offsets.append(offset)
        following = column[place + 1] if place + 1 < len(column) else None
        between = gap if following and not (spot.passing or following.passing) else gap * 0.6
        offset += spot.height + between
    pools: list[tuple[float, int]] = []
    for wish, begin in zip(wishes, offsets, strict=True):
        mean, size = wish - begin, 1
        while pools and pools[-1][0] > mean:
            above, count = pools.pop()
            mean, size = (above * count + mean * size) / (count + size), count + size
        pools.append((mean, size))
    levels = [mean for mean, size in pools for _ in range(size)]
    for spot, level, begin in zip(column, levels, offsets, strict=True):
        spot.y = level + begin
