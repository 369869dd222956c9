"""The order inside each column, by the usual averages of neighbours, keeping the order with the fewest crossings."""

from collections.abc import Callable, Sequence

from dure_spec.render.drawing.graph import Columns, Segment, Spot

_SWEEPS = 12


def order_columns(layout: Columns) -> None:
    """Reorder `layout.columns` in place."""
    best, fewest = [list(column) for column in layout.columns], crossings(layout)
    for sweep in range(_SWEEPS):
        if fewest == 0:
            break
        rightwards = sweep % 2 == 0
        indexes = range(1, len(layout.columns)) if rightwards else range(len(layout.columns) - 2, -1, -1)
        for index in indexes:
            _sort_column(layout, index, rightwards=rightwards)
        found = crossings(layout)
        if found < fewest:
            best, fewest = [list(column) for column in layout.columns], found
    layout.columns[:] = best


def crossings(layout: Columns) -> int:
    """How many pairs of segments must cross."""
    rank = _ranks(layout.columns)
    total = 0
    for index in range(len(layout.columns) - 1):
        ends = [
            (rank[each.left] + each.left_port / 1e6, rank[each.right] + each.right_port / 1e6)
            for each in layout.segments
            if each.column == index
        ]
        total += sum((a[0] - b[0]) * (a[1] - b[1]) < 0 for place, a in enumerate(ends) for b in ends[place + 1 :])
    return total


def _sort_column(layout: Columns, index: int, *, rightwards: bool) -> None:
    rank = _ranks(layout.columns)
    near: dict[str, list[float]] = {}
    for each in layout.segments:
        if rightwards and each.column == index - 1:
            near.setdefault(each.right, []).append(rank[each.left] + each.left_port / 1e4)
        elif not rightwards and each.column == index:
            near.setdefault(each.left, []).append(rank[each.right] + each.right_port / 1e4)
    column = layout.columns[index]
    column.sort(key=_average(near, rank))


def _average(near: dict[str, list[float]], rank: dict[str, int]) -> Callable[[Spot], float]:
    def key(spot: Spot) -> float:
        values = near.get(spot.key)
        return sum(values) / len(values) if values else rank[spot.key]

    return key


def _ranks(columns: Sequence[Sequence[Spot]]) -> dict[str, int]:
    return {spot.key: place for column in columns for place, spot in enumerate(column)}


def segments_between(segments: Sequence[Segment], column: int) -> list[Segment]:
    """The segments that leave a column to the right."""
    return [segment for segment in segments if segment.column == column]
