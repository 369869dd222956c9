"""Validator of screens, components and controls, one change of the gold design at a time."""

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
    "text for a date": ([_set("/components/4/controls/2/kind", "text")], ("V15", "major", "CP-payments.paidAt")),
    "text for one of a few values": (
        [_set("/components/4/controls/0/kind", "text")],
        ("V15", "major", "CP-payments.method"),
    ),
    "password that everybody can read": (
        [_set("/components/0/controls/1/kind", "text")],
        ("V15", "major", "CP-login.password"),
    ),
    "login without a password": ([_drop("/components/0/controls/1")], ("V15", "critical", "CP-login")),
    "required in an update but optional": (
        [_drop("/components/8/controls/4"), _set("/components/8/controls/2/req", False)],
        ("V15", "major", "CP-product-form.unitPrice"),
    ),
    "creation of another object without its inputs": (
        [
            _drop("/components/4"),
            _set("/components/3/reqs", ["FR-005", "FR-006", "FR-007"]),
            {
                "op": "add",
                "path": "/components/3/controls/-",
                "value": {"kind": "button", "label": "결제", "call": "OP-payment.create"},
            },
        ],
        ("V15", "critical", "CP-order-detail"),
    ),
    "two components of one id": (
        [_set("/components/7/id", "CP-customer-list")],
        ("V15", "critical", "CP-customer-list"),
    ),
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


_SOUND_FRONTEND: dict[str, list[dict[str, Any]]] = {
    "filter that asks for nothing": [
        {
            "op": "add",
            "path": "/components/-",
            "value": {
                "id": "CP-customer-filter", "screen": "SC-006", "kind": "filter", "bo": "BO-customer",
                "reqs": ["FR-002"], "source": "OP-customer.list", "states": [],
                "controls": [{"kind": "text", "label": "고객명", "bind": "name"}],
            },
        }
    ],
    "steps of a wizard": [
        _set("/components/6/kind", "wizard"),
        _set("/components/6/controls/0/bind", "phone"),
        _set("/components/6/controls/0/max", 20),
        {
            "op": "add",
            "path": "/components/-",
            "value": {
                "id": "CP-customer-name", "screen": "SC-007", "kind": "wizard", "bo": "BO-customer",
                "reqs": ["FR-002"], "states": ["submitting", "error"],
                "controls": [{"kind": "text", "label": "고객명", "bind": "name", "req": True}],
            },
        },
    ],
    "creation whose form stands beside it": [
        {
            "op": "add",
            "path": "/components/3/controls/-",
            "value": {"kind": "button", "label": "결제", "call": "OP-payment.create"},
        }
    ],
    "fewer characters than the column holds": [_set("/components/6/controls/0/max", 50)],
    "badge for a date that is only shown": [_set("/components/1/controls/2/kind", "badge")],
}  # fmt: skip


@pytest.mark.parametrize("shape", _SOUND_FRONTEND)
def test_sound_frontend_is_not_flagged(shape: str, mutate: Mutate) -> None:
    assert _roots(mutate("frontend", _SOUND_FRONTEND[shape]), "frontend") == []


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


_ONE_MISTAKE: dict[str, list[dict[str, Any]]] = {
    "screen of a component": [_set("/components/0/screen", "SC-099")],
    "component of a screen": [_drop("/components/0")],
    "operation of a service": [_set("/services/0/ops/0", "OP-user.logon")],
    "requirement of a component": [_set("/components/0/reqs/0", "FR-099")],
}


@pytest.mark.parametrize("mistake", _ONE_MISTAKE)
def test_one_mistake_weighs_once(mistake: str, mutate: Mutate) -> None:
    judgement = judge(mutate("frontend", _ONE_MISTAKE[mistake]), "frontend")
    assert len(judgement.findings) > 1
    assert judgement.score == 7.0
