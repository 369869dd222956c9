"""Spans and metrics of runs, by the OpenTelemetry conventions for generative AI.

Nothing of OpenTelemetry is loaded until somebody watches.
"""

from dure.observability.active import active, observe
from dure.observability.compaction import mark_compacted
from dure.observability.export import Export, export_otlp
from dure.observability.telemetry import Telemetry

__all__ = ["Export", "Telemetry", "active", "export_otlp", "mark_compacted", "observe"]
