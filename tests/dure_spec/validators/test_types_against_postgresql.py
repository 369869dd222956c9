"""What V12 says of types without a server is what PostgreSQL itself says of them."""

import pytest
from things_schema import column, critical, said, things

from dure_spec.artifacts import Artifacts
from dure_spec.engines.opening import open_engine
from dure_spec.validators.ddl_execution import check_ddl
from dure_spec.validators.index import build_index
from dure_spec.validators.policy import Policy


@pytest.mark.parametrize(
    "kind",
    ["varchar(0)", "char(0)", "varchar(20000000)", "numeric(0)", "numeric(2000)", "varchar(max)", "varchar(10 char)"],
)
def test_size_that_postgresql_does_not_know_is_critical(kind: str, postgres_url: str) -> None:
    erd = things(column("qty", kind))
    assert critical(said(erd))
    with open_engine(postgres_url) as engine:
        assert engine.execute([f"CREATE TABLE raw (qty {kind})"])


@pytest.mark.parametrize(
    "kind",
    "datetime datetime2 tinyint mediumint double varchar2(10) nvarchar(10) number(10) string blob longtext clob "
    "uniqueidentifier year binary(3) int%20unsigned long image raw(16)".split(),
)
def test_word_of_another_engine_is_critical_and_replaced_by_one_that_postgresql_takes(
    kind: str, postgres_url: str
) -> None:
    kind = kind.replace("%20", " ")
    (draft,) = said(things(column("qty", kind)))
    assert draft.severity == "critical"
    assert [(step.op, step.stage, step.path, step.value) for step in draft.patch] == [
        ("test", "dba", "/tables/0/columns/11/type", kind),
        ("replace", "dba", "/tables/0/columns/11/type", draft.expected),
    ]
    assert said(things(column("qty", draft.expected))) == []
    with open_engine(postgres_url) as engine:
        words = [f"CREATE TABLE raw (qty {kind})", f"CREATE TABLE fine (qty {draft.expected})"]
        assert [refusal.number for refusal in engine.execute(words)] == [0]


@pytest.mark.parametrize(
    "kind",
    "int4 int8 serial bool text xml inet cidr macaddr tsvector tsquery point box circle polygon int4range daterange "
    "tstzrange bit(3) varbit(9) money oid name real jsonb uuid bytea interval time timetz timestamp(6) char(2) "
    "text[] numeric(3,2) numeric(10,-2) float(24)".split(),
)
def test_type_of_its_own_is_not_flagged_and_takes_the_sample_rows(kind: str, postgres_url: str) -> None:
    erd = things(column("qty", kind))
    policy = Policy(lang="en", postgresql=postgres_url)
    assert list(check_ddl(build_index(Artifacts(erd=erd)), policy)) == []
    with open_engine(postgres_url) as engine:
        assert engine.execute([f"CREATE TABLE raw (qty {kind})"]) == ()
