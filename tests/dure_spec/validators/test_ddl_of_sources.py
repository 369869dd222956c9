"""V12 of schemas that somebody else wrote: nothing is complained of that their own engine takes."""

from pathlib import Path

import pytest

from dure_spec.artifacts import Artifacts
from dure_spec.artifacts.erd import Dialect
from dure_spec.lint.reading import read_source
from dure_spec.validators import Policy
from dure_spec.validators.ddl_execution import check_ddl
from dure_spec.validators.index import build_index

_REAL = Path(__file__).parents[4] / "shared" / "data" / "ddl"


def _source(text: str, dialect: Dialect, policy: Policy | None = None) -> list[tuple[str, str]]:
    source = read_source(text, dialect)
    policy = policy or Policy(lang="en", origin="source", dialect=dialect)
    found = list(check_ddl(build_index(Artifacts(erd=source.erd)), policy))
    return [(draft.ref, draft.text.write("en", draft.values)) for draft in found]


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        (
            "postgresql",
            "CREATE TYPE mood AS ENUM ('a'); CREATE DOMAIN year AS integer CHECK (VALUE > 1900);\n"
            "CREATE TABLE t (id serial PRIMARY KEY, m mood, y year, v vector(3), s tsvector, g geometry(Point, 4326), "
            "n my_schema.own_type, p money DEFAULT '$0', c citext CHECK (my_check(c)), "
            "d integer DEFAULT nextval('t_id_seq'::regclass), k text CHECK (other.fits(k)), e int4range, "
            "CHECK (to_tsvector('english', k) IS NOT NULL), EXCLUDE USING gist (e WITH &&));",
        ),
        (
            "mysql",
            "CREATE TABLE t (id int unsigned NOT NULL AUTO_INCREMENT, e enum('a','b') DEFAULT 'a', s set('a','b'), "
            "j json, b bit(8) DEFAULT b'0', y year, m mediumtext, g geometry, d datetime(6) DEFAULT "
            "CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6), z date DEFAULT '0000-00-00', CHECK (json_valid(j)), "
            'CHECK (m <> "text in quotes"), PRIMARY KEY (id), KEY k (m(20)), FULLTEXT KEY f (m));',
        ),
        (
            "oracle",
            "CREATE TABLE t (id NUMBER(6) GENERATED ALWAYS AS IDENTITY, c VARCHAR2(20 BYTE) DEFAULT SYS_GUID(), "
            "d DATE DEFAULT SYSDATE, x XMLTYPE, r ROWID, o MDSYS.SDO_GEOMETRY, b BLOB, "
            "CONSTRAINT k CHECK (REGEXP_LIKE(c, '^A') AND own_package.fits(c) = 1), CONSTRAINT p PRIMARY KEY (id));",
        ),
        (
            "sqlite",
            "CREATE TABLE t (id INTEGER PRIMARY KEY, n, a ANYTHING, d DEFAULT (datetime('now')), "
            "CHECK (typeof(n) = \"text\" AND n GLOB 'a*'));",
        ),
    ],
)
def test_source_is_not_blamed_for_what_its_own_engine_takes(dialect: Dialect, text: str) -> None:
    assert _source(text, dialect) == []


@pytest.mark.parametrize("dialect", ["postgresql", "mysql", "oracle", "sqlite"])
def test_source_whose_check_or_index_names_a_missing_column_is_blamed(dialect: Dialect) -> None:
    text = "CREATE TABLE t (id int PRIMARY KEY, size int, CHECK (siez > 0));"
    assert [ref for ref, _ in _source(text, dialect)] == ["ddl:t.id"]
    text = "CREATE TABLE t (id int PRIMARY KEY, size int CHECK (siez > 0));"
    ((ref, said),) = _source(text, dialect)
    assert ref in ("ddl:t.size", "ddl:t.id")
    assert "'siez'" in said


def test_source_of_postgresql_with_a_default_that_is_no_number_is_blamed() -> None:
    ((ref, said),) = _source("CREATE TABLE t (id int PRIMARY KEY, size int DEFAULT 'none');", "postgresql")
    assert (ref, said) == ("ddl:t.size", "default 'none' is no value of int")


@pytest.mark.parametrize("path", sorted(_REAL.glob("*.sql")), ids=lambda path: path.stem)
def test_real_file_that_loads_on_its_own_engine_has_no_finding(path: Path) -> None:
    source = read_source(path.read_text(encoding="utf-8"))
    policy = Policy(lang="en", origin="source", dialect=source.dialect)
    assert list(check_ddl(build_index(Artifacts(erd=source.erd)), policy)) == []
