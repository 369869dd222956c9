"""Validators of objects and operations, one change of the gold design at a time."""

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
        [_drop("/bos/4"), _set("/bos/3/children", []), _set("/bos/3/attrs/7/type", "string[]")],
        ("V13", "major", "order_items"),
    ),
    "infrastructure that is no table": (
        [_set("/infra_tables", ["order_status_logs", "caches"])],
        ("V13", "critical", "caches"),
    ),
    "child that is no object": ([_set("/bos/3/children", ["BO-line"])], ("V13", "critical", "BO-order")),
    "virtual attribute of an object that is not there": (
        [_set("/bos/3/attrs/7/type", "BO-line[]")],
        ("V13", "critical", "BO-order.items"),
    ),
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
    "column that the lines never set": ([_drop("/bos/4/attrs/3")], ("V13", "critical", "OP-order.create")),
    "column that is computed from an input nobody gives": (
        [
            _set(
                "/bos/0/ops/0",
                {
                    "id": "OP-user.create",
                    "kind": "create",
                    "method": "POST",
                    "path": "/users",
                    "roles": ["A3"],
                    "reqs": ["FR-001"],
                    "in": ["email", "role"],
                    "out": "BO-user",
                    "writes": ["app_users"],
                },
            )
        ],
        ("V13", "critical", "OP-user.create"),
    ),
    "history that nobody keeps": ([_set("/infra_tables", [])], ("V13", "major", "order_status_logs")),
    "read-only input of an action": (
        [_set("/bos/2/ops/4/in", ["delta", "stockQty"])],
        ("V13", "major", "OP-product.adjust"),
    ),
    "input that is no attribute": ([_set("/bos/1/ops/3/in", ["nickname"])], ("V13", "critical", "OP-customer.update")),
    "secret inside another object": (
        [
            _set("/bos/0/attrs/3", {"name": "role", "col": "app_users.password_hash"}),
            _set("/bos/0/ops/0/out", "BO-product"),
            _set("/bos/3/attrs/7", {"name": "items", "type": "BO-order-item[]", "req": True}),
            {"op": "add", "path": "/bos/3/attrs/-", "value": {"name": "by", "type": "BO-user", "ro": True}},
        ],
        ("V13", "critical", "BO-user.role"),
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
    "two operations that a query tells apart": (
        [_set("/bos/3/ops/1/path", "/orders?id={id}"), _set("/bos/3/ops/1/kind", "action")],
        ("V14", "critical", "OP-order.get"),
    ),
    "read without a target": ([_set("/bos/2/ops/1/path", "/products/one")], ("V14", "critical", "OP-product.get")),
    "delete that is posted": (
        [_set("/bos/1/ops/3/kind", "delete"), _set("/bos/1/ops/3/method", "POST"), _set("/bos/1/ops/3/in", [])],
        ("V14", "major", "OP-customer.update"),
    ),
    "verb before the noun": ([_set("/bos/1/ops/2/path", "/createCustomer")], ("V14", "major", "OP-customer.create")),
    "verb grown onto the noun": ([_set("/bos/1/ops/0/path", "/getcustomers")], ("V14", "major", "OP-customer.list")),
    "path without its slash": ([_set("/bos/1/ops/0/path", "customers")], ("V14", "critical", "OP-customer.list")),
    "path with an open brace": ([_set("/bos/1/ops/1/path", "/customers/{id")], ("V14", "critical", "OP-customer.get")),
    "path with one parameter twice": (
        [_set("/bos/5/ops/0/path", "/orders/{id}/payments/{id}")],
        ("V14", "critical", "OP-payment.list"),
    ),
    "error that is no HTTP status": (
        [_set("/bos/1/ops/2/errors/0/http", 4090)],
        ("V14", "critical", "OP-customer.create"),
    ),
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
    "state that a transition is given": [_set("/bos/3/ops/3/in", ["status"])],
    "key of the record as an input": [_set("/bos/2/ops/4/in", ["id", "delta"])],
    "filter of a list": [_set("/bos/3/ops/0/in", ["status", "from", "to"])],
    "time of a password": [
        {
            "op": "add",
            "path": "/bos/0/attrs/-",
            "value": {"name": "passwordLockedUntil", "col": "app_users.locked_until", "ro": True},
        }
    ],
    "account path with a verb": [_set("/bos/0/ops/0/path", "/auth/register")],
    "noun that begins like a verb": [_set("/bos/1/ops/0/path", "/registered-customers")],
    "camel case in a parameter": [_set("/bos/5/ops/0/path", "/orders/{orderId}/payments")],
    "transition that answers 422": [_set("/bos/3/ops/3/errors", [{"http": 422, "code": "SHIPPED"}])],
    "names in other case": [_set("/bos/5/table", "Payments")],
}


@pytest.mark.parametrize("shape", _SOUND_BACKEND)
def test_sound_backend_is_not_flagged(shape: str, mutate: Mutate) -> None:
    assert _roots(mutate("backend", _SOUND_BACKEND[shape]), "backend") == []


_ONE_MISTAKE: dict[str, list[dict[str, Any]]] = {
    "attribute of two inputs": [_drop("/bos/1/attrs/1")],
    "input of a needed column": [_set("/bos/1/ops/2/in", ["fullName", "businessNo"])],
    "input written wrong": [_set("/bos/1/ops/2/in", ["namex", "businessNo"])],
    "object of five answers": [_set("/bos/2/id", "BO-article")],
    "infrastructure written wrong": [_set("/infra_tables", ["order_status_log"])],
    "object of the lines": [_drop("/bos/4")],
    "object of a requirement": [_drop("/bos/1")],
    "requirement of an operation": [_set("/bos/0/ops/0/reqs", ["FR-099"])],
}


@pytest.mark.parametrize("mistake", _ONE_MISTAKE)
def test_one_mistake_weighs_once(mistake: str, mutate: Mutate) -> None:
    judgement = judge(mutate("backend", _ONE_MISTAKE[mistake]), "backend")
    assert len(judgement.findings) > 1
    assert judgement.score == 7.0
