"""How far two names are apart, and which of several a misspelt one means."""

from collections.abc import Iterable

NEAR = 2
"""Edits that a slip of the keyboard takes at most."""


def edit_distance(first: str, second: str, limit: int = NEAR) -> int:
    """Letters to insert, delete or replace to make one of the other; more than `limit` is `limit + 1`."""
    if abs(len(first) - len(second)) > limit:
        return limit + 1
    row = list(range(len(second) + 1))
    for number, letter in enumerate(first, 1):
        before, row = row, [number]
        for place, other in enumerate(second, 1):
            row.append(min(before[place] + 1, row[-1] + 1, before[place - 1] + (letter != other)))
        if min(row) > limit:
            return limit + 1
    return min(row[-1], limit + 1)


def only_near(name: str, names: Iterable[str]) -> str:
    """The one name within two edits that is nearer than any other; empty where there is no single one.

    At least half of the letters must be the same: `no` is no slip for `id`.
    """
    ranked = sorted((edit_distance(name.lower(), each.lower()), each) for each in names)
    near = [pair for pair in ranked if pair[0] <= NEAR and 2 * pair[0] <= max(len(name), len(pair[1]))]
    if not near or (len(near) > 1 and near[0][0] == near[1][0]):
        return ""
    return near[0][1]
