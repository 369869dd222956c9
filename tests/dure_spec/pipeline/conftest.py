"""The folder of a run, and the command line in this process."""

from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import Ended

from dure.console.main import main

Dure = Callable[..., Ended]


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """The folder of the run."""
    return tmp_path / "out"


@pytest.fixture
def dure(capsys: pytest.CaptureFixture[str]) -> Dure:
    """The command line in this process."""

    def run(*words: str) -> Ended:
        capsys.readouterr()
        code = main(list(words))
        shown = capsys.readouterr()
        return Ended(code=code, out=shown.out, err=shown.err)

    return run
