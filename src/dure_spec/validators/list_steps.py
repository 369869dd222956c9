"""Steps of a patch on lists that hold only while the list is still as it was judged."""

from collections.abc import Sequence

from dure_spec.artifacts.findings import Change
from dure_spec.artifacts.shared import Stage


def dropped(stage: Stage, path: str, old: object) -> tuple[Change, Change]:
    """Take the value away, unless another one has come meanwhile."""
    return Change(op="test", stage=stage, path=path, value=old), Change(op="remove", stage=stage, path=path)


def appended(stage: Stage, path: str, old: Sequence[object], new: object) -> tuple[Change, Change]:
    """Put a value at the end of a list that is still the old one."""
    return Change(op="test", stage=stage, path=path, value=list(old)), Change(
        op="add", stage=stage, path=f"{path}/-", value=new
    )
