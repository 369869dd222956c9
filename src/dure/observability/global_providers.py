"""The providers that this process has set for OpenTelemetry, if any. Loads the API."""

from opentelemetry.metrics import MeterProvider, get_meter_provider
from opentelemetry.trace import ProxyTracerProvider, TracerProvider, get_tracer_provider


def global_tracer_provider() -> TracerProvider | None:
    """The one that was set, by code or by the environment."""
    provider = get_tracer_provider()
    return None if isinstance(provider, ProxyTracerProvider) else provider


def global_meter_provider() -> MeterProvider | None:
    """The one that was set, by code or by the environment."""
    provider = get_meter_provider()
    # the API exports no name for the class that stands in for a provider
    return None if type(provider).__name__ == "_ProxyMeterProvider" else provider
