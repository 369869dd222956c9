"""The port of all views, and the guard that keeps their troubles away from the run."""

import logging
import os
from collections.abc import Callable
from typing import Protocol, TextIO

from dure_spec.pipeline.events import PipelineEvent

_log = logging.getLogger(__name__)


class View(Protocol):
    """Shows a run to somebody."""

    def show(self, event: PipelineEvent) -> None:
        """Take in the next fact."""
        ...

    def tick(self) -> None:
        """Some time has passed."""
        ...

    def stopping(self) -> None:
        """The run was asked to stop and is putting its things away."""
        ...

    def close(self) -> None:
        """Nothing follows; give the terminal back. May be called again."""
        ...


class GuardedView:
    """A view that never raises: after its first failure it is silent, and the run goes on.

    A reader that went away is no failure worth a word; anything else is logged.
    """

    def __init__(self, view: View, stream: TextIO) -> None:
        self._view = view
        self._stream = stream
        self._silent = False

    def show(self, event: PipelineEvent) -> None:
        """Take in the next fact."""
        self._try(lambda: self._view.show(event))

    def tick(self) -> None:
        """Some time has passed."""
        self._try(self._view.tick)

    def stopping(self) -> None:
        """The run was asked to stop."""
        self._try(self._view.stopping)

    def close(self) -> None:
        """Give the terminal back."""
        self._try(self._view.close)

    def _try(self, act: Callable[[], None]) -> None:
        if self._silent:
            return
        try:
            act()
        except OSError:
            self._silent = True
            _abandon(self._stream)
        except Exception:  # a faulty view must not cost anybody a run
            self._silent = True
            _log.exception("the view of the run failed and shows nothing more; the run goes on")


def _abandon(stream: TextIO) -> None:
    # What is still buffered would fail again when the interpreter flushes it on leaving.
    try:
        number = stream.fileno()
        devnull = os.open(os.devnull, os.O_WRONLY)
    except (OSError, ValueError):
        return
    os.dup2(devnull, number)
    os.close(devnull)
