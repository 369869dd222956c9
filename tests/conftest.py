"""Every test runs on a machine without keys, settings, a home of its own or a network beyond loopback."""

import ipaddress
import os
import socket

import pytest

pytest_plugins = ("postgres_server", "valkey_server")

_PREFIXES = ("DURE_", "OPENAI_", "ANTHROPIC_", "OLLAMA_", "LLAMACPP_", "HF_", "XDG_")
_NAMES = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy")


@pytest.fixture(autouse=True)
def bare_machine(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No setting of whoever runs the tests reaches them."""
    for name in list(os.environ):
        if name.startswith(_PREFIXES) or name in _NAMES:
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path_factory.mktemp("home")))


@pytest.fixture(autouse=True)
def loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection to another machine fails the test that makes it, name look-ups included."""
    connect, look_up = socket.socket.connect, socket.getaddrinfo

    def guarded_connect(self: socket.socket, address: object) -> None:
        if self.family != getattr(socket, "AF_UNIX", None):
            _refuse_far(address[0] if isinstance(address, tuple) else address)  # pyright: ignore[reportUnknownArgumentType]  # shape depends on the family
        connect(self, address)  # pyright: ignore[reportArgumentType]  # handed on as it came

    def guarded_look_up(host: str | bytes | None, *rest: object, **named: object) -> object:
        _refuse_far(host)
        return look_up(host, *rest, **named)  # pyright: ignore[reportArgumentType]  # handed on as it came

    monkeypatch.setattr(socket.socket, "connect", guarded_connect)
    monkeypatch.setattr(socket, "getaddrinfo", guarded_look_up)


def _refuse_far(host: object) -> None:
    name = host.decode() if isinstance(host, bytes) else host
    if name in (None, "", "localhost", "0.0.0.0"):
        return
    try:
        near = ipaddress.ip_address(str(name)).is_loopback
    except ValueError:
        near = str(name).endswith((".localhost", ".invalid"))
    if not near:
        pytest.fail(f"a test reached out to {name!r}; only loopback servers that it starts itself are allowed")
