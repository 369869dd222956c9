"""Whether anybody watches: found out without loading anything, and followed when somebody begins to."""

import subprocess
import sys

import pytest
from opentelemetry.metrics import NoOpMeterProvider
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.trace import NoOpTracerProvider
from recorded_telemetry import Recorded

from dure.errors import ConfigError
from dure.observability import active, observe
from dure.observability.open_telemetry import OpenTelemetry


def run_program(program: str, **environment: str) -> str:
    """What a Python program prints in a process of its own, where global providers are still free."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={"PATH": "", "PYTHONPATH": ":".join(sys.path), **environment},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


A_RUN = """
import asyncio, sys
from dure import ChatClient, ScriptedModel, AssistantMessage, ChatResponse, tool
from dure.messages import ToolCall
from dure.chat import ChatResponse
@tool
def check(sku: str) -> str:
    "Counts."
    return "3"
call = ChatResponse(message=AssistantMessage(tool_calls=(ToolCall(id="1", name="check", arguments='{"sku": "a"}'),)),
                    finish_reason="tool_calls")
def go():
    client = ChatClient(ScriptedModel(call, "three"), tools=(check,))
    return asyncio.run(client.prompt("how many?").text())
"""


def test_nothing_watches_where_no_provider_was_set() -> None:
    assert active() is None


def test_a_run_that_nobody_watches_loads_nothing_of_opentelemetry() -> None:
    program = (
        A_RUN + 'assert go() == "three"\nprint([name for name in sys.modules if name.startswith("opentelemetry")])'
    )
    assert run_program(program) == "[]"


def test_the_api_alone_without_a_provider_watches_nothing() -> None:
    program = A_RUN + (
        "import opentelemetry.trace, opentelemetry.metrics\n"
        'assert go() == "three"\n'
        "from dure.observability import active\n"
        'print(active(), "opentelemetry.sdk" in sys.modules, "dure.observability.spans" in sys.modules)'
    )
    assert run_program(program) == "None False False"


@pytest.mark.parametrize(
    ("signal", "provider", "setter"),
    [("trace", "TracerProvider", "set_tracer_provider"), ("metrics", "MeterProvider", "set_meter_provider")],
)
def test_a_provider_set_later_is_seen_and_the_same_telemetry_is_given_each_time(
    signal: str, provider: str, setter: str
) -> None:
    program = (
        "from dure.observability import active\nimport opentelemetry.trace\n"
        f"from opentelemetry.sdk.{signal} import {provider}\nfrom opentelemetry.{signal} import {setter}\n"
        f"assert active() is None\n{setter}({provider}())\n"
        "print(active() is active() is not None)"
    )
    assert run_program(program) == "True"


@pytest.mark.parametrize(
    ("provider", "environment"),
    [
        ("opentelemetry.trace.NoOpTracerProvider", {}),
        ("opentelemetry.sdk.trace.TracerProvider", {"OTEL_SDK_DISABLED": "true"}),
    ],
)
def test_a_provider_that_does_nothing_watches_nothing(provider: str, environment: dict[str, str]) -> None:
    module, _, name = provider.rpartition(".")
    program = (
        f"from {module} import {name}\nfrom opentelemetry.trace import set_tracer_provider\n"
        f"set_tracer_provider({name}())\nfrom dure.observability import active\nprint(active())"
    )
    assert run_program(program, **environment) == "None"


def test_telemetry_without_providers_is_of_no_use(recorded: Recorded) -> None:
    assert not OpenTelemetry().in_use
    assert not OpenTelemetry(tracer_provider=NoOpTracerProvider(), meter_provider=NoOpMeterProvider()).in_use
    assert OpenTelemetry(meter_provider=recorded.meters).in_use


def test_a_provider_that_the_environment_names_is_loaded_by_the_api() -> None:
    program = (
        "import opentelemetry.trace\nfrom dure.observability import active\n"
        "print(type(active()).__name__, type(opentelemetry.trace.get_tracer_provider()).__module__)"
    )
    named = {"OTEL_PYTHON_TRACER_PROVIDER": "sdk_tracer_provider"}
    assert run_program(program, **named) == "OpenTelemetry opentelemetry.sdk.trace"


def test_providers_are_found_also_where_the_api_keeps_them_elsewhere() -> None:
    program = (
        "import opentelemetry.trace as trace\nfrom dure.observability import active\n"
        "from opentelemetry.sdk.trace import TracerProvider\n"
        "provider = TracerProvider()\n"
        "del trace._TRACER_PROVIDER\n"
        "trace.get_tracer_provider = lambda: provider\n"
        "print(type(active()).__name__)"
    )
    assert run_program(program) == "OpenTelemetry"


def test_providers_can_be_given_for_a_block_whatever_the_global_ones_are(recorded: Recorded) -> None:
    with observe(tracer_provider=recorded.tracers) as outer:
        assert active() is outer
        with observe(tracer_provider=TracerProvider(shutdown_on_exit=False)) as inner:
            assert active() is inner
        assert active() is outer
    assert active() is None


def test_what_is_no_provider_is_refused_where_it_is_given() -> None:
    class Another:
        def get_tracer(self, name: str, /) -> str:
            return "a tracer"

    with (
        pytest.raises(ConfigError, match="'a tracer' or None is not of OpenTelemetry"),
        observe(tracer_provider=Another()),
    ):
        pass
