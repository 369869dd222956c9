"""A PostgreSQL server of somebody else's: nothing stays on it, no wait is endless, no secret is told."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import psycopg
import pytest
from postgres_server import PASSWORD, running_postgres

from dure.errors import ConfigError
from dure_spec.engines.engine import EngineAway
from dure_spec.engines.opening import open_engine, probe_postgresql
from dure_spec.engines.postgresql import open_postgresql

_TABLE = "CREATE TABLE things (id integer PRIMARY KEY)"


def _left(url: str) -> list[tuple[str, ...]]:
    """Schemas and tables of trials that anybody can see."""
    with psycopg.connect(url, connect_timeout=5) as connection:
        return connection.execute(
            "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'dure_trial%' "
            "UNION SELECT relname FROM pg_class WHERE relname = 'things'"
        ).fetchall()


def test_nothing_stays_after_a_trial_nor_after_one_that_broke_off(postgres_url: str) -> None:
    with open_engine(postgres_url) as engine:
        assert engine.execute([_TABLE]) == ()
        assert _left(postgres_url) == []
    with suppress(RuntimeError), open_engine(postgres_url) as engine:
        engine.execute([_TABLE])
        raise RuntimeError
    assert _left(postgres_url) == []


@pytest.mark.parametrize(
    "sql", ["COMMIT", "; COMMIT", "/* x */ COMMIT", "-- x\nEND", "ROLLBACK", "PREPARE TRANSACTION 'a'"]
)
def test_no_statement_can_end_the_transaction(postgres_url: str, sql: str) -> None:
    with open_engine(postgres_url) as engine:
        assert [refusal.number for refusal in engine.execute([_TABLE, sql])] == [1]
        assert [refusal.number for refusal in engine.execute([f"COMMENT ON TABLE things IS 'a'; {sql}"])] == [0]
        assert [refusal.number for refusal in engine.insert(["INSERT INTO things VALUES (1)", sql])] == [1]
        assert [table.name for table in engine.catalogue()] == ["things"]
    assert _left(postgres_url) == []


def test_nothing_stays_when_the_process_is_killed_in_the_middle(postgres_url: str) -> None:
    script = (
        "import os, signal, sys\n"
        "from dure_spec.engines.opening import open_engine\n"
        "with open_engine(sys.argv[1]) as engine:\n"
        f"    assert engine.execute(['{_TABLE}']) == ()\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, postgres_url], timeout=30, check=False, capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert _left(postgres_url) == []


def test_two_trials_at_once_do_not_meet(postgres_url: str) -> None:
    with open_engine(postgres_url) as one, open_engine(postgres_url) as other:
        assert one.execute([_TABLE]) == ()
        assert other.execute([_TABLE]) == ()
        assert [table.name for table in one.catalogue()] == ["things"]


def test_table_of_the_database_is_neither_seen_nor_referenced(postgres_url: str) -> None:
    with psycopg.connect(postgres_url, connect_timeout=5, autocommit=True) as connection:
        connection.execute("CREATE TABLE public.of_the_house (id integer PRIMARY KEY)")
        try:
            with open_engine(postgres_url) as engine:
                (refusal,) = engine.execute(["CREATE TABLE a (id integer REFERENCES of_the_house (id))"])
                assert refusal.sqlstate == "42P01"
        finally:
            connection.execute("DROP TABLE public.of_the_house")


def test_statement_that_takes_too_long_is_no_fault_of_the_design(postgres_url: str) -> None:
    before = time.monotonic()
    with pytest.raises(EngineAway, match="no answer"), open_postgresql(postgres_url, seconds=0.5) as engine:
        engine.execute(["SELECT pg_sleep(20)"])
    assert time.monotonic() - before < 10


def test_server_that_goes_away_in_the_middle_is_told_and_takes_the_trial_with_it() -> None:
    with running_postgres() as postgres:
        with open_engine(postgres.url) as engine:
            postgres.stop()
            with pytest.raises(EngineAway) as caught:
                engine.execute([_TABLE])
        assert PASSWORD not in str(caught.value)


def test_role_that_may_not_create_a_schema_is_told_what_it_needs() -> None:
    with running_postgres() as postgres:
        with psycopg.connect(postgres.admin_url, autocommit=True, connect_timeout=5) as admin:
            admin.execute(f"CREATE ROLE reader LOGIN PASSWORD '{PASSWORD}'")
        url = postgres.url.replace("designer:", "reader:")
        with pytest.raises(ConfigError, match="GRANT CREATE ON DATABASE") as caught:
            probe_postgresql(url)
    assert PASSWORD not in str(caught.value)


def test_server_that_is_there_passes_the_probe(postgres_url: str) -> None:
    probe_postgresql(postgres_url)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://me:s3cret%21word@127.0.0.1:1/none",
        "postgresql://me:s3cret%21word@/none?host=127.0.0.1&port=1",
        "postgresql://127.0.0.1:1/none?user=me&password=s3cret%21word",
        "postgresql://me:s3cret!word@127.0.0.1:port/none",
        "postgresql://me:here@s3cret@127.0.0.1:5432/none",
        "postgresql://me:s3cret!word#1@127.0.0.1/none",
        "mysql://me:s3cret!word@127.0.0.1/none",
        "me:s3cret!word",
        "postgresql://me:s3cret!word@127.0.0.1:1/none?no_such_option=1",
    ],
)
def test_no_secret_of_the_url_is_in_the_message(url: str) -> None:
    with pytest.raises(ConfigError) as caught:
        probe_postgresql(url)
    told = f"{caught.value!r} {caught.value.__cause__!r} {caught.value.__context__!r}"
    assert "s3cret" not in told
    assert "PostgreSQL" in told or "postgresql" in told


def test_wrong_password_is_told_without_the_password(postgres_url: str) -> None:
    with pytest.raises(ConfigError, match="SQLite alone") as caught:
        probe_postgresql(postgres_url.replace(PASSWORD, "wr0ng-one"))
    assert "password authentication failed" in str(caught.value)
    assert "wr0ng-one" not in str(caught.value)


@contextmanager
def _silent_port() -> Generator[int]:
    """Somebody who listens and never says a word."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        yield int(listening.getsockname()[1])


def test_port_that_never_answers_is_given_up() -> None:
    before = time.monotonic()
    with _silent_port() as port, pytest.raises(ConfigError, match=f"127.0.0.1:{port}"):
        probe_postgresql(f"postgresql://me@127.0.0.1:{port}/none")
    assert time.monotonic() - before < 10


def test_without_psycopg_the_extra_is_named(tmp_path: Path) -> None:
    (tmp_path / "psycopg.py").write_text("raise ImportError('not here')\n", encoding="utf-8")
    script = (
        "from dure.errors import ConfigError\n"
        "from dure_spec.engines.opening import open_engine, probe_postgresql\n"
        "with open_engine() as engine:\n"
        "    print(engine.name)\n"
        "try:\n"
        "    probe_postgresql('postgresql://127.0.0.1/none')\n"
        "except ConfigError as error:\n"
        "    print(error)\n"
    )
    environ = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environ, timeout=30, check=True, capture_output=True, text=True
    )
    assert done.stdout.splitlines() == ["SQLite", "PostgreSQL needs psycopg: pip install 'dure[postgres]'"]
