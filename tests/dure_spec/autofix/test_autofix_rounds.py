"""What the program repairs by itself: nothing that does harm, nothing of others, a few judgements for thousands."""

import json
import time
from dataclasses import replace
from typing import Literal

import pytest
from mutated_gold import PARTS, artifacts_for

from dure_spec.artifacts import Artifacts
from dure_spec.artifacts.erd import Column, Erd, Meta, Table
from dure_spec.artifacts.findings import Change, Finding, Judgement, Waiver
from dure_spec.autofix.likeness import brought, key_of
from dure_spec.autofix.rounds import JUDGEMENTS, autofix
from dure_spec.config import Autofix
from dure_spec.validators import Policy, judge

POLICY = Policy()


def with_patch(finding: Finding, *steps: Change) -> Finding:
    """The finding, repaired so."""
    return finding.model_copy(update={"patch": steps})


def on_tables(op: Literal["test", "add", "replace", "remove"], path: str, value: object = None) -> Change:
    """A step on the tables."""
    return Change(op=op, stage="dba", path=path, value=value)


def tables_of(artifacts: Artifacts) -> tuple[Table, ...]:
    """The tables."""
    assert artifacts.erd is not None
    return artifacts.erd.tables


def broken(*faults: tuple[int, str, str]) -> tuple[Artifacts, Judgement]:
    """The gold tables with other types at (table, column), and what the gate says."""
    parts = json.loads(json.dumps(PARTS))
    for table, column, kind in faults:
        at = next(each for each in parts["erd"]["tables"][table]["columns"] if each["name"] == column)
        at["type"] = kind
    artifacts = artifacts_for("dba", parts)
    return artifacts, judge(artifacts, "dba", POLICY)


def place(artifacts: Artifacts, ref: str) -> str:
    """The pointer to a column."""
    name, _, column = ref.partition(".")
    for number, table in enumerate(tables_of(artifacts)):
        for position, each in enumerate(table.columns):
            if (table.name, each.name) == (name, column):
                return f"/tables/{number}/columns/{position}"
    raise AssertionError(ref)


@pytest.fixture(scope="module")
def two() -> tuple[Artifacts, Judgement]:
    """Two columns of a type that only this test can put right, each with the patch that does."""
    artifacts, judgement = broken((3, "ordered_at", "varchar(20)"), (5, "paid_at", "varchar(20)"))
    fits = {"ordered_at": "timestamptz", "paid_at": "timestamptz"}
    findings: list[Finding] = []
    for each in judgement.findings:
        column = each.ref.partition(".")[2]
        path = f"{place(artifacts, each.ref)}/type"
        pinned = on_tables("test", path, "varchar(20)")
        findings.append(with_patch(each, pinned, on_tables("replace", path, fits[column])))
    assert {each.ref.partition(".")[2] for each in findings} == set(fits)
    return artifacts, judgement.model_copy(update={"findings": tuple(findings)})


def test_what_carries_its_repair_is_repaired_and_accounted_for(two: tuple[Artifacts, Judgement]) -> None:
    fixed = autofix(*two, "all", POLICY, stage="dba")
    assert fixed.judgement.findings == ()
    assert fixed.judgement.score == 10.0
    assert fixed.artifacts == artifacts_for("dba", PARTS)
    assert sorted(fix.done for fix in fixed.fixes) == ["varchar(20) → timestamptz"] * 2
    assert {fix.message for fix in fixed.fixes} == {each.message for each in two[1].findings}


@pytest.mark.parametrize(("mode", "count"), [("off", 0), ("minor", 0), ("all", 2)])
def test_the_mode_says_what_may_be_repaired(mode: Autofix, count: int, two: tuple[Artifacts, Judgement]) -> None:
    assert {each.severity for each in two[1].findings} == {"major"}
    fixed = autofix(*two, mode, POLICY, stage="dba")
    assert len(fixed.fixes) == count
    assert (fixed.artifacts == two[0]) is (count == 0)


def test_a_repair_that_breaks_something_else_is_taken_back_and_the_others_stay(
    two: tuple[Artifacts, Judgement],
) -> None:
    artifacts, judgement = two
    first, second = judgement.findings
    harmful = on_tables("replace", f"{place(artifacts, 'payments.purchase_order_id')}/fk", "nowhere.id")
    poisoned = judgement.model_copy(update={"findings": (with_patch(first, *first.patch, harmful), second)})
    fixed = autofix(artifacts, poisoned, "all", POLICY, stage="dba")
    assert [fix.ref for fix in fixed.fixes] == [second.ref]
    assert [key_of(each) for each in fixed.judgement.findings] == [key_of(first)]


def test_a_repair_after_which_its_own_finding_is_still_there_is_none(two: tuple[Artifacts, Judgement]) -> None:
    artifacts, judgement = two
    first, second = judgement.findings
    idle = on_tables("replace", "/tables/0/logical", "다른 이름")
    fixed = autofix(
        artifacts,
        judgement.model_copy(update={"findings": (with_patch(first, idle), second)}),
        "all",
        POLICY,
        stage="dba",
    )
    assert [fix.ref for fix in fixed.fixes] == [second.ref]
    assert tables_of(fixed.artifacts)[0].logical == tables_of(artifacts)[0].logical


def test_a_repair_that_makes_no_artifact_is_left_undone(two: tuple[Artifacts, Judgement]) -> None:
    artifacts, judgement = two
    first, second = judgement.findings
    formless = with_patch(first, *first.patch, on_tables("remove", "/tables/0/name"))
    spoiled = judgement.model_copy(update={"findings": (formless, second)})
    fixed = autofix(artifacts, spoiled, "all", POLICY, stage="dba")
    assert [fix.ref for fix in fixed.fixes] == [second.ref]


def test_accepted_artifacts_of_other_stages_do_not_change(two: tuple[Artifacts, Judgement]) -> None:
    artifacts, judgement = two
    first, second = judgement.findings
    upstream = Change(op="replace", stage="ba", path="/project/name", value="x")
    later = Change(op="replace", stage="backend", path="/bos/0/name", value="x")
    findings = (with_patch(first, *first.patch, upstream), with_patch(second, *second.patch, later))
    wide = judgement.model_copy(update={"findings": findings})
    fixed = autofix(artifacts, wide, "all", POLICY, stage="dba")
    assert [fix.ref for fix in fixed.fixes] == [second.ref]  # the backend is not there yet: nothing to change in it
    whole = artifacts_for("supervisor", {**PARTS, "erd": tables_json(artifacts)})
    everywhere = autofix(whole, wide.model_copy(update={"stage": "supervisor"}), "all", POLICY, stage="supervisor")
    assert len(everywhere.fixes) == 2
    assert everywhere.artifacts.prd is not None
    assert everywhere.artifacts.prd.project.name == "x"


def tables_json(artifacts: Artifacts) -> dict[str, object]:
    """The tables as JSON."""
    assert artifacts.erd is not None
    return artifacts.erd.model_dump(mode="json", by_alias=True)


def test_what_a_person_waived_is_left_alone(two: tuple[Artifacts, Judgement]) -> None:
    artifacts, judgement = two
    first, second = judgement.findings
    waiver = Waiver(
        stage="dba", validator=first.validator, ref=first.ref, message=first.message, by="kim", reason="old", at="now"
    )
    waived = first.model_copy(update={"waived_by": "kim"})
    policy = replace(POLICY, waivers=(waiver,))
    fixed = autofix(artifacts, judgement.model_copy(update={"findings": (waived, second)}), "all", policy, stage="dba")
    assert [fix.ref for fix in fixed.fixes] == [second.ref]
    assert [each.waived_by for each in fixed.judgement.findings] == ["kim"]


def test_a_name_that_changed_makes_no_finding_new() -> None:
    before, _ = _renamed_pair("orderItems", "order_items")
    rename = with_patch(
        before.findings[0],
        on_tables("test", "/tables/1/name", "orderItems"),
        on_tables("replace", "/tables/1/name", "order_items"),
    )
    other = before.findings[1]
    after = other.model_copy(update={"id": "V11-9", "path": "/tables/7", "ref": "order_items.note"})
    said = Judgement(stage="dba", score=9.8, findings=(after,))
    assert brought(before, [rename], said) == []
    strange = Judgement(stage="dba", score=9.8, findings=(after.model_copy(update={"ref": "orders.note"}),))
    assert [each.ref for each in brought(before, [rename], strange)] == ["orders.note"]


def _renamed_pair(old: str, new: str) -> tuple[Judgement, str]:
    one = Finding(
        id="V04-1",
        validator="V04",
        name="NamingConvention",
        severity="major",
        stage="dba",
        path="/tables/1",
        ref=old,
        message=f"{old} → {new}",
    )
    two = one.model_copy(update={"id": "V11-1", "validator": "V11", "severity": "minor", "ref": f"{old}.note"})
    return Judgement(stage="dba", score=8.7, findings=(one, two)), new


def test_thousands_of_repairs_take_a_few_judgements() -> None:
    meta = Meta(dialect="postgresql", pk="bigint identity", audit=("created_at",))
    key = Column(name="id", logical="키", type="bigint", pk=True)
    money = Column(name="unit_price", logical="단가", type="real")
    tables = tuple(
        Table(name=f"part_{number}s", logical=f"부품 {number}", kind="entity", reqs=(), columns=(key, money))
        for number in range(1000)
    )
    artifacts = Artifacts(erd=Erd(meta=meta, tables=tables, relations=()))
    judgement = judge(artifacts, "dba", replace(POLICY, origin="source"))
    floats = [each for each in judgement.findings if each.ref.endswith(".unit_price") and each.validator == "V08"]
    assert len(floats) == 1000
    repaired = tuple(
        with_patch(each, on_tables("replace", f"{each.path.removesuffix('/type')}/type", "numeric(12,2)"))
        for each in floats
    )
    others = tuple(each for each in judgement.findings if each not in floats)
    began = time.process_time()
    fixed = autofix(
        artifacts,
        judgement.model_copy(update={"findings": (*repaired, *others)}),
        "all",
        replace(POLICY, origin="source"),
        stage="dba",
    )
    assert len(fixed.fixes) == 1000
    assert time.process_time() - began < 30


def test_harm_everywhere_is_given_up_within_the_judgements_that_may_be_spent() -> None:
    artifacts = artifacts_for("dba", PARTS)
    findings = tuple(
        Finding(
            id=f"V99-{number}",
            validator="V99",
            name="Made",
            severity="minor",
            stage="dba",
            path=f"/tables/{number % 8}",
            ref=f"made-{number}",
            message="made",
            patch=(on_tables("add", f"/tables/{number % 8}/columns/-", {"name": f"badName{number}", "type": "real"}),),
        )
        for number in range(4 * JUDGEMENTS)
    )
    fixed = autofix(artifacts, Judgement(stage="dba", score=8.0, findings=findings), "all", POLICY, stage="dba")
    assert fixed.fixes == ()
    assert fixed.artifacts == artifacts
