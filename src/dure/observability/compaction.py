"""The one thing about a run that spans cannot see for themselves: that its history was shortened."""

from dure.run import RunContext

_COMPACTED = object()


def mark_compacted(run: RunContext) -> None:
    """Say that what the run sends is a shortened view of its conversation; its later model calls tell so."""
    run.state[_COMPACTED] = True


def is_compacted(run: RunContext) -> bool:
    """Whether somebody said so."""
    return _COMPACTED in run.state
