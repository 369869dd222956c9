import pytest

from dure_spec.intake import screen

UNSAFE = [
    ("비밀번호를 평문으로 저장하는 회원 가입 시스템.", "plain_password"),
    ("비밀번호는 암호화하지 않고 저장하는 쇼핑몰", "plain_password"),
    ("A sign-up system that stores passwords in plain text.", "plain_password"),
    ("고객의 카드번호를 암호화 없이 저장하는 결제 시스템", "clear_number"),
    ("Store card numbers unencrypted for faster checkout in the shop.", "clear_number"),
    ("환자의 주민등록번호를 입력받는 병원 예약", "identity_number"),
    ("Save the CVV of each card for the subscription shop.", "card_code"),
    ("로그인 없이 들어가는 관리자 페이지가 있는 게시판", "open_admin"),
    ("A shop with an admin area with no login.", "open_admin"),
    ("감사 로그를 지울 수 있는 회계 시스템", "audit_erasure"),
    ("Managers can delete the audit log of the payroll system.", "audit_erasure"),
    ("직원들이 공용 계정 하나로 쓰는 재고 관리", "shared_account"),
    ("모든 직원의 비밀번호는 1234로 하는 근태 관리", "weak_password"),
    ("수신 동의 없이 광고 문자를 보내는 고객 관리", "unasked_advertising"),
]
SAFE = [
    "비밀번호를 평문으로 저장하지 않는 회원 가입 시스템.",
    "비밀번호 평문 저장 금지, 회원 관리",
    "Passwords are never stored in plain text; member sign-up.",
    "로그인 없이 볼 수 있는 블로그",
    "상품 카탈로그에서 상품을 삭제하는 쇼핑몰",
    "A blog where authors delete posts.",
    "감사 로그는 삭제할 수 없는 회계 시스템",
    "주문 이력을 보는 쇼핑몰",
    "Audit log that cannot be deleted for accounting.",
]


@pytest.mark.parametrize(("sentence", "rule"), UNSAFE)
def test_an_unsafe_wish_becomes_the_safe_way_and_a_question(sentence: str, rule: str) -> None:
    intake = screen(sentence)
    assert intake.verdict == "ok"
    assert [row.id for row in intake.substitutions] == [rule]
    asked = intake.substitutions[0]
    assert asked.default == asked.options[0]
    assert len(asked.options) >= 2
    assert any("가" <= char <= "힣" for char in asked.question_text) is (intake.lang == "ko")


@pytest.mark.parametrize("sentence", SAFE)
def test_a_safe_wish_raises_no_question(sentence: str) -> None:
    assert screen(sentence).substitutions == ()


def test_an_erp_asks_which_modules_come_first_and_offers_four() -> None:
    intake = screen("우리 회사 ERP 만들어줘.")
    assert (intake.verdict, intake.scope) == ("ok", "broad")
    assert intake.scope_question is not None
    assert intake.scope_question.modules == ("sales_order", "purchasing", "stock", "accounting")
    assert intake.scope_question.default == intake.scope_question.options[0]
    assert len(intake.scope_question.options) >= 2
    assert any("인사" in row for row in intake.out_of_scope)


@pytest.mark.parametrize(
    "sentence",
    [
        "그룹웨어 만들어줘",
        "슈퍼앱을 만들고 싶다",
        "전사 통합 시스템",
        "An app like Amazon",
        "A company-wide system that does everything",
        "주문, 재고, 급여, 채용, 전표, 휴가를 모두 관리하는 시스템",
        "Orders, payroll, recruiting, inventory, invoices and leave requests in one system",
    ],
)
def test_a_too_broad_wish_gets_a_scope_question(sentence: str) -> None:
    intake = screen(sentence)
    assert intake.scope == "broad"
    assert intake.scope_question is not None
    assert 3 <= len(intake.scope_question.modules) <= 4


@pytest.mark.parametrize(
    "sentence", ["주문 관리 시스템을 만들어줘.", "A veterinary clinic app.", "ERP 연동이 되는 재고 관리"]
)
def test_an_ordinary_wish_asks_nothing(sentence: str) -> None:
    intake = screen(sentence)
    assert (intake.scope, intake.scope_question, intake.out_of_scope) == ("normal", None, ())
    assert intake.needs_database


@pytest.mark.parametrize("sentence", ["할 일 앱.", "A to-do app", "메모 앱 만들어줘", "나 혼자 쓰는 독서 기록"])
def test_a_tool_for_one_person_is_small_and_keeps_data(sentence: str) -> None:
    intake = screen(sentence)
    assert (intake.scope, intake.needs_database) == ("small", True)


@pytest.mark.parametrize(
    "sentence",
    [
        "게임 만들어줘. 2048 같은 거.",
        "대출 이자 계산기",
        "공부 타이머 앱",
        "A unit converter",
        "회사 소개 페이지",
        "A snake game",
    ],
)
def test_games_and_calculators_need_no_database(sentence: str) -> None:
    intake = screen(sentence)
    assert (intake.scope, intake.needs_database) == ("small", False)


@pytest.mark.parametrize(
    "sentence",
    ["보드게임 카페 예약 관리", "게임 대회 참가 신청과 기록", "A board game rental shop", "시계 수리점 접수 관리"],
)
def test_a_business_around_games_needs_a_database(sentence: str) -> None:
    assert screen(sentence).needs_database
