"""A whole script of PostgreSQL's own, tried and rolled back."""

import re

from dure_spec.engines.engine import EngineAway, Refusal
from dure_spec.engines.postgresql import refusal_of
from dure_spec.engines.postgresql_session import Session, open_session
from dure_spec.engines.sql_script import (
    Statement,
    is_schema_statement,
    schemas_named,
    search_path_of,
    split_script,
    with_schemas,
)

_EXTENSION = re.compile(r'\s*CREATE\s+EXTENSION\s+(?:IF\s+NOT\s+EXISTS\s+)?"?(?P<name>[\w-]+)"?', re.IGNORECASE)
# extensions that bring types and functions of columns; any other says nothing about a schema
_TYPES = frozenset(
    "citext uuid-ossp pgcrypto hstore ltree pg_trgm btree_gin btree_gist intarray unaccent cube earthdistance isn seg "
    "fuzzystrmatch tablefunc postgis vector".split()
)
_NOT_ALLOWED = "42501"
_WHERE = """
SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = '{name}'
"""


def try_postgresql_script(url: str, text: str) -> tuple[tuple[int, Refusal], ...]:
    """Run a whole script, and roll it back; what was refused, each with the line on which its statement begins.

    Only statements about the schema and its rows are run: roles, owners, settings, COPY and transactions are left
    out, and so is what only a superuser may. Schemas that the script names are schemas of the trial, so that nothing
    of the database is met.

    Raises:
        ConfigError: the URL is none, or the role may not create a schema.
        EngineAway: nobody answers, the server goes away, or it lacks an extension whose types the script uses.
    """
    statements = tuple(split_script(text))
    found: list[tuple[int, Refusal]] = []
    with open_session(url) as session:
        schemas = {name: session.add_schema() for name in schemas_named(statements) if name != "public"}
        schemas["public"] = ""
        _add_extensions(session, statements)
        for number, statement in enumerate(statements):
            path = search_path_of(statement.sql)
            if path is not None:
                session.look_in([schemas[name] for name in path if schemas.get(name)])
            elif is_schema_statement(statement.sql):
                sql = with_schemas(statement.sql, schemas)
                failure = session.attempt(sql)
                if failure is not None and failure.sqlstate != _NOT_ALLOWED:
                    found.append((statement.line, refusal_of(number, sql, failure)))
    return tuple(found)


def _add_extensions(session: Session, statements: tuple[Statement, ...]) -> None:
    """Bring in the types of extensions: for the trial, or from where the database has them."""
    for statement in statements:
        match = _EXTENSION.match(statement.sql)
        name = match["name"].lower() if match else ""
        if name not in _TYPES:
            continue
        present = session.rows(_WHERE.format(name=name))
        if present:
            session.look_also_in(present[0][0])
            continue
        failure = session.attempt(f'CREATE EXTENSION "{name}" SCHEMA {session.schema}')
        if failure is not None:
            raise EngineAway(f"the script needs the extension {name!r}: {failure.message}")
