"""Which engine a schema is tried on: SQLite always, PostgreSQL by URL where psycopg is installed."""

from collections.abc import Generator
from contextlib import contextmanager

from dure.errors import ConfigError
from dure_spec.engines.engine import Engine, EngineAway
from dure_spec.engines.sqlite import STEPS, open_sqlite


@contextmanager
def open_engine(url: str | None = None, *, steps: int = STEPS) -> Generator[Engine]:
    """PostgreSQL where there is a URL, else SQLite.

    Raises:
        ConfigError: the URL is none, psycopg is not installed, or the role may not create a schema.
        EngineAway: nobody answers, or the server refuses the role.
    """
    if url is None:
        with open_sqlite(steps=steps) as engine:
            yield engine
        return
    try:
        from dure_spec.engines.postgresql import open_postgresql
    except ImportError as error:
        raise ConfigError("PostgreSQL needs psycopg: pip install 'dure[postgres]'") from error
    with open_postgresql(url) as engine:
        yield engine


def probe_postgresql(url: str) -> None:
    """Make sure, before a run begins, that a schema can be tried on the server.

    Raises:
        ConfigError: it cannot; the text says why, without the URL's secrets.
    """
    try:
        with open_engine(url):
            pass
    except EngineAway as error:
        raise ConfigError(f"{error}; set the URL right, or leave it out to try the design on SQLite alone") from error
