"""Traces and measures runs with OpenTelemetry. Loaded only where a provider is in use."""

import logging
import os
from functools import lru_cache

from opentelemetry.metrics import Meter, MeterProvider, NoOpMeter, get_meter_provider
from opentelemetry.trace import NoOpTracer, ProxyTracerProvider, Tracer, TracerProvider, get_tracer_provider

from dure.chat import ChatRequest, ToolDefinition
from dure.errors import ConfigError
from dure.messages import ToolCall
from dure.observability import conventions as names
from dure.observability.metrics import Instruments
from dure.observability.spans import AdvisorSpan, AgentSpan, ChatSpan, ToolSpan
from dure.observability.telemetry import MeterSource, TracerSource
from dure.run import RunContext

logger = logging.getLogger(__name__)

_WITH_CONTENT = ("SPAN_ONLY", "SPAN_AND_EVENT", "TRUE")
_WITHOUT_CONTENT = ("", "NO_CONTENT", "FALSE")


class OpenTelemetry:
    """A `Telemetry` of spans and metrics by the conventions for generative AI."""

    def __init__(
        self,
        *,
        tracer_provider: TracerSource | None = None,
        meter_provider: MeterSource | None = None,
        capture_content: bool | None = None,
    ) -> None:
        """Without a provider there are no spans, or no metrics.

        `capture_content` puts what people, models and tools say on the spans (see
        `dure.observability.content`); `None` leaves it to
        OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT, whose default is not to.

        Raises:
            ConfigError: a provider is not one of OpenTelemetry.
        """
        tracer = None if tracer_provider is None else tracer_provider.get_tracer(names.SCOPE)
        meter = None if meter_provider is None else meter_provider.get_meter(names.SCOPE)
        if not isinstance(tracer, Tracer | None) or not isinstance(meter, Meter | None):
            raise ConfigError(f"{tracer!r} or {meter!r} is not of OpenTelemetry; give its providers")
        self._tracer = None if isinstance(tracer, NoOpTracer) else tracer
        self._meters = None if meter is None or isinstance(meter, NoOpMeter) else Instruments(meter)
        self._capture = _captures_content() if capture_content is None else capture_content

    @property
    def in_use(self) -> bool:
        """Whether anything comes of it; not so when the SDK is disabled."""
        return self._tracer is not None or self._meters is not None

    def agent(self, run: RunContext, *, model: str) -> AgentSpan:
        """Round a whole run."""
        return AgentSpan(self._tracer, self._meters, run, model, capture=self._capture)

    def advisor(self, name: str, order: int) -> AdvisorSpan:
        """Round one pass through an advisor."""
        return AdvisorSpan(self._tracer, name, order)

    def chat(self, request: ChatRequest, model: str, run: RunContext) -> ChatSpan:
        """Round one model call."""
        return ChatSpan(self._tracer, self._meters, request, model, run, capture=self._capture)

    def tool(self, call: ToolCall, definition: ToolDefinition | None, run: RunContext) -> ToolSpan:
        """Round one tool call."""
        return ToolSpan(self._tracer, self._meters, call, definition, run, capture=self._capture)


def of_globals() -> OpenTelemetry | None:
    """By the providers of this process, or `None` where it has none that does anything."""
    return _of(global_tracer_provider(), global_meter_provider())


def global_tracer_provider() -> TracerProvider | None:
    """The one that was set, by code or by the environment."""
    provider = get_tracer_provider()
    return None if isinstance(provider, ProxyTracerProvider) else provider


def global_meter_provider() -> MeterProvider | None:
    """The one that was set, by code or by the environment."""
    provider = get_meter_provider()
    # the API exports no name for the class that stands in for a provider
    return None if type(provider).__name__ == "_ProxyMeterProvider" else provider


@lru_cache(maxsize=4)
def _of(tracers: TracerProvider | None, meters: MeterProvider | None) -> OpenTelemetry | None:
    telemetry = OpenTelemetry(tracer_provider=tracers, meter_provider=meters)
    return telemetry if telemetry.in_use else None


def _captures_content() -> bool:
    value = os.environ.get(names.CAPTURE_VARIABLE, "").strip().upper()
    if value not in _WITH_CONTENT and value not in _WITHOUT_CONTENT:
        reason = "dure writes no events" if value == "EVENT_ONLY" else f"{value!r} is none of its values"
        logger.warning("no content is captured: %s; set %s=SPAN_ONLY", reason, names.CAPTURE_VARIABLE)
    return value in _WITH_CONTENT
