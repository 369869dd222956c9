"""What the program repairs of states, objects, operations and controls by itself, and what it leaves alone."""

from collections.abc import Callable
from typing import Any

import pytest

from dure_spec.artifacts import Artifacts, Stage
from dure_spec.autofix.rounds import Fixed, autofix
from dure_spec.validators import Policy, judge

Mutate = Callable[[str, list[dict[str, Any]]], Artifacts]
_OWNER: dict[str, Stage] = {"erd": "dba", "backend": "backend", "frontend": "frontend"}


def _set(path: str, value: object) -> dict[str, Any]:
    return {"op": "replace", "path": path, "value": value}


def _add(path: str, value: object) -> dict[str, Any]:
    return {"op": "add", "path": f"{path}/-", "value": value}


def _repaired(artifacts: Artifacts, stage: Stage) -> Fixed:
    policy = Policy(lang="en")
    return autofix(artifacts, judge(artifacts, stage, policy), "all", policy, stage=stage)


def _at(artifacts: Artifacts, owner: str, path: str) -> object:
    target: Any = artifacts.model_dump(mode="json", by_alias=True)[owner]
    for step in path.strip("/").split("/"):
        target = target[int(step) if step.isdigit() else step]
    return target


_STATES = ["PLACED", "SHIPPED", "DELIVERED", "CANCELLED"]
_REPAIRS: dict[str, tuple[str, list[dict[str, Any]], str, object]] = {
    "state that the column lacks": (
        "erd",
        [_set("/tables/3/columns/4/enum", _STATES[:3])],
        "/tables/3/columns/4/enum",
        _STATES,
    ),
    "status without a list": ("erd", [_set("/tables/3/columns/4/enum", None)], "/tables/3/columns/4/enum", _STATES),
    "states in a check": (
        "erd",
        [
            _set("/tables/3/columns/4/enum", None),
            _set("/tables/3/columns/4/check", "status in ('PLACED', 'SHIPPED')"),
        ],
        "/tables/3/columns/4/check",
        None,
    ),
    "column too short for its states": (
        "erd",
        [_set("/tables/3/columns/4/enum", None), _set("/tables/3/columns/4/type", "varchar(6)")],
        "/tables/3/columns/4/type",
        "varchar(9)",
    ),
    "default that is no state": (
        "erd",
        [_set("/tables/3/columns/4/enum", ["NEW"]), _set("/tables/3/columns/4/default", "NEW")],
        "/tables/3/columns/4/default",
        "PLACED",
    ),
    "method of another kind": ("backend", [_set("/bos/3/ops/3/method", "GET")], "/bos/3/ops/3/method", "POST"),
    "list that is posted": (
        "backend",
        [_set("/bos/6/ops/0/path", "/parcels"), _set("/bos/6/ops/0/method", "DELETE")],
        "/bos/6/ops/0/method",
        "GET",
    ),
    "verb for a path": ("backend", [_set("/bos/1/ops/2/path", "/customers/create")], "/bos/1/ops/2/path", "/customers"),
    "verb and noun for a path": (
        "backend",
        [_set("/bos/1/ops/2/path", "/createCustomer")],
        "/bos/1/ops/2/path",
        "/customers",
    ),
    "reading by verb": (
        "backend",
        [_set("/bos/1/ops/1/path", "/getCustomer/{id}")],
        "/bos/1/ops/1/path",
        "/customers/{id}",
    ),
    "upper case": (
        "backend",
        [_set("/bos/2/ops/4/path", "/products/{id}/StockAdjustments")],
        "/bos/2/ops/4/path",
        "/products/{id}/stock-adjustments",
    ),
    "target that the path lacks": (
        "backend",
        [_set("/bos/1/ops/3/path", "/customers")],
        "/bos/1/ops/3/path",
        "/customers/{id}",
    ),
    "attribute of an input": (
        "backend",
        [{"op": "remove", "path": "/bos/5/attrs/2"}],
        "/bos/5/attrs/4",
        {
            "name": "method",
            "col": "payments.method",
            "type": None,
            "req": True,
            "ro": False,
            "computed": None,
            "join": None,
        },
    ),
    "attribute and input": (
        "backend",
        [{"op": "remove", "path": "/bos/5/attrs/2"}, _set("/bos/5/ops/1/in", ["amount", "paidAt"])],
        "/bos/5/ops/1/in",
        ["amount", "paidAt", "method"],
    ),
    "input of an attribute": (
        "backend",
        [_set("/bos/5/ops/1/in", ["method", "amount"])],
        "/bos/5/ops/1/in",
        ["method", "amount", "paidAt"],
    ),
    "column of the lines": (
        "backend",
        [{"op": "remove", "path": "/bos/4/attrs/3"}],
        "/bos/4/attrs/4/col",
        "order_items.quantity",
    ),
    "more characters than the column": (
        "frontend",
        [_set("/components/6/controls/0/max", 500)],
        "/components/6/controls/0/max",
        100.0,
    ),
    "required but optional": (
        "frontend",
        [_set("/components/6/controls/0/req", False)],
        "/components/6/controls/0/req",
        True,
    ),
    "states of a list": (
        "frontend",
        [_set("/components/1/states", ["loading"])],
        "/components/1/states",
        ["loading", "empty", "error"],
    ),
    "control of another kind": (
        "frontend",
        [_set("/components/4/controls/1/kind", "text")],
        "/components/4/controls/1/kind",
        "money",
    ),
    "choice without its values": (
        "frontend",
        [_set("/components/4/controls/0/kind", "text"), _set("/components/4/controls/0/options", None)],
        "/components/4/controls/0/options",
        "enum",
    ),
    "shown by the wrong kind": (
        "frontend",
        [_set("/components/1/controls/3/kind", "switch")],
        "/components/1/controls/3/kind",
        "money",
    ),
}


@pytest.mark.parametrize("fault", _REPAIRS)
def test_program_repairs_what_follows_from_other_artifacts(fault: str, mutate: Mutate) -> None:
    owner, patch, path, wanted = _REPAIRS[fault]
    artifacts = mutate(owner, patch)
    fixed = _repaired(artifacts, _OWNER[owner])
    assert fixed.judgement.findings == ()
    assert _at(fixed.artifacts, owner, path) == wanted
    assert fixed.fixes


_LEFT: dict[str, tuple[str, list[dict[str, Any]]]] = {
    "method that another operation has": (
        "backend",
        [
            _set("/bos/1/ops/2/method", "DELETE"),
            _add(
                "/bos/1/ops",
                {
                    "id": "OP-customer.import",
                    "kind": "action",
                    "method": "POST",
                    "path": "/customers",
                    "roles": ["A1"],
                    "reqs": ["FR-002"],
                    "out": "BO-customer",
                    "writes": ["customers"],
                },
            ),
        ],
    ),
    "path that another operation has": (
        "backend",
        [
            _set("/bos/1/ops/2/path", "/customers/create"),
            _add(
                "/bos/1/ops",
                {
                    "id": "OP-customer.import",
                    "kind": "action",
                    "method": "POST",
                    "path": "/customers",
                    "roles": ["A1"],
                    "reqs": ["FR-002"],
                    "out": "BO-customer",
                    "writes": ["customers"],
                },
            ),
        ],
    ),
    "secret that a creation needs": (
        "backend",
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
            ),
            {"op": "remove", "path": "/bos/0/attrs/2"},
        ],
    ),
    "input that no column has": ("backend", [_set("/bos/1/ops/3/in", ["nickname"])]),
    "path with one parameter twice": ("backend", [_set("/bos/5/ops/0/path", "/orders/{id}/payments/{id}")]),
    "states of a number": (
        "erd",
        [
            _set("/tables/3/columns/4/enum", None),
            _set("/tables/3/columns/4/default", None),
            _set("/tables/3/columns/4/type", "integer"),
        ],
    ),
}


@pytest.mark.parametrize("fault", _LEFT)
def test_program_leaves_alone_what_it_would_have_to_guess(fault: str, mutate: Mutate) -> None:
    owner, patch = _LEFT[fault]
    artifacts = mutate(owner, patch)
    before = judge(artifacts, _OWNER[owner], Policy(lang="en")).findings
    assert before
    assert _repaired(artifacts, _OWNER[owner]).judgement.findings == before
