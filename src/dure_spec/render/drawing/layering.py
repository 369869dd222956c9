"""Which column each box stands in: after everything that points at it, and no column higher than allowed."""

from collections.abc import Mapping, Sequence

from dure_spec.render.drawing.graph import Box, Link

Pair = tuple[str, str]


def backward_links(boxes: Sequence[Box], links: Sequence[Link]) -> frozenset[int]:
    """Indexes of the links that close a circle; without them the rest runs one way."""
    leaving: dict[str, list[tuple[int, str]]] = {box.id: [] for box in boxes}
    for index, link in enumerate(links):
        leaving[link.start].append((index, link.end))
    state: dict[str, int] = {}
    backward: set[int] = set()
    for box in boxes:
        if box.id in state:
            continue
        state[box.id] = 1
        stack = [(box.id, iter(leaving[box.id]))]
        while stack:
            name, rest = stack[-1]
            step = next(rest, None)
            if step is None:
                state[name] = 2
                stack.pop()
            elif state.get(step[1]) == 1:
                backward.add(step[0])
            elif step[1] not in state:
                state[step[1]] = 1
                stack.append((step[1], iter(leaving[step[1]])))
    return frozenset(backward)


def assign_columns(boxes: Sequence[Box], pairs: Sequence[Pair], *, max_height: float, gap: float) -> dict[str, int]:
    """The column of each box; `pairs` hold no circle."""
    heights = {box.id: box.height + gap for box in boxes}
    before: dict[str, list[str]] = {box.id: [] for box in boxes}
    after: dict[str, list[str]] = {box.id: [] for box in boxes}
    for start, end in pairs:
        before[end].append(start)
        after[start].append(end)
    column: dict[str, int] = {}
    used: dict[int, float] = {}
    joined = [name for name in _in_order(before, after) if before[name] or after[name]]
    for name in joined:
        place = max((column[each] + 1 for each in before[name]), default=0)
        while used.get(place, 0.0) and used[place] + heights[name] > max_height:
            place += 1
        column[name] = place
        used[place] = used.get(place, 0.0) + heights[name]
    _pull_right(joined, before, after, column, used, heights, max_height)
    for box in boxes:
        if box.id not in column:
            _place_alone(box.id, column, used, heights[box.id], max_height)
    return column


def _in_order(before: Mapping[str, list[str]], after: Mapping[str, list[str]]) -> list[str]:
    waiting = {name: len(names) for name, names in before.items()}
    ready = [name for name, count in waiting.items() if count == 0]
    for name in ready:
        for each in after[name]:
            waiting[each] -= 1
            if waiting[each] == 0:
                ready.append(each)
    return ready


def _pull_right(
    joined: Sequence[str],
    before: Mapping[str, list[str]],
    after: Mapping[str, list[str]],
    column: dict[str, int],
    used: dict[int, float],
    heights: Mapping[str, float],
    max_height: float,
) -> None:
    """Boxes that nothing points at stand just before what they point at: shorter lines."""
    for name in reversed(joined):
        if before[name] or not after[name]:
            continue
        place = min(column[each] for each in after[name]) - 1
        if place > column[name] and used.get(place, 0.0) + heights[name] <= max_height:
            used[column[name]] -= heights[name]
            used[place] = used.get(place, 0.0) + heights[name]
            column[name] = place


def _place_alone(name: str, column: dict[str, int], used: dict[int, float], height: float, max_height: float) -> None:
    """A box without lines fills the emptiest column; when all are full it opens one more."""
    place = min(used, key=lambda each: used[each], default=0)
    if used.get(place, 0.0) + height > max_height and used:
        place = max(used) + 1
    column[name] = place
    used[place] = used.get(place, 0.0) + height
