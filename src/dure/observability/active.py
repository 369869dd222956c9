"""Finds out, at next to no cost, whether anybody watches runs by OpenTelemetry."""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # imported where a provider is set, not before
    from opentelemetry.metrics import MeterProvider
    from opentelemetry.trace import TracerProvider

    from dure.observability.telemetry import Telemetry

_OBSERVED: "ContextVar[Telemetry | None]" = ContextVar("dure_telemetry", default=None)
_loaded = sys.modules.get
_UNKNOWN = object()
_UNSET = _UNKNOWN if "OTEL_PYTHON_TRACER_PROVIDER" in os.environ else None
"""What an empty global means: where the environment names a provider, the API loads it when it is asked."""


def active() -> "Telemetry | None":
    """What traces and measures the runs here, or `None` where nobody set a provider.

    Asked by every link of a chain, so it looks where the API keeps its global providers; the API's
    own functions read the environment each time, and are called only where that place is not known.
    """
    observed = _OBSERVED.get()
    if observed is not None:
        return observed
    tracing = _loaded("opentelemetry.trace")
    if tracing is None:
        return None
    tracers = getattr(tracing, "_TRACER_PROVIDER", _UNKNOWN)
    metering = _loaded("opentelemetry.metrics")
    meters = None if metering is None else getattr(getattr(metering, "_internal", None), "_METER_PROVIDER", _UNKNOWN)
    if tracers is None and meters is None and _UNSET is None:
        return None
    return _of_globals()


@contextmanager
def observe(
    *,
    tracer_provider: "TracerProvider | None" = None,
    meter_provider: "MeterProvider | None" = None,
    capture_content: bool | None = None,
) -> "Generator[Telemetry]":
    """Trace and measure the runs begun inside by these providers, whatever the global ones are.

    For what `capture_content` means see `dure.observability.telemetry.Telemetry`.
    """
    from dure.observability.telemetry import Telemetry

    telemetry = Telemetry(
        tracer_provider=tracer_provider, meter_provider=meter_provider, capture_content=capture_content
    )
    token = _OBSERVED.set(telemetry)
    try:
        yield telemetry
    finally:
        _OBSERVED.reset(token)


def _of_globals() -> "Telemetry | None":
    from dure.observability.global_providers import global_meter_provider, global_tracer_provider

    return _of(global_tracer_provider(), global_meter_provider())


@lru_cache(maxsize=4)
def _of(tracers: "TracerProvider | None", meters: "MeterProvider | None") -> "Telemetry | None":
    from dure.observability.telemetry import Telemetry

    telemetry = Telemetry(tracer_provider=tracers, meter_provider=meters)
    return telemetry if telemetry.in_use else None
