"""The servers that tests start: reachable, ordinary, and gone afterwards."""

import socket
from urllib.parse import urlsplit

import psycopg
import pytest
from postgres_server import running_postgres
from valkey_server import running_valkey


def _ping(url: str) -> bytes:
    with socket.create_connection(("127.0.0.1", urlsplit(url).port or 0), timeout=5) as connection:
        connection.sendall(b"PING\r\n")
        return connection.recv(64)


def test_the_shared_postgresql_takes_an_ordinary_role_and_forgets_nothing_between_tests(postgres_url: str) -> None:
    with psycopg.connect(postgres_url, connect_timeout=5) as connection:
        row = connection.execute(
            "SELECT rolsuper, current_database() FROM pg_roles WHERE rolname = current_user"
        ).fetchone()
    assert row == (False, "designs")


def test_a_postgresql_of_ones_own_can_go_away_and_come_back() -> None:
    with running_postgres() as postgres:
        with psycopg.connect(postgres.url, autocommit=True, connect_timeout=5) as connection:
            connection.execute("CREATE TABLE kept (id integer)")
        postgres.stop()
        with pytest.raises(psycopg.OperationalError):
            psycopg.connect(postgres.url, connect_timeout=5)
        postgres.start()
        with psycopg.connect(postgres.url, connect_timeout=5) as connection:
            assert connection.execute("SELECT count(*) FROM kept").fetchone() == (0,)
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(postgres.url, connect_timeout=5)


def test_the_shared_valkey_answers(redis_url: str) -> None:
    assert _ping(redis_url) == b"+PONG\r\n"


def test_a_valkey_of_ones_own_can_go_away_and_come_back() -> None:
    with running_valkey() as valkey:
        valkey.stop()
        with pytest.raises(OSError, match="refused"):
            _ping(valkey.url)
        valkey.start()
        assert _ping(valkey.url) == b"+PONG\r\n"
