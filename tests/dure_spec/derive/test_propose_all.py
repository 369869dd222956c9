"""Proposals from a PRD and an ERD pass every validator, and decide what a person would."""

from collections.abc import Callable
from typing import Protocol

import pytest

from dure_spec.artifacts import Artifacts, Backend, Erd, Frontend, Ia, Prd, Stage
from dure_spec.artifacts.backend import Bo, Op
from dure_spec.artifacts.frontend import Component
from dure_spec.artifacts.ia import Screen
from dure_spec.derive.picks import OpPick, ScreenPick
from dure_spec.derive.propose_backend import propose_backend
from dure_spec.derive.propose_frontend import propose_frontend
from dure_spec.derive.propose_ia import propose_ia
from dure_spec.validators.gate import judge


class Design(Protocol):
    @property
    def prd(self) -> Prd: ...
    @property
    def erd(self) -> Erd: ...


Read = Callable[[str], Design]
_STAGES: tuple[Stage, ...] = ("ba", "planner", "dba", "backend", "frontend")
_DESIGNS = ["order_mgmt", "clinic_ko", "library_en", "todo_ko", "game_ko", "catalog_ko"]


def _propose(one: Design) -> tuple[Ia, Backend, Frontend]:
    ia = propose_ia(one.prd)
    backend = propose_backend(one.prd, ia, one.erd)
    return ia, backend, propose_frontend(one.prd, ia, one.erd, backend)


def _screen(ia: Ia, route: str) -> Screen:
    return next(screen for screen in ia.screens if screen.route == route)


def _bo(backend: Backend, name: str) -> Bo:
    return next(bo for bo in backend.bos if bo.id == name)


def _op(backend: Backend, name: str) -> Op:
    return next(op for bo in backend.bos for op in bo.ops if op.id == name)


def _component(frontend: Frontend, name: str) -> Component:
    return next(component for component in frontend.components if component.id == name)


@pytest.mark.parametrize("name", _DESIGNS)
def test_proposals_reach_the_full_score_in_every_stage(design: Read, name: str) -> None:
    one = design(name)
    ia, backend, frontend = _propose(one)
    artifacts = Artifacts(prd=one.prd, ia=ia, erd=one.erd, backend=backend, frontend=frontend)
    for stage in _STAGES:
        judgement = judge(artifacts, stage)
        assert (stage, judgement.score, judgement.findings) == (stage, 10.0, ())


@pytest.mark.parametrize("name", [*_DESIGNS, "no_table_ko"])
def test_every_requirement_is_on_a_screen_and_in_a_component(design: Read, name: str) -> None:
    one = design(name)
    ia, backend, frontend = _propose(one)
    wanted = {req.id for req in one.prd.reqs}
    assert {req for screen in ia.screens for req in screen.reqs} == wanted
    assert {req for component in frontend.components for req in component.reqs} == wanted
    if one.erd.tables:
        assert {req for bo in backend.bos for op in bo.ops for req in op.reqs} == wanted


def test_a_small_app_gets_one_list_and_one_form(design: Read) -> None:
    ia, _, _ = _propose(design("todo_ko"))
    assert [(screen.type, screen.route) for screen in ia.screens] == [("list", "/todos"), ("form", "/todos/:id")]


def test_a_login_screen_exists_only_where_someone_logs_in(design: Read) -> None:
    with_login, _, _ = _propose(design("clinic_ko"))
    without, _, _ = _propose(design("library_en"))
    login = with_login.screens[0]
    assert (login.type, login.route) == ("auth", "/login")
    assert set(login.links) == {menu.screen for menu in with_login.menu}
    assert all(screen.type != "auth" for screen in without.screens)


def test_a_report_has_its_own_screen_and_a_notification_has_none(design: Read) -> None:
    ia, _, _ = _propose(design("clinic_ko"))
    assert _screen(ia, "/reports/appointments").reqs == ("FR-010",)
    assert [screen.route for screen in ia.screens if "FR-009" in screen.reqs] == ["/appointments"]


def test_routes_and_ids_never_repeat(design: Read) -> None:
    for name in _DESIGNS:
        ia, backend, frontend = _propose(design(name))
        routes = [screen.route.replace(":id", "{}") for screen in ia.screens]
        spots = [(op.method, op.path) for bo in backend.bos for op in bo.ops]
        ids = [component.id for component in frontend.components]
        assert [len(set(items)) for items in (routes, spots, ids)] == [len(routes), len(spots), len(ids)]


def test_a_pick_moves_a_requirement_to_the_screen_it_names(design: Read) -> None:
    one = design("order_mgmt")
    ia = propose_ia(one.prd, {"FR-007": ScreenPick(host="detail", entity="주문")})
    assert [screen.route for screen in ia.screens if "FR-007" in screen.reqs] == ["/purchase-orders/:id"]
    assert all(not screen.route.startswith("/payments") for screen in ia.screens)
    backend = propose_backend(one.prd, ia, one.erd)
    frontend = propose_frontend(one.prd, ia, one.erd, backend)
    form = _component(frontend, "CP-payment-form")
    assert form.reqs == ("FR-007",)
    artifacts = Artifacts(prd=one.prd, ia=ia, erd=one.erd, backend=backend, frontend=frontend)
    assert [judge(artifacts, stage).score for stage in _STAGES] == [10.0] * 5


def test_a_pick_for_an_unknown_term_or_table_is_ignored(design: Read) -> None:
    one = design("order_mgmt")
    ia = propose_ia(one.prd, {"FR-005": ScreenPick(host="list", entity="없는말")})
    assert "FR-005" in _screen(ia, "/purchase-orders").reqs
    backend = propose_backend(one.prd, ia, one.erd, {"FR-006": OpPick(action="delete", table="nowhere")})
    assert _op(backend, "OP-purchase-order.cancel").reqs == ("FR-006",)


def test_a_pick_decides_the_operation_of_a_requirement(design: Read) -> None:
    one = design("order_mgmt")
    ia = propose_ia(one.prd)
    pick = OpPick(action="transition", table="purchase_orders", to_state="CANCELLED")
    backend = propose_backend(
        one.prd, ia, one.erd, {"FR-006": pick, "FR-002": OpPick(action="list", table="customers")}
    )
    assert _op(backend, "OP-purchase-order.cancel").roles == ("A1", "A3")
    assert {op.kind for op in _bo(backend, "BO-customer").ops} == {"list"}


def test_passwords_go_in_and_never_come_out(design: Read) -> None:
    _, backend, frontend = _propose(design("order_mgmt"))
    user = _bo(backend, "BO-app-user")
    password = next(attribute for attribute in user.attrs if attribute.name == "password")
    assert (password.col, password.computed) == (None, "argon2id -> app_users.password_hash")
    assert all("password" not in (attribute.col or "") for attribute in user.attrs)
    shown = [c.bind for component in frontend.components for c in component.controls if c.ro]
    assert "password" not in shown


def test_transitions_name_the_state_they_start_from(design: Read) -> None:
    _, backend, _ = _propose(design("clinic_ko"))
    confirm = _op(backend, "OP-appointment.confirm")
    assert (confirm.kind, confirm.path) == ("transition", "/appointments/{id}/confirm")
    assert (409, "NOT_REQUESTED") in [(error.http, error.code) for error in confirm.errors]
    assert (409, "INVALID_STATE") in [(e.http, e.code) for e in _op(backend, "OP-appointment.cancel").errors]


def test_creating_in_another_table_moves_the_state_at_once(design: Read) -> None:
    _, backend, _ = _propose(design("order_mgmt"))
    assert _op(backend, "OP-shipment.create").writes == ("shipments", "purchase_orders", "order_status_logs")
    keys = [op.id for op in _bo(backend, "BO-purchase-order").ops]
    assert "OP-purchase-order.deliver" in keys
    assert "OP-purchase-order.ship" not in keys


def test_lending_a_book_creates_the_loan_and_not_a_book_state(design: Read) -> None:
    _, backend, _ = _propose(design("library_en"))
    assert _op(backend, "OP-loan.create").reqs == ("FR-003",)
    assert all(op.kind != "transition" for op in _bo(backend, "BO-book").ops)


def test_lines_are_children_and_come_with_their_parent(design: Read) -> None:
    _, backend, frontend = _propose(design("order_mgmt"))
    order = _bo(backend, "BO-purchase-order")
    assert order.children == ("BO-order-item",)
    assert "items" in _op(backend, "OP-purchase-order.create").in_
    assert _bo(backend, "BO-order-item").ops == ()
    lines = next(c for c in _component(frontend, "CP-purchase-order-form").controls if c.bind == "items")
    assert (lines.kind, lines.req, lines.source) == ("lines", True, "OP-product.list")


def test_histories_need_no_object(design: Read) -> None:
    _, backend, _ = _propose(design("order_mgmt"))
    assert backend.infra_tables == ("order_status_logs",)


@pytest.mark.parametrize("name", _DESIGNS)
def test_every_rule_is_kept_by_some_operation(design: Read, name: str) -> None:
    one = design(name)
    _, backend, _ = _propose(one)
    kept = {rule for bo in backend.bos for op in bo.ops for rule in op.rules}
    assert kept == {rule.id for rule in one.prd.rules}


def test_controls_follow_the_column_types(design: Read) -> None:
    _, _, frontend = _propose(design("catalog_ko"))
    form = {control.bind: control for control in _component(frontend, "CP-product-form").controls if control.bind}
    assert (form["unitPrice"].kind, form["unitPrice"].min) == ("money", 0.01)
    assert (form["productCode"].kind, form["productCode"].max, form["productCode"].req) == ("text", 20, True)
    assert (form["categoryId"].kind, form["categoryId"].source) == ("select", "OP-category.list")
    assert (form["image"].kind, form["options"].kind) == ("file", "textarea")
    assert (form["categoryId"].label, form["name"].label) == ("분류", "상품명")


def test_a_self_reference_is_chosen_from_its_own_list(design: Read) -> None:
    _, _, frontend = _propose(design("catalog_ko"))
    parent = next(c for c in _component(frontend, "CP-category-form").controls if c.bind == "parentId")
    assert (parent.source, parent.req) == ("OP-category.list", False)


def test_picks_choose_what_a_list_shows(design: Read) -> None:
    one = design("clinic_ko")
    ia = propose_ia(one.prd)
    backend = propose_backend(one.prd, ia, one.erd)
    picks = {"patients": ("phone", "name", "nonsense")}
    frontend = propose_frontend(one.prd, ia, one.erd, backend, picks)
    shown = [c.bind for c in _component(frontend, "CP-patient-list").controls if c.bind]
    assert shown == ["phone", "name"]


def test_english_designs_have_english_words(design: Read) -> None:
    ia, _, frontend = _propose(design("library_en"))
    texts = [screen.name for screen in ia.screens] + [menu.label for menu in ia.menu]
    texts += [control.label for component in frontend.components for control in component.controls]
    assert [text for text in texts if not text.isascii()] == []


def test_a_design_without_tables_still_has_its_screen(design: Read) -> None:
    ia, backend, frontend = _propose(design("no_table_ko"))
    assert [screen.type for screen in ia.screens] == ["dashboard"]
    assert backend == Backend(bos=())
    assert [control.label for control in frontend.components[0].controls] == ["주사위 굴리기"]
