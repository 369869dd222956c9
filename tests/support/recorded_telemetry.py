"""Spans and metrics kept in memory by providers of their own, and how a test reads them back."""

from dataclasses import dataclass
from typing import Any

from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import (
    HistogramDataPoint,
    InMemoryMetricReader,
    NumberDataPoint,
)
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

Tree = dict[str, Any] | str
"""A span's name, or its name with the spans below it, in the order they began."""


@dataclass(frozen=True, kw_only=True)
class Recorded:
    """Two providers and what came out of them."""

    tracers: TracerProvider
    meters: MeterProvider
    exporter: InMemorySpanExporter
    reader: InMemoryMetricReader

    @property
    def spans(self) -> list[ReadableSpan]:
        """Those that ended, in the order they began."""
        return sorted(self.exporter.get_finished_spans(), key=lambda span: span.start_time or 0)

    def span(self, name: str) -> ReadableSpan:
        """The only one of that name."""
        (found,) = [span for span in self.spans if span.name == name]
        return found

    def attributes(self, name: str) -> dict[str, Any]:
        """Of the only span of that name."""
        return dict(self.span(name).attributes or {})

    def trees(self) -> list[Tree]:
        """Every span under its parent."""
        spans = self.spans

        def below(parent: int | None) -> list[Tree]:
            found: list[Tree] = []
            for span in spans:
                if (None if span.parent is None else span.parent.span_id) == parent:
                    children = below(_span_id(span))
                    found.append({span.name: children} if children else span.name)
            return found

        return below(None)

    def counted(self, name: str) -> dict[tuple[tuple[str, Any], ...], float]:
        """The value of a counter, or the count of a histogram, by the attributes of its points."""
        return {
            _key(point): point.count if isinstance(point, HistogramDataPoint) else point.value
            for point in self._points(name)
        }

    def total(self, name: str) -> float:
        """The value of a counter, or the sum of a histogram, over all points."""
        return sum(point.sum if isinstance(point, HistogramDataPoint) else point.value for point in self._points(name))

    def _points(self, name: str) -> list[NumberDataPoint | HistogramDataPoint]:
        data = self.reader.get_metrics_data()
        if data is None:
            return []
        return [
            point
            for resource in data.resource_metrics
            for scope in resource.scope_metrics
            for metric in scope.metrics
            if metric.name == name
            for point in metric.data.data_points
            if isinstance(point, NumberDataPoint | HistogramDataPoint)
        ]

    def metric_names(self) -> set[str]:
        """Of all that was recorded."""
        data = self.reader.get_metrics_data()
        return {
            metric.name
            for resource in (data.resource_metrics if data else ())
            for scope in resource.scope_metrics
            for metric in scope.metrics
        }

    def boundaries(self, name: str) -> tuple[float, ...]:
        """Of a histogram's buckets."""
        (bounds,) = {
            tuple(point.explicit_bounds) for point in self._points(name) if isinstance(point, HistogramDataPoint)
        }
        return bounds


def _key(point: NumberDataPoint | HistogramDataPoint) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted((point.attributes or {}).items()))


def _span_id(span: ReadableSpan) -> int:
    assert span.context is not None
    return span.context.span_id


def record() -> Recorded:
    """Empty, and of nobody else."""
    exporter, reader = InMemorySpanExporter(), InMemoryMetricReader()
    tracers = TracerProvider(shutdown_on_exit=False)
    tracers.add_span_processor(SimpleSpanProcessor(exporter))
    meters = MeterProvider(metric_readers=[reader], shutdown_on_exit=False)
    return Recorded(tracers=tracers, meters=meters, exporter=exporter, reader=reader)
