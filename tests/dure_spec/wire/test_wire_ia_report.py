"""The IA and the Supervisor's words as lines."""

from typing import Protocol

from dure_spec.artifacts import Artifacts, Ia, Prd, Report
from dure_spec.validators.gate import judge
from dure_spec.wire import ia as ia_wire
from dure_spec.wire import report as report_wire


class Gold(Protocol):
    @property
    def prd(self) -> Prd: ...
    @property
    def ia(self) -> Ia: ...
    @property
    def texts(self) -> dict[str, str]: ...


def test_the_reference_text_gives_the_reference_ia_exactly(gold: Gold) -> None:
    parsed = ia_wire.parse(gold.texts["ia"], gold.prd)
    assert (parsed.artifact, parsed.faults) == (gold.ia, ())
    assert ia_wire.write(gold.ia) == gold.texts["ia"].strip()
    assert judge(Artifacts(prd=gold.prd, ia=parsed.artifact), "planner").score == 10.0


def test_roles_that_are_left_out_are_those_of_the_requirements(gold: Gold) -> None:
    parsed = ia_wire.parse("- SC-001 list /customers FR-002 고객 목록\nM 고객 SC-001", gold.prd)
    assert parsed.artifact.screens[0].roles == ("A1", "A3")
    assert parsed.artifact.menu[0].roles == ("A1", "A3")


def test_a_menu_keeps_its_own_roles_and_parent() -> None:
    text = "SC-001 list /a A1,A2 FR-001 목록\nM 모두 SC-001\nM 하나 SC-001 (A1) <M-1"
    parsed = ia_wire.parse(text)
    assert [(menu.roles, menu.parent) for menu in parsed.artifact.menu] == [(("A1", "A2"), None), (("A1",), "M-1")]
    assert ia_wire.write(parsed.artifact) == text


def test_bad_screens_buttons_menus_and_flows_are_faults() -> None:
    text = (
        "SC-001 list /a A1 FR-001 목록 -> SC-002; read 검색(FR-001); explode 단추(FR-001)\n"
        "SC-2 picture /b A1 FR-001 그림\nSC-003 list 경로없음\nM 메뉴\nFL 흐름"
    )
    parsed = ia_wire.parse(text)
    assert [screen.id for screen in parsed.artifact.screens] == ["SC-001"]
    assert [action.label for action in parsed.artifact.screens[0].actions] == ["검색"]
    assert [fault.line for fault in parsed.faults] == [1, 2, 3, 4, 5]


def test_no_screen_at_all_is_a_fault_of_the_whole_text() -> None:
    assert [fault.line for fault in ia_wire.parse("화면을 정했습니다.").faults] == [0]


def test_a_patch_touches_only_what_it_names(gold: Gold) -> None:
    changed = "SC-004 form /orders/new A1 FR-004 주문 작성 -> SC-005; create 저장(FR-004)"
    parsed = ia_wire.patch(gold.ia, f"{changed}\nDEL M-4\nDEL FL-9", gold.prd)
    names = {screen.id: screen.name for screen in parsed.artifact.screens}
    assert names == {screen.id: screen.name for screen in gold.ia.screens} | {"SC-004": "주문 작성"}
    assert [menu.label for menu in parsed.artifact.menu] == ["주문", "고객", "상품"]
    assert parsed.artifact.flows == gold.ia.flows
    assert [fault.text for fault in parsed.faults] == ["DEL FL-9"]
    assert ia_wire.items(parsed.artifact, {"SC-004"}) == changed


_REPORT = Report(summary="", trace=(), stages=())
_KNOWN = frozenset({"FR-001", "purchase_orders"})


def test_a_report_text_fills_the_words_and_keeps_the_computed_part() -> None:
    text = (
        "다음은 보고입니다.\nSUM 주문을 다루는 설계가 완성되었다.\nD 재고는 상품에 둔다\n"
        "R-1 높음 동시 주문에서 재고가 음수가 될 수 있다 [FR-001, FR-404]\n- N 부하 시험을 한다"
    )
    parsed = report_wire.parse(text, _REPORT, _KNOWN)
    report = parsed.artifact
    assert report.summary.endswith("주문을 다루는 설계가 완성되었다.")
    assert (report.decisions, report.next_steps) == (("재고는 상품에 둔다",), ("부하 시험을 한다",))
    assert (report.risks[0].id, report.risks[0].impact, report.risks[0].refs) == ("R-01", "high", ("FR-001",))
    assert [fault.text for fault in parsed.faults] == ["FR-404"]


def test_a_written_report_reads_back_and_is_patched_by_id() -> None:
    text = "SUM 끝.\nD 하나\nR-01 low 위험 [FR-001]\nR-02 high 더 큰 위험\nN 다음"
    report = report_wire.parse(text, _REPORT, _KNOWN).artifact
    assert report_wire.write(report) == text
    patched = report_wire.patch(report, "R-02 medium 줄어든 위험\nDEL R-01", _KNOWN).artifact
    assert [(risk.id, risk.impact) for risk in patched.risks] == [("R-02", "medium")]
    assert (patched.summary, patched.decisions, patched.next_steps) == ("끝.", ("하나",), ("다음",))
    assert report_wire.items(report, {"R-02"}) == "R-02 high 더 큰 위험"


def test_an_empty_report_text_keeps_the_summary_and_is_a_fault() -> None:
    base = _REPORT.model_copy(update={"summary": "계산된 요약"})
    parsed = report_wire.parse("```\n```", base, _KNOWN)
    assert (parsed.artifact.summary, [fault.line for fault in parsed.faults]) == ("계산된 요약", [0])


def test_menu_and_flows_with_ids_of_the_wrong_shape_are_faults() -> None:
    parsed = ia_wire.parse("SC-001 list /a A1 FR-001 목록\nM 메뉴 SC-01\nFL 흐름: SC-001 SC-2")
    assert (parsed.artifact.menu, parsed.artifact.flows) == ((), ())
    assert [fault.line for fault in parsed.faults] == [2, 3]
