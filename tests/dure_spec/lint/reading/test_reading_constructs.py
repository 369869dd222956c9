"""What each construct of a DDL file says about the tables."""

from dure_spec.artifacts.erd import Column, Dialect, Reference, Table
from dure_spec.lint.reading import read_source
from dure_spec.lint.source import SourceSchema


def _read(sql: str, dialect: Dialect = "postgresql") -> SourceSchema:
    source = read_source(sql, dialect)
    assert source.faults == ()
    return source


def _table(sql: str, dialect: Dialect = "postgresql", name: str = "t") -> Table:
    return next(table for table in _read(sql, dialect).erd.tables if table.name == name)


def _columns(sql: str, dialect: Dialect = "postgresql") -> dict[str, Column]:
    return {column.name: column for column in _table(sql, dialect).columns}


def test_keys_that_come_by_alter_table_are_keys() -> None:
    table = _table(
        "CREATE TABLE public.t (a integer NOT NULL, b integer, c integer);\n"
        "ALTER TABLE ONLY public.t\n    ADD CONSTRAINT t_pkey PRIMARY KEY (a);\n"
        "ALTER TABLE ONLY public.t ADD CONSTRAINT t_bc UNIQUE (b, c), ADD CONSTRAINT t_c UNIQUE (c);"
    )
    assert [(column.pk, column.null, column.uq) for column in table.columns] == [
        (True, False, False),
        (False, True, False),
        (False, True, True),
    ]
    assert table.uniques == (("b", "c"),)


def test_a_reference_without_columns_means_the_primary_key_of_its_target() -> None:
    columns = _columns(
        "CREATE TABLE p (no int PRIMARY KEY);\nCREATE TABLE t (p_no int REFERENCES p ON DELETE CASCADE);"
    )
    assert (columns["p_no"].fk, columns["p_no"].on_delete) == ("p.no", "CASCADE")


def test_references_that_a_column_cannot_say_stand_beside_the_columns() -> None:
    table = _table(
        "CREATE TABLE p (a int, b int, PRIMARY KEY (a, b));\nCREATE TABLE q (id int PRIMARY KEY);\n"
        "CREATE TABLE t (a int, b int, c int REFERENCES q (id) DEFERRABLE INITIALLY DEFERRED,\n"
        "  FOREIGN KEY (a, b) REFERENCES p, d int REFERENCES q, FOREIGN KEY (d) REFERENCES q (id) ON DELETE SET NULL);"
    )
    assert table.refs == (
        Reference(columns=("c",), table="q", targets=("id",), deferrable=True),
        Reference(columns=("a", "b"), table="p", targets=("a", "b")),
        Reference(columns=("d",), table="q", targets=("id",), on_delete="SET NULL"),
    )
    assert {column.name: column.fk for column in table.columns} == {"a": None, "b": None, "c": None, "d": "q.id"}


def test_enumerations_come_from_types_checks_and_domains() -> None:
    columns = _columns(
        "CREATE TYPE mood AS ENUM ('sad', 'happy');\n"
        "CREATE DOMAIN year AS integer NOT NULL CONSTRAINT y CHECK (VALUE >= 1901);\n"
        "CREATE TABLE t (m mood DEFAULT 'sad'::mood, y public.year, s varchar(9) CHECK (s IN ('A', 'B')),\n"
        "  d text, CONSTRAINT d CHECK (((d)::text = ANY ((ARRAY['X'::character varying, 'Y'::character "
        "varying])::text[]))));"
    )
    assert (columns["m"].enum, columns["m"].type, columns["m"].default) == (("sad", "happy"), "varchar(5)", "sad")
    assert (columns["y"].type, columns["y"].null, columns["y"].check) == ("integer", False, "y >= 1901")
    assert (columns["s"].enum, columns["s"].check) == (("A", "B"), None)
    assert columns["d"].enum == ("X", "Y")


def test_other_checks_are_kept_as_they_stand() -> None:
    columns = _columns("CREATE TABLE t (a int CHECK (a > 0), b int, CHECK (((b > a))), CHECK (a < 9));")
    assert (columns["a"].check, columns["b"].check) == ("(a > 0) AND (a < 9)", "b > a")


def test_indexes_are_told_apart_from_keys() -> None:
    table = _table(
        "CREATE TABLE t (a int PRIMARY KEY, b int, c text, d int);\n"
        "CREATE INDEX ON t (b);\nCREATE INDEX i2 ON ONLY public.t USING btree (c text_pattern_ops DESC, b);\n"
        "CREATE UNIQUE INDEX CONCURRENTLY u1 ON t (b, c);\nCREATE UNIQUE INDEX u2 ON t (d) WHERE b IS NULL;\n"
        "CREATE UNIQUE INDEX u3 ON t (lower(c));\nCREATE INDEX i3 ON t (d) WHERE d IS NOT NULL;\n"
        "CREATE INDEX i4 ON t (d) WHERE c = 'x';"
    )
    assert table.indexes == (("b",), ("c", "b"), ("d",))
    assert table.uniques == (("b", "c"),)
    assert not any(column.uq for column in table.columns)


def test_types_stand_as_the_source_spells_them() -> None:
    table = _table(
        "CREATE TABLE t (a timestamp(6) without time zone, b numeric(10, 2), c text[], d pg_catalog.int4, e "
        "bigserial,\n"
        "  f double precision, g character varying(45), h GEOMETRY(Point, 4326));"
    )
    assert [column.type for column in table.columns] == [
        "timestamp(6) without time zone",
        "numeric(10,2)",
        "text[]",
        "int4",
        "bigserial",
        "double precision",
        "character varying(45)",
        "GEOMETRY(Point,4326)",
    ]
    assert not table.columns[4].null


def test_defaults_become_values() -> None:
    columns = _columns(
        "CREATE TABLE t (a int DEFAULT -1, b text DEFAULT 'it''s'::text, c boolean DEFAULT true, d "
        "timestamptz DEFAULT now(),\n"
        "  e int DEFAULT nextval('s'::regclass), f numeric(5,2) DEFAULT 4.99 NOT NULL, g uuid DEFAULT "
        "gen_random_uuid(),\n"
        "  h text DEFAULT NULL, i int DEFAULT (1 + 2), j date DEFAULT CURRENT_DATE, k text DEFAULT ('x'));"
    )
    assert {name: column.default for name, column in columns.items()} == {
        "a": -1,
        "b": "it's",
        "c": True,
        "d": "now()",
        "e": None,
        "f": 4.99,
        "g": "gen_random_uuid()",
        "h": None,
        "i": None,
        "j": "current_date()",
        "k": "x",
    }
    assert not columns["f"].null


def test_comments_are_logical_names() -> None:
    table = _table(
        "CREATE TABLE s.t (a int);\nCOMMENT ON TABLE s.t IS '회원';\nCOMMENT ON COLUMN s.t.a IS 'the; \"number\"';"
    )
    assert (table.logical, table.columns[0].logical) == ("회원", 'the; "number"')


def test_inheritance_gives_columns_and_no_keys() -> None:
    child = _table("CREATE TABLE p (id int PRIMARY KEY, x text NOT NULL);\nCREATE TABLE t (y int) INHERITS (p);")
    assert [(column.name, column.pk, column.null) for column in child.columns] == [
        ("id", False, True),
        ("x", False, False),
        ("y", False, True),
    ]


def test_partitions_are_their_parent() -> None:
    source = _read(
        "CREATE TABLE p (id int, at date) PARTITION BY RANGE (at);\n"
        "CREATE TABLE p1 PARTITION OF p FOR VALUES FROM ('2020-01-01') TO ('2021-01-01');\n"
        "CREATE TABLE p2 (id int, at date);\nALTER TABLE ONLY p ATTACH PARTITION p2 FOR VALUES IN ('x');\n"
        "ALTER TABLE ONLY p2 ADD CONSTRAINT k PRIMARY KEY (id);\nCREATE INDEX i ON p1 (at);\n"
        "CREATE TABLE t (p_id int REFERENCES p2 (id));"
    )
    assert [table.name for table in source.erd.tables] == ["p", "t"]
    assert source.erd.tables[1].columns[0].fk == "p.id"


def test_what_is_no_table_is_stepped_over() -> None:
    source = _read(
        "CREATE FUNCTION f() RETURNS trigger AS $_$ BEGIN CREATE TABLE no (a int); END; $_$ LANGUAGE plpgsql;\n"
        "CREATE VIEW v AS SELECT 'CREATE TABLE no (a int);' FROM t;\n"
        "COPY t (a) FROM stdin;\n1;'\tCREATE TABLE no (a int);\n\\.\n"
        "INSERT INTO t VALUES (1, 'x;''CREATE TABLE no (a int);');\n"
        "/* CREATE TABLE no (a int); */ -- CREATE TABLE no (a int);\n"
        "DO $$ BEGIN NULL; END $$;\nCREATE TEMP TABLE no (a int);\nCREATE TABLE t (a int);\n\\connect x\n"
    )
    assert [table.name for table in source.erd.tables] == ["t"]


def test_tables_that_are_dropped_or_renamed_are_so() -> None:
    source = _read(
        "CREATE TABLE a (x int);\nCREATE TABLE b (x int);\nDROP TABLE IF EXISTS a;\nALTER TABLE b RENAME TO c;\n"
    )
    assert [table.name for table in source.erd.tables] == ["c"]


def test_columns_change_as_alter_table_says() -> None:
    columns = _columns(
        "CREATE TABLE t (a int, b int, c int, d int);\nALTER TABLE t ALTER COLUMN a SET NOT NULL, ALTER b "
        "TYPE bigint USING b::bigint,"
        " DROP COLUMN c, ADD COLUMN e text NOT NULL DEFAULT '';\nALTER TABLE t RENAME COLUMN d TO f;\n"
        "ALTER TABLE t ALTER COLUMN e SET DEFAULT 'x';"
    )
    assert list(columns) == ["a", "b", "f", "e"]
    assert (columns["a"].null, columns["b"].type, columns["e"].default) == (False, "bigint", "x")


def test_two_schemas_may_use_one_name() -> None:
    source = _read(
        "CREATE TABLE a.t (id int PRIMARY KEY);\nCREATE TABLE b.t (id int PRIMARY KEY);\n"
        "CREATE TABLE b.x (t_id int REFERENCES b.t);\nCREATE TABLE a.y (t_id int REFERENCES t);"
    )
    assert [table.name for table in source.erd.tables] == ["t", "b_t", "x", "y"]
    assert [table.columns[0].fk for table in source.erd.tables[2:]] == ["b_t.id", "t.id"]


def test_columns_that_stand_twice_stand_twice() -> None:
    assert [column.name for column in _table("CREATE TABLE t (a int, A text);").columns] == ["a", "A"]


def test_like_takes_columns_over() -> None:
    table = _table(
        "CREATE TABLE p (a int PRIMARY KEY, b text NOT NULL);\nCREATE TABLE t (LIKE p INCLUDING ALL, c int);"
    )
    assert [column.name for column in table.columns] == ["a", "b", "c"]


def test_mysql_keys_enumerations_and_comments() -> None:
    source = read_source(
        "/*!40101 SET NAMES utf8 */;\nCREATE TABLE `t` (\n  `id` int(11) unsigned NOT NULL AUTO_INCREMENT "
        "COMMENT '번호',\n"
        "  `kind` enum('a','b''c') CHARACTER SET utf8 COLLATE utf8_bin NOT NULL DEFAULT 'a',\n  `tags` set('x','y'),\n"
        "  `p_id` int DEFAULT NULL, `at` datetime(3) DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3),\n"
        '  `flag` tinyint(1) DEFAULT \'0\', `txt` varchar(20) DEFAULT "it\\"s",\n  PRIMARY KEY (`id`) USING BTREE,\n'
        "  UNIQUE KEY `u` (`p_id`,`kind`), KEY `k` (`p_id`), FULLTEXT KEY `f` (`txt`(10)),\n"
        "  CONSTRAINT `fk` FOREIGN KEY (`p_id`) REFERENCES `t` (`id`) ON DELETE SET NULL ON UPDATE CASCADE\n"
        ") ENGINE=InnoDB AUTO_INCREMENT=5 DEFAULT CHARSET=utf8 COMMENT='회원; 표';\n"
    )
    assert (source.dialect, source.guessed, source.faults) == ("mysql", True, ())
    assert source.erd.meta.fk_index == "auto"
    table = source.erd.tables[0]
    columns = {column.name: column for column in table.columns}
    assert (table.logical, columns["id"].logical, columns["id"].pk) == ("회원; 표", "번호", True)
    assert (columns["kind"].enum, columns["kind"].default) == (("a", "b'c"), "a")
    assert columns["tags"].enum is None
    assert (columns["p_id"].fk, columns["p_id"].on_delete) == ("t.id", "SET NULL")
    assert (columns["at"].default, columns["flag"].default, columns["txt"].default) == ("now()", False, 'it"s')
    assert table.uniques == (("p_id", "kind"),)
    assert table.indexes == (("p_id",), ("txt",))


def test_mysql_keys_that_phpmyadmin_adds_later() -> None:
    columns = _columns(
        "CREATE TABLE `t` (`id` int NOT NULL, `x` varchar(9)) ENGINE=InnoDB;\n"
        "ALTER TABLE `t`\n  ADD PRIMARY KEY (`id`),\n  ADD UNIQUE KEY `x` (`x`),\n  ADD KEY `y` (`x`,`id`);\n"
        "ALTER TABLE `t`\n  MODIFY `id` bigint NOT NULL AUTO_INCREMENT, AUTO_INCREMENT=7;\n"
        "ALTER TABLE `t` CHANGE `x` `z` varchar(20) NOT NULL AFTER `id`;",
        "mysql",
    )
    assert (columns["id"].pk, columns["id"].type) == (True, "bigint")
    assert (columns["z"].type, columns["z"].null) == ("varchar(20)", False)


def test_mysql_delimiters_fence_routines() -> None:
    source = _read(
        "DELIMITER $$\nCREATE TRIGGER a BEFORE INSERT ON t FOR EACH ROW BEGIN SET NEW.a = 1; CREATE TABLE "
        "no (a int); END$$\n"
        "DELIMITER ;\nCREATE TABLE t (a int);\nCREATE PROCEDURE p() BEGIN IF a THEN SELECT 1; END IF; "
        "END;\nCREATE TABLE u (a int);",
        "mysql",
    )
    assert [table.name for table in source.erd.tables] == ["t", "u"]


def test_sqlite_names_in_brackets_and_columns_without_type() -> None:
    source = read_source(
        "PRAGMA foreign_keys=ON;\nCREATE TABLE IF NOT EXISTS [Order Details] ([Order ID] INTEGER PRIMARY "
        "KEY AUTOINCREMENT, x, "
        'y TEXT COLLATE NOCASE UNIQUE ON CONFLICT IGNORE, "p q" INTEGER REFERENCES [Order Details]) STRICT;\n'
        "CREATE TABLE 'w' (a TEXT PRIMARY KEY) WITHOUT ROWID;\n"
        "CREATE TRIGGER g AFTER INSERT ON w BEGIN UPDATE w SET a = CASE WHEN 1 THEN 'x' END; END;\n"
        "CREATE VIRTUAL TABLE v USING fts5(a, b);\nCREATE TABLE z (a INT, b INT GENERATED ALWAYS AS (a * 2) STORED);"
    )
    assert (source.dialect, source.faults) == ("sqlite", ())
    assert [table.name for table in source.erd.tables] == ["Order Details", "w", "z"]
    columns = {column.name: column for column in source.erd.tables[0].columns}
    assert list(columns) == ["Order ID", "x", "y", "p q"]
    assert (columns["p q"].fk, columns["y"].uq, columns["x"].type) == ("Order Details.Order ID", True, "any")


def test_oracle_scripts_are_read_past_their_client_lines() -> None:
    source = read_source(
        "REM don't stop here\nSET ECHO OFF\nPrompt ****** it's there\nCREATE TABLE t\n( a NUMBER(6) "
        "CONSTRAINT a_nn NOT NULL ENABLE\n"
        ", b VARCHAR2(20 CHAR) DEFAULT 'x' NOT NULL\n, c NUMBER(*,0), d NUMBER(2,2), e DATE DEFAULT SYSDATE\n"
        ", CONSTRAINT a_pk PRIMARY KEY (a) USING INDEX TABLESPACE x\n) TABLESPACE users\n/\n"
        "CREATE OR REPLACE TRIGGER g BEFORE INSERT ON t BEGIN NULL; END;\n/\n"
        "ALTER TABLE t ADD ( CONSTRAINT c_fk FOREIGN KEY (c) REFERENCES t (a) DISABLE NOVALIDATE\n, "
        "CONSTRAINT d_u UNIQUE (d) );\n"
        "ALTER TABLE t MODIFY (c NOT NULL, d DEFAULT 0);\nCREATE UNIQUE INDEX u ON t (b);\nCOMMENT ON "
        "COLUMN t.b IS 'name';\n"
    )
    assert (source.dialect, source.faults) == ("oracle", ())
    columns = {column.name: column for column in source.erd.tables[0].columns}
    assert [column.type for column in columns.values()] == [
        "NUMBER(6)",
        "VARCHAR2(20)",
        "NUMBER(38,0)",
        "NUMBER(2,2)",
        "DATE",
    ]
    assert [column.null for column in columns.values()] == [False, False, False, True, True]
    assert (columns["c"].fk, columns["d"].uq, columns["b"].uq, columns["b"].logical) == ("t.a", True, True, "name")
    assert (columns["d"].default, columns["e"].default) == (0, "now()")
