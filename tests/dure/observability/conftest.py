"""Every test here has spans and metrics of its own."""

import pytest
from recorded_telemetry import Recorded, record


@pytest.fixture
def recorded() -> Recorded:
    """Two providers that keep what comes out of them."""
    return record()
