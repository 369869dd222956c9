"""The ERD read from SQL, whole and broken."""

from typing import Protocol

import pytest

from dure_spec.artifacts import Artifacts, Erd, Prd
from dure_spec.artifacts.erd import Column, Table
from dure_spec.validators.gate import judge
from dure_spec.wire import prd as prd_wire
from dure_spec.wire.ddl_erd import parse_ddl


class Gold(Protocol):
    @property
    def prd(self) -> Prd: ...
    @property
    def erd(self) -> Erd: ...
    @property
    def sql(self) -> str: ...


def _table(erd: Erd, name: str) -> Table:
    return next(table for table in erd.tables if table.name == name)


def _column(erd: Erd, table: str, name: str) -> Column:
    return next(column for column in _table(erd, table).columns if column.name == name)


_PRD = prd_wire.parse(
    "# lib 도서관\n요약\nA1 사서: 빌려준다\nG 도서=book: 책\nG 회원=member: 빌리는 사람\nG 대출=loan: 빌림\n"
    "BR-01 constraint 도서: 도서번호는 유일하다\nBR-02 derivation 대출: 연체료는 연체일수에 100원을 곱한 값이다\n"
    "BR-03 state 대출: 반납한 대출은 되돌릴 수 없다\n"
    "FR-001 M crud A1 [도서] BR-01 도서 관리: 시스템은 도서를 관리한다.\n"
    "FR-002 M crud A1 [회원] 회원 관리: 시스템은 회원을 관리한다.\n"
    "FR-003 M workflow A1 [대출,도서,회원] 도서 대출: 사서가 도서를 빌려준다.\n"
    "FR-004 M workflow A1 [대출] BR-02 BR-03 도서 반납: 사서가 도서를 돌려받는다.\n"
    "ST 대출: BORROWED>RETURNED(FR-004)"
).artifact


def test_the_reference_sql_gives_the_reference_tables(gold: Gold) -> None:
    parsed = parse_ddl(gold.sql, gold.prd)
    assert parsed.faults == ()
    for expected in gold.erd.tables:
        table = _table(parsed.artifact, expected.name)
        assert [(c.name, c.type, c.null, c.uq, c.fk, c.default, c.enum) for c in table.columns] == [
            (c.name, c.type, c.null, c.uq, c.fk, c.default, c.enum) for c in expected.columns
        ]
        assert {c.name for c in table.columns if c.derived} == {c.name for c in expected.columns if c.derived}
        assert table.uniques == expected.uniques
        if expected.kind == "entity":
            assert (table.logical, table.kind) == (expected.logical, "entity")
    assert judge(Artifacts(prd=gold.prd, erd=parsed.artifact), "dba").score == 10.0


_BROKEN = """물론입니다.
```sql
-- 도서
CREATE TABLE IF NOT EXISTS Book (
  book_id SERIAL PRIMARY KEY, -- 도서ID
  "bookNo" CHAR(10) NOT NULL, -- 도서번호
  title VARCHAR NOT NULL, -- 제목, 최대 200자
  price FLOAT,
  order INT,
  ???,
  bought DATETIME COMMENT '구입일시',
)
CREATE TABLE nonsense ( % % );
CREATE TABLE member (
  id INT AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(50) NOT NULL,
  phone INT, /* 연락처 (휴대전화) */
  grade ENUM('A','B') DEFAULT 'C'
);
CREATE TABLE loans (
  id SERIAL PRIMARY KEY,
  book_id INT NOT NULL REFERENCES Book(book_id) ON DELETE SET NULL,
  member_id INTEGER NOT NULL,
  state CHAR(1) DEFAULT 'X',
  late_days INT DEFAULT 'none',
  late_fee DECIMAL(10,2) NOT NULL, -- 연체료
  created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
  CHECK (late_days >= 0),
  FOREIGN KEY (member_id) REFERENCES memb"""


def test_half_a_script_gives_every_table_that_can_be_read() -> None:
    parsed = parse_ddl(_BROKEN, _PRD)
    assert [table.name for table in parsed.artifact.tables] == ["books", "members", "loans"]
    assert [table.logical for table in parsed.artifact.tables] == ["도서", "회원", "대출"]
    assert [(fault.line, fault.text.split()[0]) for fault in parsed.faults] == [
        (10, "Book:"),
        (13, "nonsense:"),
        (13, "nonsense"),
        (18, "members.grade"),
        (25, "loans.late_days"),
        (20, "loans"),
    ]
    assert judge(Artifacts(prd=_PRD, erd=parsed.artifact), "dba").score >= 9.0


def test_sql_is_brought_to_our_conventions() -> None:
    erd = parse_ddl(_BROKEN, _PRD).artifact
    assert (_column(erd, "books", "id").type, _column(erd, "books", "id").logical) == ("bigint", "도서ID")
    assert _column(erd, "books", "price").type == "numeric(12,2)"
    assert _column(erd, "members", "phone").type == "varchar(20)"
    assert (_column(erd, "members", "phone").logical, _column(erd, "members", "phone").pii) == ("연락처", True)
    assert (_column(erd, "books", "title").type, _column(erd, "books", "title").logical) == ("varchar(255)", "제목")
    assert _column(erd, "books", "bought").logical == "구입일시"
    assert _column(erd, "books", "book_order").type == "integer"
    book = _column(erd, "loans", "book_id")
    assert (book.fk, book.type, book.on_delete, book.logical) == ("books.id", "bigint", "RESTRICT", "도서ID")
    assert [column.name for column in _table(erd, "loans").columns if column.name == "created_at"] == []


def test_a_reference_that_was_forgotten_is_found_by_its_name() -> None:
    assert _column(parse_ddl(_BROKEN, _PRD).artifact, "loans", "member_id").fk == "members.id"


def test_states_and_rules_of_the_prd_reach_their_columns() -> None:
    erd = parse_ddl(_BROKEN, _PRD).artifact
    state = _column(erd, "loans", "state")
    assert (state.enum, state.default, state.rule) == (("BORROWED", "RETURNED"), "BORROWED", "BR-03")
    assert state.type == "varchar(8)"
    assert _column(erd, "loans", "late_fee").derived == "BR-02"
    number = _column(erd, "books", "book_no")
    assert (number.uq, number.rule) == (True, "BR-01")
    assert _column(erd, "loans", "late_days").check == "late_days >= 0"
    assert [relation.card for relation in erd.relations] == ["1:N", "1:N"]


def test_tables_serve_the_requirements_that_name_them() -> None:
    erd = parse_ddl(_BROKEN, _PRD).artifact
    assert _table(erd, "loans").reqs == ("FR-003", "FR-004")
    assert _table(erd, "members").reqs == ("FR-002", "FR-003")


def test_a_missing_state_column_is_added() -> None:
    erd = parse_ddl("CREATE TABLE loans (id INT PRIMARY KEY, note TEXT);", _PRD).artifact
    assert _column(erd, "loans", "status").enum == ("BORROWED", "RETURNED")


def test_keys_written_in_every_place_are_found() -> None:
    sql = (
        "CREATE TABLE books (id INT PRIMARY KEY, parent_id INT NOT NULL, no TEXT, KEY ix (no), UNIQUE KEY uk (no));\n"
        "CREATE TABLE members (id INT, name TEXT, PRIMARY KEY (id), CONSTRAINT q CHECK (name IN ('A','B')));\n"
        "CREATE TABLE book_members (book_id INT, member_id INT, PRIMARY KEY (book_id, member_id));\n"
        "ALTER TABLE book_members ADD CONSTRAINT f FOREIGN KEY (book_id) REFERENCES books (id) ON DELETE CASCADE;\n"
        "CREATE UNIQUE INDEX u ON members (name);\nCREATE INDEX i ON books (parent_id, no);\n"
        "COMMENT ON COLUMN members.name IS '별명';\nCOMMENT ON TABLE members IS '회원들';"
    )
    erd = parse_ddl(sql, _PRD).artifact
    assert _column(erd, "books", "no").uq is True
    parent = _column(erd, "books", "parent_id")
    assert (parent.fk, parent.null) == ("books.id", True)
    name = _column(erd, "members", "name")
    assert (name.uq, name.enum, name.logical) == (True, ("A", "B"), "별명")
    junction = _table(erd, "book_members")
    assert (junction.kind, [c.pk for c in junction.columns]) == ("junction", [True, True])
    assert [(c.fk, c.on_delete) for c in junction.columns] == [("books.id", "CASCADE"), ("members.id", "RESTRICT")]
    assert _table(erd, "books").indexes == (("parent_id", "no"),)


def test_a_junction_with_its_own_key_still_holds_each_pair_once() -> None:
    sql = (
        "CREATE TABLE books (id INT PRIMARY KEY, t TEXT); CREATE TABLE members (id INT PRIMARY KEY, t TEXT);"
        "CREATE TABLE favorites (id INT PRIMARY KEY, book_id INT REFERENCES books, member_id INT REFERENCES members);"
    )
    junction = _table(parse_ddl(sql, _PRD).artifact, "favorites")
    assert (junction.kind, junction.uniques) == ("junction", (("book_id", "member_id"),))


@pytest.mark.parametrize("text", ["", "SELECT 1;", "테이블은 books와 members입니다.", "CREATE TABLE"])
def test_text_without_a_table_is_one_fault(text: str) -> None:
    parsed = parse_ddl(text, _PRD)
    assert (parsed.artifact.tables, [fault.line for fault in parsed.faults]) == ((), [0])


def test_sql_that_the_parser_does_not_know_is_a_fault_and_no_log_line(caplog: pytest.LogCaptureFixture) -> None:
    sql = "CREATE TABLE books (id INT PRIMARY KEY, t TEXT, CONSTRAINT a ( b, shelf_id INT REFERENCES shelves(id));"
    parsed = parse_ddl(sql, _PRD)
    assert caplog.records == []
    assert parsed.faults


def test_a_reference_to_a_table_that_is_not_there_is_kept_for_the_validator() -> None:
    sql = "CREATE TABLE books (id INT PRIMARY KEY, shelf_id INT NOT NULL REFERENCES shelves(id));"
    assert _column(parse_ddl(sql, _PRD).artifact, "books", "shelf_id").fk == "shelves.id"
