"""Right-angled lines between the columns: every bundle of lines has its own vertical track in the gap."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dure_spec.render.drawing.graph import Segment

TRACK = 14.0
_SAME = 5.0
_OVERLAP = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """The segments that leave one port; they share a track."""

    key: tuple[str, float]
    left: float
    rights: tuple[float, ...]

    @property
    def straight(self) -> bool:
        """It needs no track."""
        return all(abs(right - self.left) < 1.0 for right in self.rights)


def bundles(segments: Sequence[Segment], tops: Mapping[str, float]) -> list[Bundle]:
    """The bundles of one gap, in the order in which their tracks should stand from left to right."""
    ends: dict[tuple[str, float], list[float]] = {}
    for each in segments:
        ends.setdefault((each.left, each.left_port), []).append(tops[each.right] + each.right_port)
    found = [Bundle(key=key, left=tops[key[0]] + key[1], rights=tuple(ys)) for key, ys in ends.items()]
    return _sorted([each for each in found if not each.straight])


def _sorted(found: list[Bundle]) -> list[Bundle]:
    """Neighbours change places while that saves crossings; the start is right for lines that all go one way."""
    found = sorted(found, key=lambda each: -each.left if max(each.rights) > each.left else each.left)
    for _ in range(len(found)):
        moved = False
        for place in range(len(found) - 1):
            first, second = found[place], found[place + 1]
            if _cost(second, first) < _cost(first, second):
                found[place], found[place + 1] = second, first
                moved = True
        if not moved:
            break
    return found


def _cost(first: Bundle, second: Bundle) -> int:
    """Crossings when the track of `first` is left of that of `second`."""
    cost = 0
    low, high = min(first.left, *first.rights), max(first.left, *first.rights)
    cost += low < second.left < high
    low, high = min(second.left, *second.rights), max(second.left, *second.rights)
    cost += sum(low < right < high for right in first.rights)
    cost += _OVERLAP * sum(abs(right - second.left) < _SAME for right in first.rights)
    return cost


def gap_width(count: int, *, least: float, label: float) -> float:
    """How wide a gap with so many tracks is; labels stand right of the tracks."""
    return max(least, 2 * TRACK + max(0, count - 1) * TRACK + max(label + 12.0, 2 * TRACK))


def track_positions(order: Sequence[Bundle], left: float) -> dict[tuple[str, float], float]:
    """The x of each bundle's vertical."""
    return {each.key: left + 2 * TRACK + index * TRACK for index, each in enumerate(order)}
