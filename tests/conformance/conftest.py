"""Every test of this folder runs once for each wire; some also for the scripted model."""

import pytest
from wire_port import Feature, Wire
from wires import WIRES


def _name(wire: Wire | None) -> str:
    return wire.name if wire is not None else "scripted"


@pytest.fixture(params=WIRES, ids=_name)
def wire(request: pytest.FixtureRequest) -> Wire:
    """One wire, unless it cannot say what the test is about (mark `needs`)."""
    return _able(request)


@pytest.fixture(params=(*WIRES, None), ids=_name)
def player(request: pytest.FixtureRequest) -> Wire | None:
    """One wire, or `None` for the scripted model."""
    return None if request.param is None else _able(request)


def pytest_configure(config: pytest.Config) -> None:
    """Make the mark known."""
    config.addinivalue_line("markers", "needs(*features): what a wire must be able to say")


def _able(request: pytest.FixtureRequest) -> Wire:
    wire: Wire = request.param
    needed: set[Feature] = {feature for mark in request.node.iter_markers("needs") for feature in mark.args}
    missing = needed & wire.lacks
    if missing:
        pytest.skip(f"{wire.name} has no way to say {', '.join(sorted(missing))}")
    return wire
