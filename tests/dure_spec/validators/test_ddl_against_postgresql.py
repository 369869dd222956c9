"""What V12 says of checks and defaults without a server is what PostgreSQL itself says of them."""

import pytest
from things_schema import COLUMNS, checked, column, critical, refused, said, things

from dure_spec.derive.ddl import create_statements
from dure_spec.engines.opening import open_engine

_BAD_CHECKS = (
    "stock > 0",
    "qty > 0 AND stock_count > 0",
    "x.qty > 0",
    "qty => 0",
    "qty >= 0 AND",
    "(qty > 0",
    "qty > 0)",
    "qty == 0",
    "qty BETWEEN 1",
    "qty in ()",
    "qty > 0;",
    "0 < qty < 5",
    "qty >= 0 && qty < 5",
    "qty >= 0 || qty < 5",
    "name REGEXP '^a'",
    "name GLOB 'a*'",
    "qty XOR 1",
    "CASE WHEN active THEN qty > 0",
    "foo(qty) > 0",
    "len(name) > 3",
    "ifnull(qty,0) > 0",
    "nvl(qty,0) > 0",
    "isnull(qty,0) > 0",
    "if(active,1,0) = 1",
    "datediff(ends_at, starts_at) > 1",
    "name IN (SELECT name FROM things)",
    "sum(qty) > 0",
    "count(*) > 1",
    "name > 3",
    "name IN (1,2)",
    "name = \"abc\"",
    "qty = 'abc'",
    "price > 'abc'",
    "qty <> name",
    "qty",
    "qty LIKE '1%'",
    "qty ~ '^1'",
    "lower(qty) = 'a'",
    "length(qty) > 1",
    "round(name) > 1",
    "active = 1",
    "active IN (0,1)",
    "active <> 'x'",
    "starts_at > 5",
    "day > 20200101",
    "day = '2020-13-45'",
    "key = 'abc'",
    "name = 'a' and 'b'",
    "name = 'a' or 'b'",
)  # fmt: skip
_GOOD_CHECKS = (
    "qty > 0",
    "_ > 0",
    "things.qty > 0",
    "qty = '3'",
    "qty > -1",
    "qty > 1.5",
    "qty % 2 = 0",
    "qty NOT BETWEEN 1 AND 5",
    "qty IS NOT NULL",
    "qty > 0 -- at least one",
    "qty /* pieces */ > 0",
    "mod(qty, 2) = 0",
    "abs(qty) < 5",
    "greatest(qty, 0) = qty",
    "qty = ANY (ARRAY[1,2])",
    "qty::text ~ '1'",
    "cast(qty as text) <> ''",
    "(qty > 0) = active",
    "num_nonnulls(qty, name) = 1",
    "coalesce(qty, 0) >= 0",
    "order > 0",
    "\"order\" > 0",
    "length(name) > 3",
    "char_length(name) BETWEEN 1 AND 5",
    "name ~ '^[a-z]+$'",
    "name ILIKE 'x%'",
    "name SIMILAR TO '(a|b)%'",
    "name IN ('a','b')",
    "name = 'it''s'",
    "name COLLATE \"C\" > 'a'",
    "upper(name) = name",
    "substring(name from 1 for 2) = 'AB'",
    "trim(both ' ' from name) <> ''",
    "position('@' in name) > 1",
    "current_user = name",
    "active",
    "NOT active",
    "active AND qty > 0",
    "active = true",
    "active = 'yes'",
    "CASE WHEN active THEN qty > 0 ELSE true END",
    "ends_at > starts_at",
    "starts_at > '2020-01-01'",
    "starts_at > 'yesterday'",
    "starts_at > DATE '2020-01-01'",
    "starts_at <= now()",
    "day <= current_date",
    "starts_at + interval '1 day' < ends_at",
    "ends_at - starts_at < interval '3 days'",
    "age(ends_at, starts_at) > interval '1 day'",
    "extract(year from starts_at) > 2000",
    "date_part('year', starts_at) > 2000",
    "price BETWEEN 0 AND 100",
    "round(price, 2) = price",
    "data ? 'a'",
    "data->>'a' = 'b'",
    "jsonb_typeof(data) = 'object'",
    "array_length(tags, 1) < 5",
    "cardinality(tags) < 5",
    "tags @> ARRAY['x']",
    "'x' = ANY(tags)",
)  # fmt: skip


@pytest.mark.parametrize("check", _BAD_CHECKS)
def test_check_that_postgresql_refuses_is_critical_at_the_check(check: str, postgres_url: str) -> None:
    drafts = said(checked(check))
    assert critical(drafts)
    assert {(draft.path, draft.ref) for draft in drafts} == {("/tables/0/columns/11/check", "ddl:things.qty")}
    assert refused(checked(check), postgres_url)


@pytest.mark.parametrize("check", _GOOD_CHECKS)
def test_check_that_postgresql_takes_is_not_flagged(check: str, postgres_url: str) -> None:
    assert [draft.text.write("en", draft.values) for draft in said(checked(check))] == []
    assert not refused(checked(check), postgres_url)


_BAD_DEFAULTS = (
    ("integer", "none"),
    ("integer", ""),
    ("integer", "now()"),
    ("integer", "gen_random_uuid()"),
    ("integer", "foo()"),
    ("numeric(10,2)", ""),
    ("boolean", "maybe"),
    ("boolean", 2),
    ("boolean", "now()"),
    ("date", "abc"),
    ("date", ""),
    ("date", "2020"),
    ("date", "2020-02-30"),
    ("date", "0000-00-00"),
    ("time", "25:99"),
    ("interval", "x"),
    ("timestamptz", "2026-01-01 25:00"),
    ("uuid", "abc"),
    ("jsonb", "x"),
    ("jsonb", ""),
)
_GOOD_DEFAULTS = (
    ("integer", "5"),
    ("integer", 1.5),
    ("integer", "NULL"),
    ("bigint", 99999999999),
    ("numeric", "NaN"),
    ("double precision", "random()"),
    ("boolean", "true"),
    ("boolean", 1),
    ("date", "2020-01-01"),
    ("date", "now()"),
    ("date", "today"),
    ("date", "CURRENT_DATE"),
    ("time", "12:00"),
    ("interval", "1 day"),
    ("timestamptz", "now()"),
    ("timestamptz", "yesterday"),
    ("timestamptz", "CURRENT_TIMESTAMP"),
    ("uuid", "gen_random_uuid()"),
    ("uuid", "uuid_generate_v4()"),
    ("varchar(40)", "gen_random_uuid()"),
    ("varchar(20)", "now()"),
    ("text", 5),
    ("text", True),
    ("text", "foo"),
    ("jsonb", "{}"),
    ("text[]", "{}"),
    ("bytea", "x"),
)


@pytest.mark.parametrize(("kind", "default"), _BAD_DEFAULTS)
def test_default_that_postgresql_refuses_is_critical(kind: str, default: object, postgres_url: str) -> None:
    erd = things(column("qty", kind, default=default))
    drafts = said(erd)
    assert critical(drafts)
    assert {draft.path for draft in drafts} == {"/tables/0/columns/11/default"}
    assert refused(erd, postgres_url)


@pytest.mark.parametrize(("kind", "default"), _GOOD_DEFAULTS)
def test_default_that_postgresql_takes_is_not_flagged(kind: str, default: object, postgres_url: str) -> None:
    erd = things(column("qty", kind, default=default))
    assert said(erd) == []
    assert not refused(erd, postgres_url)


@pytest.mark.parametrize(
    ("kind", "default"),
    [("varchar(3)", "abcdef"), ("smallint", 40000), ("numeric(3,2)", 1000), ("integer", 99999999999)],
)
def test_default_that_no_row_can_take_is_major_because_the_table_itself_is_taken(
    kind: str, default: object, postgres_url: str
) -> None:
    erd = things(column("qty", kind, default=default))
    assert [draft.severity for draft in said(erd)] == ["major"]
    with open_engine(postgres_url) as engine:
        assert engine.execute(create_statements(erd)) == ()
        names = ", ".join(f'"{column["name"]}"' for column in COLUMNS)
        values = "1, 'a', now(), now(), true, 1, '{}', '{}', gen_random_uuid(), now(), 1"
        (refusal,) = engine.insert([f"INSERT INTO things ({names}) VALUES ({values})"])
        assert refusal.sqlstate.startswith("22")
