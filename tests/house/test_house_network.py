"""The tests' own guard: other machines are out of reach, loopback is not."""

import socket

import pytest

REFUSED = pytest.fail.Exception


@pytest.mark.parametrize("host", ["192.0.2.1", "example.com", "2001:db8::1"])
def test_a_connection_to_another_machine_fails_the_test(host: str) -> None:
    with pytest.raises(REFUSED, match="only loopback servers"):
        socket.create_connection((host, 80), timeout=1)


def test_an_address_handed_straight_to_a_socket_is_refused_too() -> None:
    with socket.socket() as caller, pytest.raises(REFUSED):
        caller.connect(("192.0.2.1", 80))


def test_a_server_of_the_test_itself_is_reached() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname(), timeout=5) as caller,
    ):
        assert caller.getpeername() == server.getsockname()
