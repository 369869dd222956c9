"""State machines that titles imply."""

import pytest

from dure_spec.artifacts.prd import Prd
from dure_spec.artifacts.shared import Language
from dure_spec.derive.assumed_states import assume_states
from dure_spec.derive.verbs import state_verb, step_label, title_verb
from dure_spec.wire import prd as prd_wire


def _prd(lines: str, lang: Language = "ko") -> Prd:
    parsed = prd_wire.parse(lines, lang=lang)
    assert parsed.faults == ()
    return parsed.artifact


def test_titles_of_an_order_give_its_states() -> None:
    prd = _prd(
        "G 주문=purchase_order: 주문\n"
        "FR-001 M workflow A1 [주문] 주문 등록: 시스템은 주문을 만든다.\n"
        "FR-002 M workflow A1 [주문] 주문 취소: 시스템은 주문을 취소한다.\n"
        "FR-003 M workflow A1 [주문] 주문 출고: 시스템은 주문을 출고한다."
    )
    (machine,) = assume_states(prd)
    assert machine.values == ("PLACED", "SHIPPED", "CANCELLED")
    assert machine.transitions == (("PLACED", "SHIPPED", "FR-003"), ("PLACED", "CANCELLED", "FR-002"))


def test_an_approval_starts_as_requested() -> None:
    prd = _prd(
        "G Leave=leave_request: time off\n"
        "FR-001 M workflow A1 [Leave] Request leave: The system shall store the request.\n"
        "FR-002 M workflow A1 [Leave] Approve leave: The system shall approve it.\n"
        "FR-003 M workflow A1 [Leave] Reject leave: The system shall reject it.",
        "en",
    )
    (machine,) = assume_states(prd)
    assert machine.values == ("REQUESTED", "APPROVED", "REJECTED")
    assert ("REQUESTED", "APPROVED", "FR-002") in machine.transitions


def test_given_machines_stay_and_quiet_entities_get_none() -> None:
    prd = _prd(
        "G 예약=reservation: 예약\nG 고객=customer: 고객\n"
        "FR-001 M workflow A1 [예약] 예약 취소: 시스템은 예약을 취소한다.\n"
        "FR-002 M crud A1 [고객] 고객 관리: 시스템은 고객을 관리한다.\n"
        "ST 예약: OPEN>CLOSED(FR-001)"
    )
    assert assume_states(prd) == prd.states
    assert assume_states(_prd("G 고객=customer: 고객\nFR-001 M workflow A1 [고객] 고객 등록: 등록한다.")) == ()


@pytest.mark.parametrize(
    ("title", "deed", "state"),
    [
        ("주문 취소", "transition", "CANCELLED"),
        ("예약 등록", "create", None),
        ("상품 정보 수정", "update", None),
        ("Return a book", "transition", "RETURNED"),
        ("Cancelling orders", "transition", "CANCELLED"),
        ("Check in guests", "transition", "CHECKED_IN"),
        ("주문 조회", "list", None),
    ],
)
def test_a_title_is_understood_by_its_verb(title: str, deed: str, state: str | None) -> None:
    verb = title_verb(title)
    assert verb is not None
    assert (verb.deed, verb.state) == (deed, state)


def test_a_title_without_a_known_verb_has_none() -> None:
    assert title_verb("타일") is None


@pytest.mark.parametrize(
    ("state", "verb"),
    [
        ("CANCELLED", "cancel"),
        ("SHIPPED", "ship"),
        ("APPROVED", "approve"),
        ("CLOSED", "close"),
        ("REJECTED", "reject"),
        ("VERIFIED", "verify"),
        ("IN_PROGRESS", "start"),
        ("LOST", "mark-lost"),
        ("완료", "change-status"),
    ],
)
def test_a_state_is_reached_by_a_path_word(state: str, verb: str) -> None:
    assert state_verb(state) == verb


def test_buttons_say_the_step_in_the_language_of_the_design() -> None:
    assert (step_label("cancel", "ko"), step_label("cancel", "en")) == ("취소", "Cancel")
    assert step_label("mark-lost", "ko") == "lost"
