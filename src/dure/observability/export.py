"""Sends spans and metrics to a collector over OTLP/HTTP: the extra `otel`."""

import os
from typing import TYPE_CHECKING, Self

from dure.errors import ConfigError

if TYPE_CHECKING:  # loaded when somebody exports
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider

_PROTOCOL = "http/protobuf"
_PIP = "pip install 'dure[otel]'"


class Export:
    """What sends. At the end of its `with` block everything is sent, and at exit of the process in any case."""

    def __init__(self, tracer_provider: "TracerProvider | None", meter_provider: "MeterProvider | None") -> None:
        self.tracer_provider = tracer_provider
        """`None` where OTEL_TRACES_EXPORTER says `none`."""
        self.meter_provider = meter_provider
        """`None` where OTEL_METRICS_EXPORTER says `none`."""
        self._open = True

    def flush(self, seconds: float = 10.0) -> bool:
        """Send what has gathered; whether it was all taken over in time."""
        milliseconds = int(seconds * 1000)
        spans = self.tracer_provider is None or self.tracer_provider.force_flush(milliseconds)
        metrics = self.meter_provider is None or self.meter_provider.force_flush(milliseconds)
        return spans and metrics

    def shutdown(self) -> None:
        """Send the rest and stop. May be called twice."""
        if not self._open:
            return
        self._open = False
        if self.tracer_provider is not None:
            self.tracer_provider.shutdown()
        if self.meter_provider is not None:
            self.meter_provider.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.shutdown()


def export_otlp(endpoint: str | None = None, *, service_name: str | None = None) -> Export:
    """Set the process's tracer and meter providers, and send both by OTLP over HTTP.

    `endpoint` is the collector's base address, as in `http://localhost:4318`; what is left out comes
    from the OTEL_* variables (OTEL_EXPORTER_OTLP_ENDPOINT, …_HEADERS, OTEL_SERVICE_NAME,
    OTEL_TRACES_EXPORTER=none, …), and the service name is `dure` in the end.

    Raises:
        ConfigError: the extra is not installed, a provider is set already, or the environment asks
            for another protocol.
    """
    _check_protocol()
    sends_spans, sends_metrics = _wanted("OTEL_TRACES_EXPORTER"), _wanted("OTEL_METRICS_EXPORTER")
    try:
        from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.metrics import MeterProvider
        from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        raise ConfigError(f"sending traces needs more packages ({error}): {_PIP}") from error
    _refuse_second()
    resource = _resource(service_name)
    tracers, meters = None, None
    if sends_spans:
        tracers = TracerProvider(resource=resource)
        tracers.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=_address(endpoint, "traces"))))
    if sends_metrics:
        reader = PeriodicExportingMetricReader(OTLPMetricExporter(endpoint=_address(endpoint, "metrics")))
        meters = MeterProvider(metric_readers=[reader], resource=resource)
    _set(tracers, meters)
    return Export(tracer_provider=tracers, meter_provider=meters)


def _check_protocol() -> None:
    for name in ("PROTOCOL", "TRACES_PROTOCOL", "METRICS_PROTOCOL"):
        variable = f"OTEL_EXPORTER_OTLP_{name}"
        value = os.environ.get(variable, "").strip() or _PROTOCOL
        if value != _PROTOCOL:
            raise ConfigError(
                f"{variable} is {value!r}, and only {_PROTOCOL!r} is sent: change it, or set providers of your own "
                "instead of calling export_otlp()"
            )


def _refuse_second() -> None:
    from dure.observability.global_providers import global_meter_provider, global_tracer_provider

    for kind, provider in (("tracer", global_tracer_provider()), ("meter", global_meter_provider())):
        if provider is not None:
            raise ConfigError(f"this process has a {kind} provider already, and runs are traced by it; set no second")


def _resource(service_name: str | None) -> "Resource":
    from opentelemetry.sdk.resources import Resource

    found = Resource.create()
    named = service_name or ("" if _names_service() else "dure")
    return found.merge(Resource({"service.name": named})) if named else found


def _names_service() -> bool:
    given = os.environ.get("OTEL_RESOURCE_ATTRIBUTES", "").split(",")
    return bool(os.environ.get("OTEL_SERVICE_NAME")) or any(one.strip().startswith("service.name=") for one in given)


def _wanted(variable: str) -> bool:
    value = os.environ.get(variable, "").strip() or "otlp"
    if value not in ("otlp", "none"):
        raise ConfigError(f"{variable} is {value!r}, and export_otlp() knows 'otlp' and 'none'")
    return value == "otlp"


def _address(endpoint: str | None, signal: str) -> str | None:
    return None if endpoint is None else f"{endpoint.rstrip('/')}/v1/{signal}"


def _set(tracers: "TracerProvider | None", meters: "MeterProvider | None") -> None:
    from opentelemetry.metrics import set_meter_provider
    from opentelemetry.trace import set_tracer_provider

    if tracers is not None:
        set_tracer_provider(tracers)
    if meters is not None:
        set_meter_provider(meters)
