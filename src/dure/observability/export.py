"""Sends spans and metrics to a collector over OTLP/HTTP: the extra `otel`."""

import os
from collections.abc import Sequence
from typing import Protocol, Self

from dure.errors import ConfigError

_PROTOCOL = "http/protobuf"
_PIP = "pip install 'dure[otel]'"


class Provider(Protocol):
    """A tracer or meter provider of the SDK."""

    def force_flush(self, timeout_millis: int, /) -> bool:
        """Send what has gathered."""
        ...

    def shutdown(self) -> None:
        """Send the rest and stop."""
        ...


class Export:
    """What sends. At the end of its `with` block everything is sent, and at exit of the process in any case."""

    def __init__(self, providers: Sequence[Provider]) -> None:
        self._providers = tuple(providers)
        self._open = True

    def flush(self, seconds: float = 10.0) -> bool:
        """Send what has gathered; whether it was all taken over in time."""
        taken = [provider.force_flush(int(seconds * 1000)) for provider in self._providers]
        return all(taken)

    def shutdown(self) -> None:
        """Send the rest and stop. May be called twice."""
        if self._open:
            self._open = False
            for provider in self._providers:
                provider.shutdown()

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
    spans, metrics = _wanted("OTEL_TRACES_EXPORTER"), _wanted("OTEL_METRICS_EXPORTER")
    try:
        from dure.observability.otlp import set_providers
    except ImportError as error:
        raise ConfigError(f"sending traces needs more packages ({error}): {_PIP}") from error
    return Export(set_providers(endpoint, service_name, spans=spans, metrics=metrics))


def _check_protocol() -> None:
    for name in ("PROTOCOL", "TRACES_PROTOCOL", "METRICS_PROTOCOL"):
        variable = f"OTEL_EXPORTER_OTLP_{name}"
        value = os.environ.get(variable, "").strip() or _PROTOCOL
        if value != _PROTOCOL:
            raise ConfigError(
                f"{variable} is {value!r}, and only {_PROTOCOL!r} is sent: change it, or set providers of your own "
                "instead of calling export_otlp()"
            )


def _wanted(variable: str) -> bool:
    value = os.environ.get(variable, "").strip() or "otlp"
    if value not in ("otlp", "none"):
        raise ConfigError(f"{variable} is {value!r}, and export_otlp() knows 'otlp' and 'none'")
    return value == "otlp"
