"""The providers that send over OTLP/HTTP. Loads the SDK."""

import os

from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.metrics import set_meter_provider
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import set_tracer_provider

from dure.errors import ConfigError
from dure.observability.open_telemetry import global_meter_provider, global_tracer_provider


def set_providers(
    endpoint: str | None, service_name: str | None, *, spans: bool, metrics: bool
) -> list[TracerProvider | MeterProvider]:
    """Make the process's providers of the signals that are wanted.

    Raises:
        ConfigError: the process has one already.
    """
    for kind, provider in (("tracer", global_tracer_provider()), ("meter", global_meter_provider())):
        if provider is not None:
            raise ConfigError(f"this process has a {kind} provider already, and runs are traced by it; set no second")
    resource = _resource(service_name)
    made: list[TracerProvider | MeterProvider] = []
    if spans:
        tracers = TracerProvider(resource=resource)
        tracers.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=_address(endpoint, "traces"))))
        set_tracer_provider(tracers)
        made.append(tracers)
    if metrics:
        reader = PeriodicExportingMetricReader(OTLPMetricExporter(endpoint=_address(endpoint, "metrics")))
        meters = MeterProvider(metric_readers=[reader], resource=resource)
        set_meter_provider(meters)
        made.append(meters)
    return made


def _resource(service_name: str | None) -> Resource:
    found = Resource.create()
    named = service_name or ("" if _names_service() else "dure")
    return found.merge(Resource({"service.name": named})) if named else found


def _names_service() -> bool:
    given = os.environ.get("OTEL_RESOURCE_ATTRIBUTES", "").split(",")
    return bool(os.environ.get("OTEL_SERVICE_NAME")) or any(one.strip().startswith("service.name=") for one in given)


def _address(endpoint: str | None, signal: str) -> str | None:
    return None if endpoint is None else f"{endpoint.rstrip('/')}/v1/{signal}"
