"""The backend and the frontend as lines."""

from typing import Protocol

import pytest

from dure_spec.artifacts import Artifacts, Backend, Erd, Frontend, Prd
from dure_spec.validators.gate import judge
from dure_spec.wire import backend as be
from dure_spec.wire import frontend as fe


class Gold(Protocol):
    @property
    def prd(self) -> Prd: ...
    @property
    def erd(self) -> Erd: ...
    @property
    def backend(self) -> Backend: ...
    @property
    def frontend(self) -> Frontend: ...
    @property
    def texts(self) -> dict[str, str]: ...
    def artifacts(self, **changed: object) -> Artifacts: ...


def test_the_reference_text_gives_the_reference_operations(gold: Gold) -> None:
    """Attributes differ in four flags that the text does not say: three of the user, one of the order line."""
    parsed = be.parse(gold.texts["be"], gold.erd)
    assert parsed.faults == ()
    different: list[str] = []
    for bo, expected in zip(parsed.artifact.bos, gold.backend.bos, strict=True):
        assert (bo.id, bo.name, bo.table, bo.children) == (
            expected.id,
            expected.name,
            expected.table,
            expected.children,
        )
        assert bo.ops == expected.ops
        known = {attribute.name: attribute for attribute in expected.attrs}
        different += [f"{bo.id}.{a.name}" for a in bo.attrs if known.get(a.name) != a]
    assert different == ["BO-user.role", "BO-user.failedCount", "BO-user.lockedUntil", "BO-order-item.unitPrice"]
    assert parsed.artifact.infra_tables == gold.backend.infra_tables
    assert judge(gold.artifacts(backend=parsed.artifact, frontend=None), "backend").score == 10.0


def test_a_written_backend_reads_back_as_itself(gold: Gold) -> None:
    short = be.parse(gold.texts["be"], gold.erd).artifact
    assert be.write(short, gold.erd) == gold.texts["be"].strip()
    back = be.parse(be.write(gold.backend, gold.erd), gold.erd).artifact
    for bo, expected in zip(back.bos, gold.backend.bos, strict=True):
        assert bo.model_copy(update={"attrs": ()}) == expected.model_copy(update={"attrs": ()})
        assert {a.name: a for a in bo.attrs} == {a.name: a for a in expected.attrs}


def test_everything_unusual_about_an_operation_survives(gold: Gold) -> None:
    text = (
        '@customer customers "거래처" +note:string\n'
        ". -phone\n. address~ =customers.address (masked)\n"
        "list A1 FR-002 ->BO-customer[]\n"
        "update A1 FR-002 in:name !none !409 STALE\n"
        "merge action PUT /customers/merge A1,A3 FR-002 in:note w:- ->BO-customer[]\n"
        "infra -"
    )
    parsed = be.parse(text, gold.erd)
    assert parsed.faults == ()
    (bo,) = parsed.artifact.bos
    assert bo.name == "거래처"
    attributes = {attribute.name: attribute for attribute in bo.attrs}
    assert "phone" not in attributes
    assert (attributes["address"].computed, attributes["address"].ro) == ("masked", True)
    update, merge = bo.ops[1], bo.ops[2]
    assert [(error.http, error.code) for error in update.errors] == [(409, "STALE")]
    assert (merge.method, merge.writes, merge.out) == ("PUT", (), "BO-customer[]")
    assert parsed.artifact.infra_tables == ()
    assert be.parse(be.write(parsed.artifact, gold.erd), gold.erd).artifact == parsed.artifact


@pytest.mark.parametrize(
    "line", ["explode A1 FR-002", "cancel transition FETCH /x A1 FR-002", ". =customers.name", "잡담"]
)
def test_a_line_that_is_no_operation_is_a_fault(gold: Gold, line: str) -> None:
    parsed = be.parse(f"@customer customers\nlist A1 FR-002\n{line}", gold.erd)
    assert [(fault.line, fault.text) for fault in parsed.faults] == [(3, line)]
    assert [op.id for op in parsed.artifact.bos[0].ops] == ["OP-customer.list"]


def test_an_object_that_cannot_be_read_costs_only_itself(gold: Gold) -> None:
    parsed = be.parse("설명\n@\nlist A1 FR-001\n@product product\nlist A1 FR-003", gold.erd)
    assert [(bo.id, bo.table) for bo in parsed.artifact.bos] == [("BO-product", "products")]
    assert [fault.line for fault in parsed.faults] == [2]
    assert be.parse("없음", gold.erd).faults[0].line == 0


def test_a_backend_patch_replaces_objects_and_removes_operations(gold: Gold) -> None:
    text = be.items(gold.backend, gold.erd, {"OP-payment.create"}).replace("OVERPAID", "TOO_MUCH")
    parsed = be.patch(gold.backend, f"{text}\nDEL OP-order.cancel\nDEL BO-nothing", gold.erd)
    by_id = {bo.id: bo for bo in parsed.artifact.bos}
    assert "TOO_MUCH" in [error.code for op in by_id["BO-payment"].ops for error in op.errors]
    assert {a.name: a for a in by_id["BO-payment"].attrs} == {a.name: a for a in gold.backend.bos[5].attrs}
    assert "OP-order.cancel" not in [op.id for op in by_id["BO-order"].ops]
    assert by_id["BO-product"] == gold.backend.bos[2]
    assert [fault.text for fault in parsed.faults] == ["DEL BO-nothing"]
    assert "BO-payment" not in [bo.id for bo in be.patch(gold.backend, "DEL BO-payment", gold.erd).artifact.bos]


def test_the_reference_text_gives_the_reference_components(gold: Gold) -> None:
    """Labels, two date kinds and one source differ: they are derived where the reference was written by hand."""
    parsed = fe.parse(gold.texts["fe"], gold.erd, gold.backend)
    assert parsed.faults == ()
    for component, expected in zip(parsed.artifact.components, gold.frontend.components, strict=True):
        assert (component.id, component.screen, component.kind, component.bo, component.reqs, component.states) == (
            expected.id,
            expected.screen,
            expected.kind,
            expected.bo,
            expected.reqs,
            expected.states,
        )
        assert [
            (c.bind, c.req, c.ro, c.min, c.max, c.pattern, c.source, c.call, c.link) for c in component.controls
        ] == [(c.bind, c.req, c.ro, c.min, c.max, c.pattern, c.source, c.call, c.link) for c in expected.controls]
    assert fe.write(parsed.artifact, gold.erd, gold.backend) == gold.texts["fe"].strip()
    assert judge(gold.artifacts(frontend=parsed.artifact), "frontend").score == 10.0


def test_a_written_frontend_reads_back_as_itself(gold: Gold) -> None:
    text = fe.write(gold.frontend, gold.erd, gold.backend)
    assert fe.parse(text, gold.erd, gold.backend).artifact == gold.frontend


def test_bad_components_controls_and_buttons_are_faults(gold: Gold) -> None:
    text = (
        "**customer-list** SC-006 table customer FR-002: name, ???, phone | 편집>SC-007, 그냥단추\n"
        "customer-x SC-006 hologram customer FR-002: name\n"
        "설명입니다."
    )
    parsed = fe.parse(text, gold.erd, gold.backend)
    (component,) = parsed.artifact.components
    assert [control.bind or control.label for control in component.controls] == ["name", "phone", "편집"]
    assert [(fault.line, fault.text.split()[0]) for fault in parsed.faults] == [
        (1, "???"),
        (1, "그냥단추"),
        (2, "customer-x"),
    ]
    assert fe.parse("", gold.erd, gold.backend).faults[0].line == 0


def test_an_unknown_attribute_is_kept_for_the_validator(gold: Gold) -> None:
    parsed = fe.parse("customer-list SC-006 table customer FR-002: nickname", gold.erd, gold.backend)
    assert parsed.artifact.components[0].controls[0].bind == "nickname"


def test_operations_in_no_service_get_the_one_of_their_object(gold: Gold) -> None:
    parsed = fe.parse("SV-auth: user.login\nlogin SC-001 form user FR-001: email!", gold.erd, gold.backend)
    services = {service.id: service.ops for service in parsed.artifact.services}
    assert services["SV-auth"] == ("OP-user.login",)
    assert {op for ops in services.values() for op in ops} == {op.id for bo in gold.backend.bos for op in bo.ops}


def test_a_frontend_patch_replaces_components(gold: Gold) -> None:
    text = fe.items(gold.frontend, gold.erd, gold.backend, {"CP-customer-list.name"})
    assert fe.patch(gold.frontend, text, gold.erd, gold.backend).artifact == gold.frontend
    changed = fe.patch(gold.frontend, f"{text}\nDEL CP-login\nDEL CP-no", gold.erd, gold.backend)
    assert "CP-login" not in [component.id for component in changed.artifact.components]
    assert [fault.text for fault in changed.faults] == ["DEL CP-no"]
