"""Coverage and enforcement: each check of the closure rules, one change of the gold design at a time."""

from collections.abc import Callable
from typing import Any

import pytest

from dure_spec.artifacts import Artifacts, Stage
from dure_spec.validators import Policy, judge

Mutate = Callable[[str, list[dict[str, Any]]], Artifacts]
_Found = tuple[str, str]
_STAGE: dict[str, Stage] = {
    "prd": "ba",
    "ia": "planner",
    "erd": "dba",
    "backend": "backend",
    "frontend": "frontend",
}


def _set(path: str, value: object) -> dict[str, Any]:
    return {"op": "replace", "path": path, "value": value}


def _roots(artifacts: Artifacts, stage: Stage) -> list[_Found]:
    findings = judge(artifacts, stage, Policy(lang="en")).findings
    return [(each.severity, each.ref) for each in findings if each.caused_by is None and each.validator == "V02"]


_FAULTS: dict[str, tuple[str, list[dict[str, Any]], _Found]] = {
    "must without a screen": ("ia", [_set("/screens/3/reqs", ["FR-005", "FR-007"])], ("critical", "FR-006")),
    "should without a screen": ("ia", [_set("/screens/3/reqs", ["FR-005", "FR-006"])], ("major", "FR-007")),
    "must without a table": ("erd", [_set("/tables/1/reqs", ["FR-005"])], ("critical", "FR-002")),
    "should without a table": ("erd", [_set("/tables/5/reqs", ["FR-006"])], ("major", "FR-007")),
    "must without an operation": (
        "backend",
        [_set(f"/bos/1/ops/{number}/reqs", ["FR-003"]) for number in range(4)],
        ("critical", "FR-002"),
    ),
    "must without a component": (
        "frontend",
        [_set("/components/5/reqs", ["FR-003"]), _set("/components/6/reqs", ["FR-003"])],
        ("critical", "FR-002"),
    ),
    "screen for an unknown requirement": (
        "ia",
        [_set("/screens/4/reqs", ["FR-002", "FR-099"])],
        ("critical", "SC-006:FR-099"),
    ),
    "button for an unknown requirement": (
        "ia",
        [_set("/screens/4/actions/0/req", "FR-099")],
        ("critical", "SC-006:FR-099"),
    ),
    "table for an unknown requirement": (
        "erd",
        [_set("/tables/5/reqs", ["FR-007", "FR-099"])],
        ("critical", "payments:FR-099"),
    ),
    "operation for an unknown requirement": (
        "backend",
        [_set("/bos/1/ops/0/reqs", ["FR-002", "FR-099"])],
        ("critical", "OP-customer.list:FR-099"),
    ),
    "component for an unknown requirement": (
        "frontend",
        [_set("/components/5/reqs", ["FR-002", "FR-099"])],
        ("critical", "CP-customer-list:FR-099"),
    ),
    "quality of an unknown requirement": ("prd", [_set("/nfrs/0/scope", ["FR-099"])], ("critical", "NFR-01:FR-099")),
    "question about an unknown requirement": (
        "prd",
        [_set("/questions/0/impact", ["FR-099"])],
        ("critical", "Q-01:FR-099"),
    ),
    "transition for an unknown requirement": (
        "prd",
        [_set("/states/0/transitions/0", ["PLACED", "SHIPPED", "FR-099"])],
        ("critical", "주문:FR-099"),
    ),
    "screen for nothing": ("ia", [_set("/screens/4/reqs", [])], ("minor", "SC-006")),
    "transition to a state that is none": (
        "prd",
        [_set("/states/0/transitions/1", ["SHIPPED", "ARRIVED", "FR-008"])],
        ("major", "주문 SHIPPED→ARRIVED"),
    ),
    "column for an unknown rule": (
        "erd",
        [_set("/tables/1/columns/2/rule", "BR-99")],
        ("critical", "customers.business_no"),
    ),
    "state that the column lacks": (
        "erd",
        [_set("/tables/3/columns/4/enum", ["PLACED", "SHIPPED", "DELIVERED"])],
        ("major", "purchase_orders.status"),
    ),
    "state that the PRD lacks": (
        "erd",
        [_set("/tables/3/columns/4/enum", ["PLACED", "SHIPPED", "DELIVERED", "CANCELLED", "LOST"])],
        ("major", "purchase_orders.status"),
    ),
    "states in other letters": (
        "erd",
        [_set("/tables/3/columns/4/enum", ["placed", "shipped", "delivered", "cancelled"])],
        ("major", "purchase_orders.status"),
    ),
    "status that can be anything": (
        "erd",
        [_set("/tables/3/columns/4/enum", None)],
        ("major", "purchase_orders.status"),
    ),
    "no status at all": (
        "erd",
        [{"op": "remove", "path": "/tables/3/columns/4"}, _set("/tables/3/indexes", [])],
        ("major", "purchase_orders"),
    ),
    "transition that is only read": (
        "backend",
        [_set("/bos/3/ops/3/reqs", ["FR-005"]), _set("/bos/3/ops/1/reqs", ["FR-005", "FR-006"])],
        ("major", "FR-006 PLACED→CANCELLED"),
    ),
    "second transition of a requirement": (
        "backend",
        [{"op": "remove", "path": "/bos/6/ops/2"}],
        ("major", "FR-008 SHIPPED→DELIVERED"),
    ),
}


@pytest.mark.parametrize("fault", _FAULTS)
def test_hole_in_the_trace_is_found(fault: str, mutate: Mutate) -> None:
    owner, patch, finding = _FAULTS[fault]
    assert _roots(mutate(owner, patch), _STAGE[owner]) == [finding]


_SOUND: dict[str, tuple[str, list[dict[str, Any]]]] = {
    "states listed by a check": (
        "erd",
        [
            _set("/tables/3/columns/4/enum", None),
            _set("/tables/3/columns/4/check", "(status IN ('PLACED','SHIPPED', 'DELIVERED','CANCELLED'))"),
        ],
    ),
    "states in another order": (
        "erd",
        [_set("/tables/3/columns/4/enum", ["CANCELLED", "PLACED", "SHIPPED", "DELIVERED"])],
    ),
    "states in a table of codes": (
        "erd",
        [_set("/tables/3/columns/4/enum", None), _set("/tables/3/columns/4/fk", "order_statuses.code")],
    ),
    "one operation that is told the state": (
        "backend",
        [
            {"op": "remove", "path": "/bos/6/ops/2"},
            _set("/bos/3/ops/3/in", ["status"]),
            _set("/bos/3/ops/3/reqs", ["FR-006", "FR-008"]),
        ],
    ),
    "rule that only a column keeps": ("backend", [_set("/bos/1/ops/2/rules", []), _set("/bos/1/ops/3/rules", [])]),
    "rule that only an operation keeps": ("erd", [_set("/tables/1/columns/2/rule", None)]),
    "history for nothing": ("erd", [_set("/tables/7/reqs", [])]),
    "beginning of a life": (
        "prd",
        [{"op": "add", "path": "/states/0/transitions/-", "value": ["", "PLACED", "FR-004"]}],
    ),
}


@pytest.mark.parametrize("shape", _SOUND)
def test_closed_trace_is_not_flagged(shape: str, mutate: Mutate) -> None:
    owner, patch = _SOUND[shape]
    assert _roots(mutate(owner, patch), "supervisor") == []


@pytest.mark.parametrize(("priority", "severity"), [("M", "critical"), ("S", "major"), ("C", "minor"), ("W", None)])
def test_weight_of_a_missing_screen_is_that_of_the_requirement(
    priority: str, severity: str | None, mutate: Mutate
) -> None:
    prd = mutate("prd", [_set("/reqs/5/pri", priority)]).prd
    artifacts = mutate("ia", [_set("/screens/3/reqs", ["FR-005", "FR-007"])]).model_copy(update={"prd": prd})
    wanted = [(severity, "FR-006")] if severity else []
    assert _roots(artifacts, "planner") == wanted


@pytest.mark.parametrize("kind", ["integration", "batch", "notification"])
def test_what_nobody_looks_at_needs_no_screen(kind: str, mutate: Mutate) -> None:
    prd = mutate("prd", [_set("/reqs/5/kind", kind)]).prd
    artifacts = mutate("ia", [_set("/screens/3/reqs", ["FR-005", "FR-007"])]).model_copy(update={"prd": prd})
    assert _roots(artifacts, "planner") == []


def test_missing_operation_explains_its_transition(mutate: Mutate) -> None:
    judgement = judge(mutate("backend", [_set("/bos/3/ops/3/reqs", ["FR-005"])]), "backend", Policy(lang="en"))
    requirement, transition = (each for each in judgement.findings if each.validator == "V02")
    assert (requirement.ref, transition.caused_by) == ("FR-006", requirement.id)
    assert transition.candidates == ("OP-order.create", "OP-order.cancel")


def test_a_term_is_taken_for_itself_before_another_terms_synonym(mutate: Mutate) -> None:
    artifacts = mutate("prd", [_set("/glossary/0/synonyms", ["주문"])])
    assert _roots(artifacts, "dba") == []


def test_unknown_requirement_comes_with_the_nearest_ones(mutate: Mutate) -> None:
    finding = judge(mutate("erd", [_set("/tables/5/reqs", ["FR-007", "FR-070"])]), "dba").findings[0]
    assert "FR-007" in finding.candidates
