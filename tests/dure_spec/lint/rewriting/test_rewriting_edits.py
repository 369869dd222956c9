"""The smallest edits: what each correction changes in the text, and what stays byte for byte."""

from collections.abc import Callable

from dure_spec.artifacts.erd import Column, Dialect, Erd, Table
from dure_spec.lint.reading import read_source
from dure_spec.lint.rewriting import Rewrite, rewritten

_AUDIT = Column(name="created_at", logical="created_at", type="timestamptz", default="now()")


def _fixed(erd: Erd, name: str, change: Callable[[Table], Table]) -> Erd:
    return erd.model_copy(
        update={"tables": tuple(change(table) if table.name == name else table for table in erd.tables)}
    )


def _column(table: Table, which: str, /, **update: object) -> Table:
    columns = tuple(c.model_copy(update=update) if c.name == which else c for c in table.columns)
    return table.model_copy(update={"columns": columns})


def _rewrite(sql: str, name: str, change: Callable[[Table], Table], dialect: Dialect = "postgresql") -> Rewrite:
    source = read_source(sql, dialect)
    return rewritten(source, _fixed(source.erd, name, change))


def _with(*columns: Column, first: bool = False) -> Callable[[Table], Table]:
    def change(table: Table) -> Table:
        together = (*columns, *table.columns) if first else (*table.columns, *columns)
        return table.model_copy(update={"columns": together})

    return change


def test_a_table_is_renamed_wherever_it_is_named_and_in_no_comment_or_text() -> None:
    sql = (
        '-- order is a word\nDROP TABLE IF EXISTS public."order";\nCREATE TABLE public."order" (id int PRIMARY KEY);\n'
        'CREATE TABLE line (order_id int REFERENCES public."order" (id), "order" int, t text DEFAULT \'order\');\n'
        'COMMENT ON TABLE "order" IS \'the order\';\nCREATE VIEW v AS SELECT o.id FROM "order" o JOIN line ON true;\n'
        'INSERT INTO "order" (id) VALUES (1);\nGRANT SELECT ON "order" TO someone;\n'
    )
    source = read_source(sql, "postgresql")
    tables = source.erd.tables
    line = _column(tables[1], "order_id", fk="orders.id")
    fixed = source.erd.model_copy(update={"tables": (tables[0].model_copy(update={"name": "orders"}), line)})
    result = rewritten(source, fixed)
    assert result.text == (
        '-- order is a word\nDROP TABLE IF EXISTS public."orders";\n'
        'CREATE TABLE public."orders" (id int PRIMARY KEY);\n'
        'CREATE TABLE line (order_id int REFERENCES public."orders" (id), "order" int, t text DEFAULT \'order\');\n'
        'COMMENT ON TABLE "orders" IS \'the order\';\nCREATE VIEW v AS SELECT o.id FROM "orders" o JOIN line ON true;\n'
        'INSERT INTO "orders" (id) VALUES (1);\nGRANT SELECT ON "orders" TO someone;\n'
    )
    assert result.notes == ()


def test_a_column_is_renamed_in_keys_checks_indexes_and_triggers() -> None:
    sql = (
        "CREATE TABLE t (UserName text CHECK (length(UserName) > 1), b int, UNIQUE (username, b));\n"
        "CREATE INDEX i ON t (lower(UserName)) WHERE UserName <> 'UserName';\n"
        "CREATE TRIGGER g BEFORE UPDATE ON t WHEN (NEW.UserName IS NULL) EXECUTE FUNCTION f();\n"
        "COPY t (UserName, b) FROM stdin;\nUserName\t1\n\\.\n"
    )
    result = _rewrite(
        sql,
        "t",
        lambda table: _column(table, "UserName", name="user_name").model_copy(
            update={"uniques": (("user_name", "b"),)}
        ),
    )
    assert result.text == (
        "CREATE TABLE t (user_name text CHECK (length(user_name) > 1), b int, UNIQUE (user_name, b));\n"
        "CREATE INDEX i ON t (lower(user_name)) WHERE user_name <> 'UserName';\n"
        "CREATE TRIGGER g BEFORE UPDATE ON t WHEN (NEW.user_name IS NULL) EXECUTE FUNCTION f();\n"
        "COPY t (user_name, b) FROM stdin;\nUserName\t1\n\\.\n"
    )


def test_quotes_are_kept_and_added_only_where_a_name_needs_them() -> None:
    sql = "CREATE TABLE [A B] ([c d] INTEGER, e TEXT, `f` TEXT);"

    def change(table: Table) -> Table:
        table = _column(_column(table, "c d", name="c_d"), "e", name="select")
        return _column(table, "f", name="g").model_copy(update={"name": "a_b"})

    assert _rewrite(sql, "A B", change, "sqlite").text == 'CREATE TABLE [a_b] ([c_d] INTEGER, "select" TEXT, `g` TEXT);'


def test_what_may_mean_something_else_is_left_and_told() -> None:
    sql = (
        "CREATE TABLE a (name text);\nCREATE TABLE b (name text);\nCREATE VIEW v AS SELECT name FROM a, b;\n"
        "CREATE FUNCTION f() RETURNS int AS $$\nSELECT name FROM a\n$$ LANGUAGE sql;\n"
    )
    result = _rewrite(sql, "a", lambda table: _column(table, "name", name="title").model_copy(update={"name": "c"}))
    assert "SELECT name FROM c, b" in result.text
    assert [note.split(":")[0] for note in result.notes] == ["line 3", "line 4"]


def test_types_and_not_null_change_in_place() -> None:
    sql = "CREATE TABLE t (\n\ta  REAL NULL, -- money\n\tb text DEFAULT 'x',\n\tc int NOT NULL\n);\n"

    def change(table: Table) -> Table:
        table = _column(table, "a", type="numeric(12,2)", null=False)
        return _column(_column(table, "b", null=False, uq=True), "c", null=True)

    assert _rewrite(sql, "t", change).text == (
        "CREATE TABLE t (\n\ta  numeric(12,2) NOT NULL, -- money\n\tb text DEFAULT 'x' NOT NULL UNIQUE,\n\tc int\n);\n"
    )


def test_columns_are_added_with_the_indentation_of_their_neighbours() -> None:
    sql = "CREATE TABLE t (\r\n    a int, -- first\r\n    b int -- last\r\n);\r\n"
    key = Column(name="id", logical="id", type="bigint", pk=True)
    result = _rewrite(sql, "t", lambda table: _with(_AUDIT)(_with(key, first=True)(table)))
    assert result.text == (
        "CREATE TABLE t (\r\n    id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,\r\n    a int, -- first\r\n"
        "    b int, -- last\r\n    created_at timestamptz NOT NULL DEFAULT now()\r\n);\r\n"
    )


def test_commas_that_lead_go_on_leading() -> None:
    sql = "CREATE TABLE t\n  ( a NUMBER(4)\n  , b VARCHAR2(9)\n  ) ;\n"
    result = _rewrite(
        sql, "t", lambda table: _with(_AUDIT)(table).model_copy(update={"uniques": (("a", "b"),)}), "oracle"
    )
    assert result.text.splitlines()[2:6] == [
        "  , b VARCHAR2(9)",
        "  , created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL",
        "  , UNIQUE (a, b)",
        "  ) ;",
    ]
    assert read_source(result.text, "oracle").faults == ()


def test_columns_of_one_line_stay_on_it() -> None:
    result = _rewrite("create table t (a int, b int);", "t", _with(_AUDIT))
    assert result.text == "create table t (a int, b int, created_at timestamptz NOT NULL DEFAULT now());"


def test_new_columns_stand_before_the_keys_that_close_a_table() -> None:
    sql = "CREATE TABLE t (\n  a int,\n  PRIMARY KEY (a)\n);\n"
    assert "  a int,\n  created_at" in _rewrite(sql, "t", _with(_AUDIT)).text


def test_indexes_follow_the_last_statement_about_their_table() -> None:
    sql = "CREATE TABLE s.t (a int, b int);\nALTER TABLE s.t ADD PRIMARY KEY (a); -- key\nCREATE TABLE ix_t_b (x int);"
    result = _rewrite(sql, "t", lambda table: table.model_copy(update={"indexes": (("b",),)}))
    assert result.text == (
        "CREATE TABLE s.t (a int, b int);\nALTER TABLE s.t ADD PRIMARY KEY (a); -- key\n"
        "CREATE INDEX ix_t_b_2 ON s.t (b);\nCREATE TABLE ix_t_b (x int);"
    )


def test_a_reference_goes_to_another_target_and_acts_otherwise() -> None:
    sql = (
        "CREATE TABLE p (id int PRIMARY KEY);\nCREATE TABLE t (a int NOT NULL,\n"
        "  FOREIGN KEY (a) REFERENCES public.q (no) ON DELETE SET NULL ON UPDATE CASCADE);"
    )
    result = _rewrite(sql, "t", lambda table: _column(table, "a", fk="p.id", on_delete="RESTRICT"))
    assert "REFERENCES public.p (id) ON DELETE RESTRICT ON UPDATE CASCADE" in result.text


def test_a_new_reference_comes_by_alter_table() -> None:
    sql = "CREATE TABLE p (id int PRIMARY KEY);\nCREATE TABLE t (p_id int);\n"
    result = _rewrite(sql, "t", lambda table: _column(table, "p_id", fk="p.id", on_delete="CASCADE"))
    assert result.text == f"{sql[:-1]}\nALTER TABLE t ADD FOREIGN KEY (p_id) REFERENCES p (id) ON DELETE CASCADE;\n"


def test_a_parent_gives_its_children_what_it_gets() -> None:
    sql = "CREATE TABLE p (a int);\nCREATE TABLE c () INHERITS (p);\n"
    source = read_source(sql, "postgresql")
    fixed = source.erd.model_copy(update={"tables": tuple(_with(_AUDIT)(table) for table in source.erd.tables)})
    result = rewritten(source, fixed)
    assert result.text.count("created_at") == 1
    assert read_source(result.text, "postgresql").erd == fixed


def test_what_no_edit_says_is_told() -> None:
    sql = "CREATE TABLE t (a int PRIMARY KEY DEFAULT 1, b int UNIQUE);\nCREATE TABLE u (x int);"
    source = read_source(sql, "postgresql")
    changed = _column(_column(source.erd.tables[0], "a", default=2), "b", uq=False)
    new = source.erd.tables[1].model_copy(update={"name": "new"})
    result = rewritten(source, source.erd.model_copy(update={"tables": (changed, source.erd.tables[1], new)}))
    assert result.text == sql
    assert len(result.notes) == 3


def test_a_column_called_like_a_table_is_no_table() -> None:
    sql = (
        "CREATE TABLE country (country text, id int);\nCREATE TABLE city (country text);\n"
        "CREATE VIEW v AS SELECT c.country FROM city c JOIN country o ON c.country = o.country GROUP BY c.country;\n"
        "ALTER SEQUENCE s OWNED BY country.id;\n"
    )
    result = _rewrite(sql, "country", lambda table: table.model_copy(update={"name": "land"}))
    assert result.text == (
        "CREATE TABLE land (country text, id int);\nCREATE TABLE city (country text);\n"
        "CREATE VIEW v AS SELECT c.country FROM city c JOIN land o ON c.country = o.country GROUP BY c.country;\n"
        "ALTER SEQUENCE s OWNED BY land.id;\n"
    )
    assert result.notes == ()
