"""Which places a batch of patches has changed, so that a patch that was meant for the document before is noticed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from dure_spec.artifacts.findings import Change
from dure_spec.autofix.pointers import plain


@dataclass(slots=True)
class Places:
    """Marks of one batch; a place is the stage and the pointer in one text."""

    _written: set[str] = field(default_factory=set[str])
    _above: set[str] = field(default_factory=set[str])
    """Everything that holds something changed."""
    _shifted: dict[str, int] = field(default_factory=dict[str, int])
    """Lists by the first position at which their items stand elsewhere now."""
    _appended: dict[str, list[Any]] = field(default_factory=dict[str, list[Any]])

    def clash(self, patch: Sequence[Change]) -> bool:
        """Whether a patch speaks of something that is not as it was."""
        return any(self._clashes(step) for step in patch)

    def mark(self, patch: Sequence[Change], shifting: Sequence[bool]) -> None:
        """A patch was applied; `shifting` says of each step whether it moved the items of a list."""
        for step, shifts in zip(patch, shifting, strict=True):
            if step.op != "test":
                self._mark(step, shifts)

    def _clashes(self, step: Change) -> bool:
        place, _, last = _place(step).rpartition("/")
        if step.op == "add" and last == "-":
            twice = plain(step.value) in self._appended.get(place, [])
            return twice or any(self._is_moved(above) for above in _upwards(place))
        place = _place(step)
        return (step.op != "test" and place in self._above) or any(self._is_moved(above) for above in _upwards(place))

    def _is_moved(self, place: str) -> bool:
        owner, _, name = place.rpartition("/")
        return place in self._written or (name.isdecimal() and int(name) >= self._shifted.get(owner, int(name) + 1))

    def _mark(self, step: Change, shifts: bool) -> None:
        place = _place(step)
        owner, _, name = place.rpartition("/")
        self._above.update(_upwards(owner))
        if name == "-":
            self._appended.setdefault(owner, []).append(plain(step.value))
        elif shifts:
            self._shifted[owner] = min(int(name), self._shifted.get(owner, int(name)))
        else:
            self._written.add(place)


def _place(step: Change) -> str:
    return step.stage + step.path


def _upwards(place: str) -> Iterator[str]:
    """The place and all that hold it, without the document itself."""
    while "/" in place:
        yield place
        place = place.rpartition("/")[0]
