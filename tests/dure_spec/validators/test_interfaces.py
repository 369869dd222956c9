"""Validators of objects, operations and screens, one change of the gold design at a time."""

from collections.abc import Callable
from typing import Any

import pytest

from dure_spec.artifacts import Artifacts, Stage
from dure_spec.validators import Policy, judge

Mutate = Callable[[str, list[dict[str, Any]]], Artifacts]
_Found = tuple[str, str, str]


def _set(path: str, value: object) -> dict[str, Any]:
    return {"op": "replace", "path": path, "value": value}


def _drop(path: str) -> dict[str, Any]:
    return {"op": "remove", "path": path}


def _roots(artifacts: Artifacts, stage: Stage) -> list[_Found]:
    findings = judge(artifacts, stage, Policy(lang="en")).findings
    return [(each.validator, each.severity, each.ref) for each in findings if each.caused_by is None]


_BACKEND: dict[str, tuple[list[dict[str, Any]], _Found]] = {
    "object over a table that is not there": ([_set("/bos/6/table", "deliveries")], ("V13", "critical", "BO-shipment")),
    "write to nowhere": ([_set("/bos/5/ops/1/writes", ["payment"])], ("V13", "critical", "OP-payment.create")),
    "table without an object": (
        [_drop("/bos/4"), _set("/bos/3/children", [])],
        ("V13", "major", "order_items"),
    ),
    "infrastructure that is no table": (
        [_set("/infra_tables", ["order_status_logs", "caches"])],
        ("V13", "critical", "caches"),
    ),
    "child that is no object": ([_set("/bos/3/children", ["BO-line"])], ("V13", "critical", "BO-order")),
    "virtual attribute without a type": (
        [_set("/bos/2/attrs/5", {"name": "delta", "computed": "stock_qty += delta"})],
        ("V13", "major", "BO-product.delta"),
    ),
    "column of another table": (
        [_set("/bos/5/attrs/0", {"name": "id", "col": "customers.name", "ro": True})],
        ("V13", "major", "BO-payment.id"),
    ),
    "secret in the answer": (
        [_set("/bos/0/attrs/1", {"name": "email", "col": "app_users.password_hash", "req": True})],
        ("V13", "critical", "BO-user.email"),
    ),
    "input that a create forgets": (
        [_set("/bos/5/ops/1/in", ["method", "amount"])],
        ("V13", "critical", "OP-payment.create"),
    ),
    "two operations in one place": (
        [_set("/bos/5/ops/0/path", "/orders/{order_id}/payments"), _set("/bos/6/ops/0/path", "/orders/{no}/payments/")],
        ("V14", "critical", "OP-shipment.list"),
    ),
    "one id twice": ([_set("/bos/1/ops/1/id", "OP-customer.list")], ("V14", "critical", "OP-customer.list")),
    "role that nobody has": ([_set("/bos/1/ops/0/roles", ["A1", "A9"])], ("V14", "critical", "OP-customer.list")),
    "rule that is not written": (
        [_set("/bos/1/ops/2/rules", ["BR-01", "BR-99"])],
        ("V14", "critical", "OP-customer.create"),
    ),
    "list of one": ([_set("/bos/1/ops/0/out", "BO-customer")], ("V14", "major", "OP-customer.list")),
    "verb in the path": ([_set("/bos/1/ops/2/path", "/customers/create")], ("V14", "major", "OP-customer.create")),
    "upper case in the path": ([_set("/bos/1/ops/2/path", "/Customers")], ("V14", "major", "OP-customer.create")),
    "underscore in the path": (
        [_set("/bos/2/ops/4/path", "/products/{id}/stock_moves")],
        ("V04", "minor", "OP-product.adjust"),
    ),
    "attribute in snake_case": (
        [_set("/bos/1/attrs/5/name", "is_active"), _set("/bos/1/ops/3/in", ["name"])],
        ("V04", "minor", "BO-customer.is_active"),
    ),
    "transition that never conflicts": ([_set("/bos/3/ops/3/errors", [])], ("V14", "major", "OP-order.cancel")),
    "rule that nothing enforces": (
        [_set("/bos/3/ops/2/rules", ["BR-02"]), _set("/bos/5/ops/1/rules", [])],
        ("V02", "major", "BR-03"),
    ),
}


@pytest.mark.parametrize("fault", _BACKEND)
def test_fault_of_the_backend_is_found(fault: str, mutate: Mutate, gold: Artifacts) -> None:
    patch, finding = _BACKEND[fault]
    artifacts = mutate("backend", patch)
    if finding[2] == "BR-03":  # the column that derives it must be silent as well
        assert gold.erd is not None
        tables = [
            table.model_copy(
                update={"columns": tuple(each.model_copy(update={"derived": None}) for each in table.columns)}
            )
            for table in gold.erd.tables
        ]
        artifacts = artifacts.model_copy(update={"erd": gold.erd.model_copy(update={"tables": tuple(tables)})})
    assert _roots(artifacts, "backend") == [finding]


_SOUND_BACKEND: dict[str, list[dict[str, Any]]] = {
    "delete that answers nothing": [
        {
            "op": "add",
            "path": "/bos/1/ops/-",
            "value": {
                "id": "OP-customer.delete",
                "kind": "delete",
                "method": "DELETE",
                "path": "/customers/{id}",
                "roles": ["*"],
                "reqs": ["FR-002"],
                "out": "none",
                "writes": ["customers"],
            },
        }
    ],
    "add-ons are no verb": [_set("/bos/2/ops/4/path", "/products/{id}/add-ons")],
    "colon for a parameter": [_set("/bos/1/ops/1/path", "/customers/:id")],
    "reading action": [_set("/bos/2/ops/4/method", "GET"), _set("/bos/2/ops/4/writes", [])],
    "audit column as an attribute": [
        {
            "op": "add",
            "path": "/bos/1/attrs/-",
            "value": {"name": "createdAt", "col": "customers.created_at", "ro": True},
        }
    ],
    "names in other case": [_set("/bos/5/table", "Payments")],
}


@pytest.mark.parametrize("shape", _SOUND_BACKEND)
def test_sound_backend_is_not_flagged(shape: str, mutate: Mutate) -> None:
    assert _roots(mutate("backend", _SOUND_BACKEND[shape]), "backend") == []


_FRONTEND: dict[str, tuple[list[dict[str, Any]], _Found]] = {
    "screen that is not there": ([_set("/components/4/screen", "SC-099")], ("V15", "critical", "CP-payments")),
    "object that is not there": ([_set("/components/4/bo", "BO-refund")], ("V15", "critical", "CP-payments")),
    "link to nowhere": (
        [_set("/components/1/controls/4/link", "SC-099")],
        ("V15", "critical", "CP-order-list.새 주문"),
    ),
    "source that is not there": ([_set("/components/1/source", "OP-order.find")], ("V15", "critical", "CP-order-list")),
    "call that no role may make": (
        [_set("/components/3/controls/3/call", "OP-product.adjust")],
        ("V15", "critical", "CP-order-detail.주문 취소"),
    ),
    "control of the wrong kind": (
        [_set("/components/4/controls/2/kind", "switch")],
        ("V15", "major", "CP-payments.paidAt"),
    ),
    "more than the column holds": (
        [_set("/components/6/controls/0/max", 500)],
        ("V15", "major", "CP-customer-form.name"),
    ),
    "required but optional": ([_set("/components/6/controls/0/req", False)], ("V15", "major", "CP-customer-form.name")),
    "operation in no service": ([_set("/services/0/ops", [])], ("V15", "major", "OP-user.login")),
    "service of nothing": (
        [_set("/services/0/ops", ["OP-user.login", "OP-user.logout"])],
        ("V15", "critical", "SV-auth"),
    ),
}


@pytest.mark.parametrize("fault", _FRONTEND)
def test_fault_of_the_frontend_is_found(fault: str, mutate: Mutate) -> None:
    patch, finding = _FRONTEND[fault]
    roots = _roots(mutate("frontend", patch), "frontend")
    if fault == "call that no role may make":
        assert finding not in roots  # A3 is on the screen and may
        patch = [*patch, _set("/components/3/screen", "SC-004")]
        roots = _roots(mutate("frontend", patch), "frontend")
        assert finding in roots
        return
    assert roots == [finding]


def test_screen_without_a_component_is_critical(mutate: Mutate) -> None:
    roots = _roots(mutate("frontend", [_drop("/components/4"), _drop("/components/3")]), "frontend")
    assert ("V15", "critical", "SC-005") in roots


def test_list_shown_read_only_may_use_plain_text_for_any_type(mutate: Mutate) -> None:
    patch = [_set("/components/1/controls/3/kind", "text"), _set("/components/7/controls/2/kind", "badge")]
    assert _roots(mutate("frontend", patch), "frontend") == []


def test_one_wrong_object_is_one_mistake_for_all_its_controls(mutate: Mutate) -> None:
    judgement = judge(mutate("frontend", [_set("/components/8/bo", "BO-item")]), "frontend")
    assert len(judgement.findings) > 3
    assert judgement.score == 7.0
