"""Sending over OTLP: to a collector on loopback, from a process of its own, as the environment says."""

import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import KeyValue

from dure.errors import ConfigError
from dure.observability import active, export_otlp

RUN = """
import asyncio
from dure import ChatClient, ScriptedModel
asyncio.run(ChatClient(ScriptedModel("안녕")).prompt("go").text())
"""


@dataclass
class Collector:
    """What arrived: path, headers, body."""

    address: str = ""
    received: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list[tuple[str, dict[str, str], bytes]])

    def spans(self) -> dict[str, dict[str, str]]:
        """Resource attributes by the name of each span."""
        found: dict[str, dict[str, str]] = {}
        for path, _, body in self.received:
            if not path.endswith("/v1/traces"):
                continue
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                for scope in resource.scope_spans:
                    found |= {span.name: texts(resource.resource.attributes) for span in scope.spans}
        return found

    def metrics(self) -> set[str]:
        """Names of all metrics."""
        return {
            metric.name
            for path, _, body in self.received
            if path.endswith("/v1/metrics")
            for resource in ExportMetricsServiceRequest.FromString(body).resource_metrics
            for scope in resource.scope_metrics
            for metric in scope.metrics
        }


def texts(attributes: Iterable[KeyValue]) -> dict[str, str]:
    return {one.key: one.value.string_value for one in attributes}


@pytest.fixture
def collector() -> Iterator[Collector]:
    """An OTLP server on a free port of loopback."""
    collector = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            collector.received.append((self.path, dict(self.headers), body))
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *values: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    collector.address = f"http://127.0.0.1:{server.server_port}"
    yield collector
    server.shutdown()
    server.server_close()
    thread.join(5)


def run_program(program: str, **environment: str) -> str:
    """What it prints in a process of its own, where global providers are still free."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={"PATH": "", "PYTHONPATH": ":".join(sys.path), **environment},
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.strip()


SPANS = {"invoke_agent agent", "advisor retry", "chat test"}


def test_spans_and_metrics_of_a_run_arrive_at_the_address_given(collector: Collector) -> None:
    program = f"""
from dure.observability import export_otlp
with export_otlp({collector.address!r}, service_name="shop") as export:
    {RUN.strip().replace(chr(10), chr(10) + "    ")}
    print(export.flush())
export.shutdown()
"""
    assert run_program(program) == "True"
    assert collector.spans().keys() == SPANS
    assert {resource["service.name"] for resource in collector.spans().values()} == {"shop"}
    assert "gen_ai.client.inference.duration" in collector.metrics()


def test_the_environment_says_where_to_and_as_whom(collector: Collector) -> None:
    program = f"from dure.observability import export_otlp\nexport_otlp(){RUN}"
    run_program(
        program,
        OTEL_EXPORTER_OTLP_ENDPOINT=f"{collector.address}/tenant",
        OTEL_EXPORTER_OTLP_HEADERS="api-key=secret",
        OTEL_SERVICE_NAME="from-environment",
    )
    assert {path for path, _, _ in collector.received} == {"/tenant/v1/traces", "/tenant/v1/metrics"}
    assert {headers["api-key"] for _, headers, _ in collector.received} == {"secret"}
    assert {resource["service.name"] for resource in collector.spans().values()} == {"from-environment"}


@pytest.mark.parametrize(
    ("environment", "name"),
    [({}, "dure"), ({"OTEL_RESOURCE_ATTRIBUTES": "team=a,service.name=of-resource"}, "of-resource")],
)
def test_the_service_has_the_name_it_was_given_or_ours(
    collector: Collector, environment: dict[str, str], name: str
) -> None:
    program = f"from dure.observability import export_otlp\nexport_otlp({collector.address!r}){RUN}"
    run_program(program, **environment)
    assert {resource["service.name"] for resource in collector.spans().values()} == {name}


@pytest.mark.parametrize(
    ("variable", "spans", "metrics"),
    [("OTEL_TRACES_EXPORTER", False, True), ("OTEL_METRICS_EXPORTER", True, False)],
)
def test_either_signal_can_be_left_out(collector: Collector, variable: str, spans: bool, metrics: bool) -> None:
    program = (
        f"from dure.observability import export_otlp\nexport = export_otlp({collector.address!r}){RUN}export.flush()"
    )
    run_program(program, **{variable: "none"})
    assert (bool(collector.spans()), bool(collector.metrics())) == (spans, metrics)


def test_a_second_set_of_providers_is_refused() -> None:
    program = """
from dure.errors import ConfigError
from dure.observability import export_otlp
export_otlp()
try:
    export_otlp()
except ConfigError as error:
    print(error)
"""
    switched_off = {"OTEL_TRACES_EXPORTER": "none", "OTEL_METRICS_EXPORTER": "otlp"}
    for environment, kind in (({}, "tracer"), (switched_off, "meter")):
        told = run_program(program + "import os; os._exit(0)", **environment, PYTHONUNBUFFERED="1")
        assert told == f"this process has a {kind} provider already, and runs are traced by it; set no second"


@pytest.mark.parametrize(
    ("variable", "value", "words"),
    [
        (
            "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
            "grpc",
            "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL is 'grpc', and only 'http/protobuf' is sent: change it, or set "
            "providers of your own instead of calling export_otlp()",
        ),
        (
            "OTEL_METRICS_EXPORTER",
            "prometheus",
            "OTEL_METRICS_EXPORTER is 'prometheus', and export_otlp() knows 'otlp' and 'none'",
        ),
    ],
)
def test_what_cannot_be_sent_is_refused_before_anything_is_set(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, words: str
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(ConfigError) as refused:
        export_otlp()
    assert (str(refused.value), active()) == (words, None)


def test_without_the_extra_the_command_that_installs_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with pytest.raises(ConfigError, match=r"needs more packages .*: pip install 'dure\[otel\]'"):
        export_otlp()
    assert active() is None
