"""Accepted artifacts that a stage cannot do without."""

from dure.errors import ConfigError
from dure_spec.agents.task import Task
from dure_spec.artifacts import Backend, Erd, Ia, Prd


def prd_of(task: Task) -> Prd:
    """The requirements."""
    if task.artifacts.prd is None:
        raise ConfigError(f"stage {task.stage!r} needs the PRD of stage 'ba'")
    return task.artifacts.prd


def ia_of(task: Task) -> Ia:
    """The information architecture."""
    if task.artifacts.ia is None:
        raise ConfigError(f"stage {task.stage!r} needs the screens of stage 'planner'")
    return task.artifacts.ia


def erd_of(task: Task) -> Erd:
    """The tables."""
    if task.artifacts.erd is None:
        raise ConfigError(f"stage {task.stage!r} needs the tables of stage 'dba'")
    return task.artifacts.erd


def backend_of(task: Task) -> Backend:
    """The business objects."""
    if task.artifacts.backend is None:
        raise ConfigError(f"stage {task.stage!r} needs the objects of stage 'backend'")
    return task.artifacts.backend
