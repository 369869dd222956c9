"""Mermaid sources: complete, and safe whatever a name holds."""

import re
from pathlib import Path

import pytest

from dure_spec.artifacts import Erd, Ia, Prd
from dure_spec.artifacts.erd import Column, Meta, Relation, Table
from dure_spec.artifacts.ia import Screen
from dure_spec.artifacts.prd import StateMachine
from dure_spec.derive.mermaid import er_diagram, escape, navigation_flow, state_diagram

GOLD = Path(__file__).parents[2] / "data" / "gold_order_mgmt"
NASTY = 'A "B" <script>alert(1)</script>; %% C\n#x `d` {e} [f] --> g'


def table(name: str, *columns: Column) -> Table:
    key = Column(name="id", logical="ID", type="bigint", pk=True)
    return Table(name=name, logical=name, kind="code", reqs=("FR-001",), columns=(key, *columns))


def erd(*tables: Table, relations: tuple[Relation, ...] = ()) -> Erd:
    return Erd(meta=Meta(dialect="sqlite", pk="bigint identity", audit=()), tables=tables, relations=relations)


def test_er_diagram_holds_every_table_and_foreign_key_of_the_gold_design() -> None:
    gold = Erd.model_validate_json((GOLD / "3_erd.json").read_text(encoding="utf-8"))
    source = er_diagram(gold)
    keys = [column for each in gold.tables for column in each.columns if column.fk]
    assert all(f"({each.name})" in source for each in gold.tables)
    assert len(re.findall(r"--(?:o\{|o\|)", source)) == len(keys)
    assert 'purchase_order_id FK, UK "주문ID"' in source
    assert '||--o| t6 : "purchase_order_id"' in source
    assert 'numeric total_amount "주문총액 · numeric(14,2)"' in source
    assert 'created_at "등록일시"' in source


def test_optional_foreign_key_leaves_the_parent_open() -> None:
    child = table("b", Column(name="a_id", logical="가", type="bigint", fk="a.id", null=True))
    assert 't0 |o--o{ t1 : "a_id"' in er_diagram(erd(table("a"), child))


def test_many_to_many_without_a_junction_table_is_drawn() -> None:
    relation = Relation.model_validate({"from": "a", "to": "b", "card": "N:M"})
    assert 't0 }o--o{ t1 : "N:M"' in er_diagram(erd(table("a"), table("b"), relations=(relation,)))


def test_foreign_key_to_a_missing_table_is_not_drawn() -> None:
    child = table("b", Column(name="a_id", logical="가", type="bigint", fk="nowhere.id"))
    assert "--" not in er_diagram(erd(child))


def test_navigation_has_a_node_a_screen_and_an_arrow_a_link() -> None:
    ia = Ia.model_validate_json((GOLD / "2_ia.json").read_text(encoding="utf-8"))
    source = navigation_flow(ia)
    assert 'SC001(["SC-001 로그인<br/>/login"])' in source
    assert source.count("-->") == sum(len(screen.links) for screen in ia.screens)


def test_states_of_every_machine_are_in_one_diagram() -> None:
    prd = Prd.model_validate_json((GOLD / "1_prd.json").read_text(encoding="utf-8"))
    second = StateMachine(entity="배송", values=("READY",), transitions=())
    source = state_diagram((*prd.states, second), prd.reqs)
    assert source.startswith("stateDiagram-v2\n")
    assert "m0s0 --> m0s3 : FR-006 주문 취소" in source
    assert source.count("m0s2 --> [*]") == 1
    assert "m0s0 --> [*]" not in source
    assert 'state "배송" as m1 {' in source


def test_state_named_only_in_a_transition_is_drawn() -> None:
    machine = StateMachine(entity="주문", values=("A",), transitions=(("A", "B"), ("C",)))
    assert 'state "B" as m0s1' in state_diagram((machine,))


@pytest.mark.parametrize("source", [er_diagram(None), navigation_flow(None), state_diagram(())])
def test_nothing_to_draw_is_an_empty_diagram(source: str) -> None:
    assert source.count("\n") == 1


def test_labels_cannot_leave_their_quotes() -> None:
    assert not set('"<>`;\n') & set(re.sub(r"#?\w+;", "", escape(NASTY)))
    screen = Screen(
        id="SC-001", name=NASTY, route="/x", type="list", roles=("A1",), reqs=("FR-001",), actions=(), links=()
    )
    flow = navigation_flow(Ia(menu=(), screens=(screen,)))
    assert flow.count('"') == 2
    assert flow.count("\n") == 2
    machine = StateMachine(entity=NASTY, values=(NASTY, "B"), transitions=((NASTY, "B", NASTY),))
    for line in state_diagram((machine,)).splitlines():
        assert line.count('"') in (0, 2)
        assert "<script" not in line
    column = Column(name="이름 " + NASTY, logical=NASTY, type=NASTY)
    for line in er_diagram(erd(table(NASTY, column))).splitlines():
        assert line.count('"') in (0, 2)
