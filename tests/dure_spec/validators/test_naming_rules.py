"""V04: names of tables, columns, attributes and paths, of our designs and of schemas that others wrote."""

import pytest
from erd_values import OURS, column, design, findings, key, repaired, said, schema, source_policy, table

from dure_spec.artifacts import Artifacts
from dure_spec.artifacts.erd import Column, Dialect, Table
from dure_spec.validators import Policy, judge
from dure_spec.validators.name_style import NameStyle, has_style, in_style


def _named(*names: str) -> tuple[Table, ...]:
    return tuple(table(name, key()) for name in names)


def _wide(name: str, *columns: str) -> Table:
    return table(name, key(), *(column(each, "integer") for each in columns))


@pytest.mark.parametrize(
    ("name", "severity"),
    [
        ("Order Details", "critical"),
        ("sign-ins", "critical"),
        ("2nd_floor", "critical"),
        ("a" * 64, "critical"),
        ("가" * 22, "critical"),
        ("OrderItems", "major"),
        ("orderItems", "major"),
        ("ORDER_ITEMS", "major"),
        ("order__items", "major"),
        ("tbl_items", "minor"),
        ("t_items", "minor"),
        ("tb_items", "minor"),
    ],
)
def test_table_name_is_judged_by_the_worst_that_is_wrong_with_it(name: str, severity: str) -> None:
    assert said(schema(*_named(name))) == [("V04", severity, name)]


@pytest.mark.parametrize(
    "name", ["items", "order_items", "t_shirts", "address2", "고객", "고객_주문", "tax", "tblings", "t"]
)
def test_sound_name_of_a_table_is_not_flagged(name: str) -> None:
    assert said(schema(*_named(name))) == []


def test_korean_name_of_our_own_table_is_off_style_because_the_glossary_has_an_english_one() -> None:
    assert said(design(*_named("고객")), OURS) == [("V04", "major", "고객")]


@pytest.mark.parametrize(
    ("dialect", "expected"), [("oracle", []), ("postgresql", ["major", "major"]), ("mysql", ["major", "major"])]
)
def test_upper_case_is_the_same_name_only_where_the_engine_folds_it_so(dialect: Dialect, expected: list[str]) -> None:
    hr = schema(table("JOB_HISTORY", key("JOB_ID"), column("START_DATE", "date")), dialect=dialect)
    assert [severity for _, severity, _ in said(hr)] == expected
    assert said(schema(table("JobHistory", key()), dialect="oracle")) == [("V04", "major", "JobHistory")]


def test_from_a_fifth_of_the_columns_on_the_table_is_at_fault() -> None:
    four = _wide("items", "a", "b", "c", "d", "e", "f", "g", "unitPrice", "unitCount")
    assert said(schema(four)) == [("V04", "major", "items")]
    fewer = _wide("items", "a", "b", "c", "d", "e", "f", "g", "h", "unitPrice", "unitCount")
    assert said(schema(fewer)) == [("V04", "minor", "items.unitPrice"), ("V04", "minor", "items.unitCount")]


def test_one_column_off_style_is_one_slip_however_small_the_table() -> None:
    assert said(schema(table("items", key("itemId")))) == [("V04", "minor", "items.itemId")]


def test_illegal_column_is_critical_wherever_it_stands() -> None:
    assert said(schema(_wide("items", "Unit Price"))) == [("V04", "critical", "items.Unit Price")]


@pytest.mark.parametrize(
    ("dialect", "name", "legal"),
    [("oracle", "emp#", True), ("postgresql", "emp#", False), ("mysql", "2fa_codes", True), ("mysql", "22", False)],
)
def test_letters_that_a_dialect_takes_bare_are_legal_there(dialect: Dialect, name: str, legal: bool) -> None:
    severities = {severity for _, severity, _ in said(schema(*_named(name), dialect=dialect))}
    assert ("critical" not in severities) is legal


@pytest.mark.parametrize("style", ["camelCase", "PascalCase", "UPPER_SNAKE", "any"])
def test_house_may_have_another_style(style: NameStyle) -> None:
    table_name, column_name = in_style("order_item", style), in_style("unit_price", style)
    odd = in_style("unit_price", "PascalCase" if style != "PascalCase" else "snake_case")
    own = [column(column_name, "integer")]
    sound = schema(table(table_name, key(in_style("id", style)), *own))
    assert said(sound, source_policy(style=style)) == []
    off = schema(table(table_name, key(in_style("id", style)), column(odd, "integer")))
    assert len(said(off, source_policy(style=style))) == (0 if style == "any" else 1)


def test_prefixes_of_the_house_are_the_ones_that_are_forbidden() -> None:
    assert said(schema(*_named("app_items")), source_policy(forbidden_prefixes=("app_",))) == [
        ("V04", "minor", "app_items")
    ]
    assert said(schema(*_named("tbl_items")), source_policy(forbidden_prefixes=())) == []


def test_each_table_of_ours_that_stands_out_by_its_number_is_a_slip() -> None:
    tables = _named("rooms", "beds", "guest", "key_logs", "histories")
    assert said(design(*tables), OURS) == [("V04", "minor", "guest")]


def test_single_exception_in_somebody_elses_schema_is_no_habit() -> None:
    assert said(schema(*_named("rooms", "beds", "guests", "doors", "region"))) == []
    assert said(schema(*_named("room", "bed", "guest", "staff", "job_history", "status"))) == []


def test_both_numbers_in_equal_share_are_one_finding_on_the_schema() -> None:
    found = findings(schema(*_named("rooms", "beds", "guests", "door", "window", "lamp")), None, "V04")
    assert [(finding.severity, finding.ref) for finding in found] == [("minor", "door")]
    assert "door, window, lamp" in found[0].message
    assert found[0].patch == ()  # which of both is meant, only a person can say


def test_house_that_wants_one_number_gets_every_other_table_named() -> None:
    tables = schema(*_named("room", "beds", "guest"))
    assert said(tables, source_policy(table_number="plural")) == [("V04", "minor", "room"), ("V04", "minor", "guest")]
    assert said(tables, source_policy(table_number="singular")) == [("V04", "minor", "beds")]
    assert said(tables, source_policy(table_number="any")) == []


def test_junction_called_after_its_two_tables_has_no_number() -> None:
    ends = (
        column("student_id", pk=True, fk="students.id"),
        column("course_id", pk=True, fk="courses.id"),
    )
    joined = table("student_course", *ends, kind="junction")
    assert said(design(*_named("students", "courses"), joined), OURS) == []


def test_message_names_the_new_name_and_every_other_place() -> None:
    lines = table("lines", key(), column("order_id", fk="orderItems.id"))
    finding = findings(schema(table("orderItems", key()), lines), None, "V04")[0]
    assert finding.expected == "order_items"
    assert "lines.order_id" in finding.message


def _attribute(gold: Artifacts, name: str) -> Artifacts:
    assert gold.backend is not None
    first, *others = gold.backend.bos
    attrs = tuple(each.model_copy(update={"name": name}) if each.name == "email" else each for each in first.attrs)
    ops = tuple(op.model_copy(update={"in_": (name, "password")}) for op in first.ops)
    changed = first.model_copy(update={"attrs": attrs, "ops": ops})
    return gold.model_copy(update={"backend": gold.backend.model_copy(update={"bos": (changed, *others)})})


def test_attribute_gets_its_camel_case_name_in_operations_and_controls_too(gold: Artifacts) -> None:
    off = _attribute(gold, "e_mail")
    frontend = off.frontend
    assert frontend is not None
    finding = next(each for each in judge(off, "backend", OURS).findings if each.validator == "V04")
    assert (finding.severity, finding.ref, finding.expected) == ("minor", "BO-user.e_mail", "eMail")
    backend = repaired(off, finding).backend
    assert backend is not None
    assert backend.bos[0].attrs[1].name == "eMail"
    assert backend.bos[0].ops[0].in_ == ("eMail", "password")


def test_path_segment_gets_its_kebab_case(gold: Artifacts) -> None:
    assert gold.backend is not None
    bos = list(gold.backend.bos)
    ops = (bos[0].ops[0].model_copy(update={"path": "/auth/log_in"}),)
    bos[0] = bos[0].model_copy(update={"ops": ops})
    off = gold.model_copy(update={"backend": gold.backend.model_copy(update={"bos": tuple(bos)})})
    finding = next(each for each in judge(off, "backend", OURS).findings if each.validator == "V04")
    assert (finding.severity, finding.ref, finding.expected) == ("minor", "OP-user.login", "log-in")
    backend = repaired(off, finding).backend
    assert backend is not None
    assert backend.bos[0].ops[0].path == "/auth/log-in"


def test_table_off_the_glossary_is_minor_and_gets_the_name_of_its_term(gold: Artifacts) -> None:
    assert gold.erd is not None
    tables = list(gold.erd.tables)
    tables[1] = tables[1].model_copy(update={"name": "clients"})
    erd = gold.erd.model_copy(update={"tables": tuple(tables)})
    off = Artifacts(prd=gold.prd, erd=erd)
    finding = next(each for each in judge(off, "dba", OURS).findings if each.validator == "V04")
    assert (finding.severity, finding.ref, finding.expected) == ("minor", "clients", "customers")


@pytest.mark.parametrize(
    ("name", "snake"),
    [
        ("OrderItems", "order_items"),
        ("Order Details", "order_details"),
        ("고객 주문", "고객_주문"),
        ("HTTPLog2", "http_log2"),
    ],
)
def test_name_keeps_its_words_in_another_style(name: str, snake: str) -> None:
    assert in_style(name, "snake_case") == snake
    assert has_style(snake, "snake_case", caseless=True)


def test_columns_of_the_audit_are_no_reason_to_keep_a_second_spelling() -> None:
    columns: tuple[Column, ...] = (key(), column("createdAt", "timestamptz"))
    rooms = design(table("rooms", *columns))
    finding = findings(rooms, OURS, "V04")[0]
    erd = repaired(rooms, finding).erd
    assert erd is not None
    assert [each.name for each in erd.tables[0].columns] == ["id", "created_at"]
    assert said(repaired(rooms, finding), Policy(lang="ko")) == []
