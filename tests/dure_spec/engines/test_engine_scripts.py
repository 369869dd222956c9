"""Scripts tried on their own engine: what is run, what is left out, and on which line a refusal stands."""

from pathlib import Path

import psycopg
import pytest

from dure_spec.engines.engine import EngineAway
from dure_spec.engines.scripts import try_script
from dure_spec.engines.sql_script import split_script, with_schemas

_REAL = Path(__file__).parents[4] / "shared" / "data" / "ddl"


def _lines(text: str, url: str | None = None) -> list[tuple[int, str]]:
    return [(line, refusal.message) for line, refusal in try_script(text, url=url)]


def test_statements_end_at_semicolons_outside_texts_comments_and_bodies() -> None:
    text = """-- a; b
CREATE TABLE a (b text DEFAULT 'x;''y', "c;d" text); /* ; */ SELECT $$a;b$$;

CREATE FUNCTION f() RETURNS int AS $body$ BEGIN; RETURN 1; END $body$ LANGUAGE plpgsql;
SELECT E'it\\'s;'
"""
    assert [(statement.line, statement.sql[:15]) for statement in split_script(text)] == [
        (2, "CREATE TABLE a "),
        (2, "SELECT $$a;b$$"),
        (4, "CREATE FUNCTION"),
        (5, "SELECT E'it\\'s;"),
    ]


def test_data_of_copy_and_commands_of_psql_are_no_statements() -> None:
    text = "\\set ON_ERROR_STOP on\nCOPY a (b) FROM stdin;\n1;2\n\\.\n\nCREATE TABLE c (d int);\n"
    assert [(statement.line, statement.sql[:8]) for statement in split_script(text)] == [
        (2, "COPY a ("),
        (6, "CREATE T"),
    ]


@pytest.mark.parametrize(
    ("sql", "written"),
    [
        ('CREATE TABLE public.a (b "public".mood)', "CREATE TABLE a (b mood)"),
        ("SELECT 'public.a', my_public.a, x.public.a", "SELECT 'public.a', my_public.a, x.public.a"),
        ("CREATE TABLE shop . a (b int)", "CREATE TABLE trial.a (b int)"),
    ],
)
def test_schema_of_a_name_is_replaced_but_not_in_texts(sql: str, written: str) -> None:
    assert with_schemas(sql, {"public": "", "shop": "trial"}) == written


def test_sqlite_script_is_tried_with_its_triggers_and_without_reaching_a_file(tmp_path: Path) -> None:
    target = tmp_path / "out.db"
    text = f"""PRAGMA foreign_keys = ON;
BEGIN;
CREATE TABLE a (id integer PRIMARY KEY);
CREATE TRIGGER t AFTER INSERT ON a BEGIN
  DELETE FROM a WHERE id = 1; DELETE FROM a WHERE id = 2;
END;
ATTACH DATABASE '{target}' AS other;
VACUUM INTO '{target}';
CREATE TABLE b (id integer, id text);
COMMIT;
"""
    assert _lines(text) == [(9, "duplicate column name: id")]
    assert not target.exists()


def test_endless_statement_of_a_sqlite_script_is_cut_off() -> None:
    endless = "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r)"
    text = f"CREATE TABLE n (i);\nINSERT INTO n {endless} SELECT i FROM r;"
    ((line, refusal),) = try_script(text, steps=100_000)
    assert (line, refusal.message) == (2, "interrupted")


def test_postgresql_script_is_refused_at_its_line_with_its_state(postgres_url: str) -> None:
    text = "CREATE TABLE a (id int PRIMARY KEY);\n\nCREATE TABLE b (\n  a_id int REFERENCES nowhere (id)\n);\n"
    ((line, refusal),) = try_script(text, url=postgres_url)
    assert (line, refusal.sqlstate, refusal.message) == (3, "42P01", 'relation "nowhere" does not exist')


def test_what_is_about_the_server_and_not_the_schema_is_left_out(postgres_url: str) -> None:
    text = """BEGIN;
SET client_encoding = 'UTF8';
CREATE ROLE nobody_here;
CREATE DATABASE not_this_one;
CREATE EXTENSION IF NOT EXISTS plpgsql;
CREATE TABLE public.a (id int PRIMARY KEY);
ALTER TABLE public.a OWNER TO nobody_here;
GRANT ALL ON public.a TO nobody_here;
COPY public.a (id) FROM stdin;
1
\\.
SELECT pg_catalog.setval('nowhere', 1);
COMMIT;
"""
    assert _lines(text, postgres_url) == []
    with psycopg.connect(postgres_url, connect_timeout=5) as connection:
        found = connection.execute("SELECT to_regclass('public.a'), to_regrole('nobody_here')").fetchone()
    assert found == (None, None)


def test_schemas_that_a_script_names_are_the_trials_own(postgres_url: str) -> None:
    text = """CREATE SCHEMA IF NOT EXISTS shop;
CREATE TABLE shop.a (id int PRIMARY KEY);
CREATE TABLE crm.a (id int PRIMARY KEY, shop_id int REFERENCES shop.a (id));
SET search_path TO shop, public;
CREATE TABLE b (a_id int REFERENCES a (id));
CREATE TABLE c (b_id int REFERENCES shop.nope (id));
"""
    assert [line for line, _ in _lines(text, postgres_url)] == [6]
    with psycopg.connect(postgres_url, connect_timeout=5) as connection:
        assert connection.execute("SELECT to_regnamespace('shop'), to_regnamespace('crm')").fetchone() == (None, None)


def test_types_of_an_extension_are_there_for_the_trial_or_the_script_is_not_judged(postgres_url: str) -> None:
    text = "CREATE EXTENSION IF NOT EXISTS {};\nCREATE TABLE a (id int PRIMARY KEY, b {});"
    with psycopg.connect(postgres_url, connect_timeout=5) as connection:
        found = connection.execute("SELECT name FROM pg_available_extensions").fetchall()
    available = {name for (name,) in found}
    if "citext" in available:
        assert _lines(text.format("citext", "citext"), postgres_url) == []
    if "postgis" not in available:
        with pytest.raises(EngineAway, match="postgis"):
            try_script(text.format("postgis", "geometry"), url=postgres_url)


@pytest.mark.parametrize("name", ["chinook_pg", "defog_ewallet", "northwind_pg", "petclinic_pg", "sakila_pg"])
def test_real_schema_is_taken_whole(postgres_url: str, name: str) -> None:
    path = _REAL / f"{name}.sql"
    if not path.exists():
        pytest.skip("the shared schemas are not here")
    assert _lines(path.read_text(encoding="utf-8"), postgres_url) == []
