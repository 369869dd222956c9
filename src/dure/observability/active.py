"""Finds out, at next to no cost, whether anybody watches runs by OpenTelemetry."""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

from dure.observability.telemetry import MeterSource, Telemetry, TracerSource

_OBSERVED: ContextVar[Telemetry | None] = ContextVar("dure_telemetry", default=None)
_loaded = sys.modules.get
_NAMED = "OTEL_PYTHON_TRACER_PROVIDER" in os.environ or "OTEL_PYTHON_METER_PROVIDER" in os.environ
"""Whether the environment names a provider, which the API then loads when it is first asked."""


def active() -> Telemetry | None:
    """What traces and measures the runs here, or `None` where nobody set a provider.

    Asked by every link of a chain, so it looks where the API keeps its global providers; the API's
    own functions read the environment each time, and are called only where there is one, or where
    it is kept elsewhere.
    """
    observed = _OBSERVED.get()
    if observed is not None:
        return observed
    tracing = _loaded("opentelemetry.trace")
    if tracing is None:
        return None
    try:
        if tracing._TRACER_PROVIDER is None and not _NAMED:
            metering = _loaded("opentelemetry.metrics")
            if metering is None or metering._internal._METER_PROVIDER is None:
                return None
    except AttributeError:
        pass
    return _of_globals()


@contextmanager
def observe(
    *,
    tracer_provider: TracerSource | None = None,
    meter_provider: MeterSource | None = None,
    capture_content: bool | None = None,
) -> Generator[Telemetry]:
    """Trace and measure the runs begun inside by these providers, whatever the global ones are.

    For what `capture_content` means see `dure.observability.open_telemetry.OpenTelemetry`.
    """
    from dure.observability.open_telemetry import OpenTelemetry

    telemetry = OpenTelemetry(
        tracer_provider=tracer_provider, meter_provider=meter_provider, capture_content=capture_content
    )
    token = _OBSERVED.set(telemetry)
    try:
        yield telemetry
    finally:
        _OBSERVED.reset(token)


def _of_globals() -> Telemetry | None:
    from dure.observability.open_telemetry import of_globals

    return of_globals()
