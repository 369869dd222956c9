"""Schemas as other people hand them in, shortened: what is said of them, and that nothing else is."""

import pytest

from dure_spec.artifacts import Artifacts
from dure_spec.artifacts.erd import Dialect
from dure_spec.lint.reading import read_source
from dure_spec.validators.gate import judge
from dure_spec.validators.policy import Policy

_KEYS = ("V06", "V07", "V08")


def _said(text: str, dialect: Dialect | None = None, only: tuple[str, ...] = _KEYS) -> list[tuple[str, str, str]]:
    """Validator, severity and place of what weighs, minors left out."""
    source = read_source(text, dialect)
    assert source.faults == ()
    policy = Policy(origin="source", dialect=source.dialect, lang="en")
    found = judge(Artifacts(erd=source.erd), "dba", policy).findings
    told = [each for each in found if each.validator in only and each.severity != "minor" and each.weighs]
    return [(each.validator, each.severity, each.ref) for each in told]


_ADVENTURE = """
CREATE DOMAIN "Name" varchar(50) NULL;
CREATE SCHEMA sales
  CREATE TABLE salesorderheader(
    salesorderid SERIAL, -- the key comes later
    shipmethodid smallint NOT NULL,
    territoryid INT NULL
  )
  CREATE TABLE customer(customerid SERIAL, personid INT NULL);
CREATE SCHEMA purchasing CREATE TABLE shipmethod(shipmethodid SERIAL NOT NULL, name "Name" NOT NULL);
CREATE TABLE person.customer(id int PRIMARY KEY);
ALTER TABLE sales.salesorderheader ADD
    CONSTRAINT "PK_SalesOrderHeader" PRIMARY KEY
    (salesorderid);
CLUSTER sales.salesorderheader USING "PK_SalesOrderHeader";
ALTER TABLE sales.customer ADD CONSTRAINT "PK_Customer" PRIMARY KEY (customerid);
ALTER TABLE purchasing.shipmethod ADD CONSTRAINT "PK_Ship" PRIMARY KEY (shipmethodid);
ALTER TABLE sales.salesorderheader ADD FOREIGN KEY (shipmethodid) REFERENCES purchasing.shipmethod(shipmethodid);
ALTER TABLE sales.salesorderheader ADD FOREIGN KEY (territoryid) REFERENCES sales.territory(territoryid);
"""


def test_tables_inside_create_schema_are_read_with_their_schema() -> None:
    source = read_source(_ADVENTURE)
    assert [(table.name, len(table.columns)) for table in source.erd.tables] == [
        ("salesorderheader", 3),
        ("customer", 2),
        ("shipmethod", 2),
        ("person_customer", 1),
    ]
    assert [outline.schema for outline in source.outlines] == ["", "", "", "person"]
    assert source.line_of("/tables/0/columns/1") == 6
    assert _said(_ADVENTURE) == [
        ("V07", "critical", "salesorderheader(territoryid)"),
        ("V08", "major", "salesorderheader(shipmethodid)"),
    ]


def test_tables_of_one_name_in_two_schemas_in_use_are_two_tables() -> None:
    text = (
        "SET search_path = hr, pg_catalog;\nCREATE TABLE unit (id int PRIMARY KEY);\n"
        "CREATE TABLE post (id int PRIMARY KEY, unit_id int REFERENCES unit);\n"
        "SET search_path = stock, pg_catalog;\nCREATE TABLE unit (code text PRIMARY KEY);\n"
        "CREATE TABLE item (id int PRIMARY KEY, unit text REFERENCES unit, post_id int REFERENCES hr.post (id));"
    )
    erd = read_source(text, "postgresql").erd
    assert [table.name for table in erd.tables] == ["unit", "post", "stock_unit", "item"]
    assert [column.fk for column in erd.tables[3].columns] == [None, "stock_unit.code", "post.id"]
    assert _said(text, "postgresql") == []


@pytest.mark.parametrize(
    "text",
    [
        "CREATE TABLE users (id uuid PRIMARY KEY REFERENCES auth.users (id) ON DELETE CASCADE, name text);",
        "CREATE TABLE public.profiles (id uuid PRIMARY KEY REFERENCES auth.users (id), owner_id uuid);"
        "CREATE TABLE public.users (id int PRIMARY KEY);",
    ],
)
def test_table_of_another_schema_is_not_missing_and_not_the_namesake_here(text: str) -> None:
    assert _said(text, "postgresql", (*_KEYS, "V09")) == []
    assert read_source(text, "postgresql").erd.outside == ("auth.users",)


def test_table_that_is_missing_from_a_schema_of_the_file_is_missing() -> None:
    text = "CREATE TABLE public.a (id int PRIMARY KEY, b_id int REFERENCES public.b (id), c int REFERENCES c (id));"
    assert _said(text) == [("V07", "critical", "a(b_id)"), ("V07", "critical", "a(c)")]


def test_references_and_indexes_of_partitions_are_those_of_the_whole() -> None:
    text = """
    CREATE TABLE public.customer (customer_id integer NOT NULL);
    CREATE TABLE public.payment (payment_id integer NOT NULL, customer_id integer NOT NULL, paid date NOT NULL)
      PARTITION BY RANGE (paid);
    CREATE TABLE public.payment_1 (payment_id integer NOT NULL, customer_id integer NOT NULL, paid date NOT NULL);
    CREATE TABLE public.payment_2 (payment_id integer NOT NULL, customer_id integer NOT NULL, paid date NOT NULL);
    ALTER TABLE ONLY public.payment ATTACH PARTITION public.payment_1 FOR VALUES FROM ('2022-01-01') TO ('2022-02-01');
    ALTER TABLE ONLY public.payment ATTACH PARTITION public.payment_2 FOR VALUES FROM ('2022-02-01') TO ('2022-03-01');
    ALTER TABLE ONLY public.customer ADD CONSTRAINT a PRIMARY KEY (customer_id);
    ALTER TABLE ONLY public.payment ADD CONSTRAINT b PRIMARY KEY (paid, payment_id);
    ALTER TABLE ONLY public.payment_1 ADD CONSTRAINT c PRIMARY KEY (paid, payment_id);
    CREATE INDEX i1 ON public.payment_1 USING btree (customer_id);
    CREATE INDEX i2 ON public.payment_2 USING btree (customer_id);
    ALTER TABLE ONLY public.payment_1 ADD FOREIGN KEY (customer_id) REFERENCES public.customer(customer_id);
    ALTER TABLE ONLY public.payment_2 ADD FOREIGN KEY (customer_id) REFERENCES public.customer(customer_id);
    """
    source = read_source(text)
    payment = source.erd.tables[1]
    assert [table.name for table in source.erd.tables] == ["customer", "payment"]
    assert (payment.columns[1].fk, payment.refs, payment.indexes) == ("customer.customer_id", (), (("customer_id",),))
    assert _said(text) == []


def test_oracle_export_with_index_properties_and_references_to_another_owner() -> None:
    text = """
    CREATE TABLE "OE"."INVENTORIES"
       ( "PRODUCT_ID" NUMBER(6,0) CONSTRAINT "INV_P_NN" NOT NULL ENABLE,
         "WAREHOUSE_ID" NUMBER(3,0) NOT NULL ENABLE,
         "KEEPER_ID" NUMBER(6,0),
         CONSTRAINT "INVENTORY_PK" PRIMARY KEY ("PRODUCT_ID", "WAREHOUSE_ID")
         USING INDEX PCTFREE 10 INITRANS 2 MAXTRANS 255 COMPUTE STATISTICS
         STORAGE(INITIAL 65536 NEXT 1048576) TABLESPACE "SYSAUX"  ENABLE,
         CONSTRAINT "INV_U" UNIQUE ("KEEPER_ID") USING INDEX "OE"."INV_U_IX" ENABLE NOVALIDATE,
         FOREIGN KEY ("KEEPER_ID") REFERENCES "HR"."EMPLOYEES" ("EMPLOYEE_ID") ENABLE
       ) SEGMENT CREATION IMMEDIATE PCTFREE 10 NOCOMPRESS LOGGING TABLESPACE "SYSAUX" ;
    """
    table = read_source(text, "oracle").erd.tables[0]
    assert [column.name for column in table.columns if column.pk] == ["PRODUCT_ID", "WAREHOUSE_ID"]
    assert _said(text, "oracle") == []


_STUDENT = """
CREATE TABLE User (user_id INT PRIMARY KEY, name VARCHAR(50));
CREATE TABLE Order (order_id INT PRIMARY KEY, user_id INT, FOREIGN KEY (user_id) REFERENCES User(user_id));
CREATE TABLE Sign-in (sign-id INT, user_id INT REFERENCES User(user_id), PRIMARY KEY (sign-id));
CREATE TABLE Visit (id INT PRIMARY KEY, sign_id INT REFERENCES Sign-in(sign-id));
"""


def test_names_with_hyphens_are_read_as_they_are_meant_and_called_illegal() -> None:
    erd = read_source(_STUDENT, "postgresql").erd
    assert [table.name for table in erd.tables] == ["User", "Order", "Sign-in", "Visit"]
    assert [(column.name, column.pk) for column in erd.tables[2].columns] == [("sign-id", True), ("user_id", False)]
    assert erd.tables[3].columns[1].fk == "Sign-in.sign-id"
    assert [each for each in _said(_STUDENT, "postgresql", ("V04", "V05", "V07")) if each[1] == "critical"] == [
        ("V04", "critical", "Sign-in"),
        ("V04", "critical", "Sign-in.sign-id"),
    ]
    assert [ref for _, _, ref in _said(_STUDENT, "postgresql", ("V05",))] == ["User", "Order"]


def test_hyphen_with_spaces_is_arithmetic() -> None:
    text = "CREATE TABLE a (id int PRIMARY KEY, b int, CHECK (b - id > 0), c int DEFAULT 3-1, d int DEFAULT -1);"
    table = read_source(text, "postgresql").erd.tables[0]
    assert (len(table.columns), table.columns[0].check or table.columns[1].check) == (4, "b - id > 0")
    assert table.columns[3].default == -1


def test_columns_without_a_type_fit_every_reference() -> None:
    text = (
        "CREATE TABLE airports (code TEXT PRIMARY KEY, city TEXT);\n"
        "CREATE TABLE flights (nr INTEGER PRIMARY KEY, source REFERENCES airports,"
        " target int REFERENCES airports(city));"
    )
    assert _said(text, "sqlite") == [("V07", "critical", "flights(target)")]


def test_keyless_table_of_references_is_offered_all_of_them_as_its_key() -> None:
    text = (
        "CREATE TABLE student (id INT PRIMARY KEY); CREATE TABLE pet (id INT PRIMARY KEY);\n"
        "CREATE TABLE has_pet (s INT, p INT, FOREIGN KEY (s) REFERENCES student(id),"
        " FOREIGN KEY (p) REFERENCES pet(id));"
    )
    erd = read_source(text, "sqlite").erd
    found = judge(Artifacts(erd=erd), "dba", Policy(origin="source", dialect="sqlite", lang="en")).findings
    assert [each.candidates for each in found if each.validator == "V06"] == [("s, p",)]


def test_korean_tables_keep_their_names_and_lose_their_prefix() -> None:
    text = (
        "CREATE TABLE `회원` (`회원번호` BIGINT NOT NULL COMMENT '번호, 회원', `이메일` VARCHAR(100) NOT NULL,\n"
        "PRIMARY KEY (`회원번호`), UNIQUE KEY `uk_이메일` (`이메일`)) COMMENT='회원; 목록';\n"
        "CREATE TABLE `tb_주문` (`주문번호` BIGINT PRIMARY KEY, `회원번호` BIGINT NOT NULL, -- 회원\n"
        "FOREIGN KEY (`회원번호`) REFERENCES `회원` (`회원번호`),"
        " FOREIGN KEY (`쿠폰번호`) REFERENCES `쿠폰` (`쿠폰번호`));"
    )
    assert _said(text, "mysql", ("V04", *_KEYS)) == [("V07", "critical", "tb_주문(쿠폰번호)")]
    source = read_source(text, "mysql")
    found = judge(Artifacts(erd=source.erd), "dba", Policy(origin="source", dialect="mysql", lang="en")).findings
    assert [(each.ref, each.expected) for each in found if each.validator == "V04"] == [("tb_주문", "주문")]


def test_sql_server_script_is_read_batch_by_batch() -> None:
    text = """USE [Shop]
GO
SET ANSI_NULLS ON
GO
CREATE TABLE [dbo].[Customers](
	[CustomerID] [int] IDENTITY(1,1) NOT NULL,
	[Bio] [nvarchar](max) NULL,
 CONSTRAINT [PK_Customers] PRIMARY KEY CLUSTERED
(
	[CustomerID] ASC
)WITH (PAD_INDEX = OFF) ON [PRIMARY]
) ON [PRIMARY] TEXTIMAGE_ON [PRIMARY]
GO
CREATE TABLE [dbo].[Orders]([OrderID] [int] PRIMARY KEY, [CustomerID] [int] NOT NULL, [Placed] [datetime2](7) NOT NULL)
GO
ALTER TABLE [dbo].[Orders]  WITH CHECK ADD  CONSTRAINT [FK] FOREIGN KEY([CustomerID])
REFERENCES [dbo].[Customers] ([CustomerID])
GO
ALTER TABLE [dbo].[Orders] ADD  CONSTRAINT [DF_Placed]  DEFAULT (getdate()) FOR [Placed]
GO
"""
    erd = read_source(text).erd
    assert [[column.name for column in table.columns] for table in erd.tables] == [
        ["CustomerID", "Bio"],
        ["OrderID", "CustomerID", "Placed"],
    ]
    assert erd.tables[1].columns[1].fk == "Customers.CustomerID"
    assert _said(text) == []


def test_what_is_wrong_with_a_reference_stands_where_the_reference_is_declared() -> None:
    text = (
        "CREATE TABLE a (id INT PRIMARY KEY);\nCREATE TABLE b (id INT PRIMARY KEY,\n a_id INT NOT NULL);\n"
        "ALTER TABLE b ADD FOREIGN KEY (a_id) REFERENCES a (id) ON DELETE SET NULL;"
    )
    source = read_source(text, "mysql")
    found = judge(Artifacts(erd=source.erd), "dba", Policy(origin="source", dialect="mysql", lang="en")).findings
    assert [source.line_of(each.path) for each in found if each.severity == "critical"] == [4]
