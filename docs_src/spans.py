"""The spans of one run, as any OpenTelemetry backend gets them."""

from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from dure import ChatClient, open_model, run_sync, tool
from dure.observability import observe


@tool
def check_stock(sku: str) -> int:
    """How many of an article are in stock."""
    return 3


spans = InMemorySpanExporter()
provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(spans))

client = ChatClient(open_model(), tools=(check_stock,))
with observe(tracer_provider=provider):
    run_sync(client.prompt("A-1 재고는?").text())


def show(parent: ReadableSpan | None, indent: str = "") -> None:
    for span in sorted(spans.get_finished_spans(), key=lambda one: one.start_time or 0):
        above = span.parent.span_id if span.parent else None
        if above == (parent.context.span_id if parent and parent.context else None):
            name = "chat …" if span.name.startswith("chat ") else span.name  # chat and the model
            print(indent + name, (span.attributes or {}).get("gen_ai.usage.input_tokens", ""))
            show(span, indent + "  ")


show(None)
