"""Tables that have nearly the same columns, in families."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dure_spec.derive.words import name_words, singular
from dure_spec.validators.audit_names import is_audit
from dure_spec.validators.index import TablePlace

LIKENESS = 0.8
"""Share of the columns of both that two clones have in common."""
_LEAST = 4
# what unlike tables have in common too
_ANYWHERE = frozenset(
    """
    id uuid name title description code status type note notes memo remark is_active active enabled sort_order sort seq
    position order display_order parent_id is_deleted use_yn version owner_id user_id color icon image_url slug value
    """.split()
)
_PAST = frozenset(
    """
    history histories hist log logs audit audits archive archives archived snapshot snapshots version versions revision
    revisions deleted 이력 로그 기록
    """.split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Tables of which one is enough."""

    original: TablePlace
    clones: tuple[TablePlace, ...]
    likeness: float
    """The least share of columns that neighbours in the family have in common, from 0 to 1."""


def families(places: Mapping[str, TablePlace]) -> list[Family]:
    """Families of tables, in the order of the schema."""
    position = {name: place for place, name in enumerate(places)}
    joined = _joined(places)
    referencing: dict[str, set[str]] = {}
    for name, place in places.items():
        for key in place.keys:
            referencing.setdefault(key.target.lower(), set()).add(name)
    found: list[Family] = []
    for group in joined.groups():
        names = sorted(group, key=position.__getitem__)
        wanted = {name: len(referencing.get(name, set()) - set(names)) for name in names}
        found.append(_family([places[name] for name in names], wanted, joined.weakest(names[0])))
    return sorted(found, key=lambda family: position[family.original.table.name.lower()])


def _joined(places: Mapping[str, TablePlace]) -> "_Groups":
    """Tables that are clones of one another, by their lower-case names."""
    columns = {name: _columns(place) for name, place in places.items()}
    alike: dict[frozenset[str], list[str]] = {}
    for name, own in columns.items():
        if len(own) >= _LEAST:
            alike.setdefault(own, []).append(name)
    joined = _Groups()
    for own, names in alike.items():
        for name in names[1:]:
            if _are_clones(places[names[0]], places[name], own):
                joined.join(names[0], name, 1.0)
    for own, other, likeness in _near(list(alike)):
        first, second = alike[own][0], alike[other][0]
        if _are_clones(places[first], places[second], own & other):
            joined.join(first, second, likeness)
    return joined


def _columns(place: TablePlace) -> frozenset[str]:
    """Lower-case names, without those that every table has."""
    columns = place.table.columns
    return frozenset(column.name.lower() for column in columns if not is_audit(column.name, column.logical))


def _are_clones(first: TablePlace, second: TablePlace, shared: frozenset[str]) -> bool:
    if not shared - _ANYWHERE:
        return False
    words = [{singular(word) for word in name_words(place.table.name)} for place in (first, second)]
    return not (_PAST & (words[0] ^ words[1]))


def _near(sets: Sequence[frozenset[str]]) -> Iterator[tuple[frozenset[str], frozenset[str], float]]:
    """Pairs of different sets that are alike enough.

    Two such sets share one of their rarest members, so that only those are looked at that do.
    """
    counts = Counter(member for each in sets for member in each)
    by_member: dict[str, list[int]] = {}
    for number, own in enumerate(sets):
        rarest = sorted(own, key=lambda member: (counts[member], member))
        prefix = rarest[: len(own) - math.ceil(LIKENESS * len(own)) + 1]
        for other in sorted({each for member in prefix for each in by_member.get(member, ())}):
            likeness = len(own & sets[other]) / len(own | sets[other])
            if likeness >= LIKENESS:
                yield sets[other], own, likeness
        for member in prefix:
            by_member.setdefault(member, []).append(number)


class _Groups:
    """Names that belong together, and the weakest likeness in each group."""

    def __init__(self) -> None:
        self._head: dict[str, str] = {}
        self._weakest: dict[str, float] = {}

    def join(self, first: str, second: str, likeness: float) -> None:
        """Put two names, and all that is joined with them, into one group."""
        own, other = self._find(first), self._find(second)
        weakest = min(self._weakest.get(own, 1.0), self._weakest.get(other, 1.0), likeness)
        self._head[other] = own
        self._weakest[own] = weakest

    def weakest(self, name: str) -> float:
        return self._weakest[self._find(name)]

    def groups(self) -> list[list[str]]:
        """Every group of two names or more."""
        found: dict[str, list[str]] = {}
        for name in list(self._head):
            found.setdefault(self._find(name), []).append(name)
        return [group for group in found.values() if len(group) > 1]

    def _find(self, name: str) -> str:
        head = self._head.setdefault(name, name)
        while head != self._head[head]:
            self._head[head] = self._head[self._head[head]]
            head = self._head[head]
        return head


def _family(members: Sequence[TablePlace], wanted: Mapping[str, int], likeness: float) -> Family:
    """The first table is the original, unless more tables reference a later one."""
    original = max(members, key=lambda place: wanted[place.table.name.lower()])
    clones = tuple(place for place in members if place is not original)
    return Family(original=original, clones=clones, likeness=likeness)
