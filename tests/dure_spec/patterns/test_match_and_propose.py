import pytest

from dure_spec.patterns import match, propose, suite_of

BEST = [
    ("주문 관리 시스템을 만들어줘.", "sales_order"),
    ("식당에서 태블릿으로 주문받는 앱", "restaurant_order"),
    ("A restaurant ordering app for tablets", "restaurant_order"),
    ("우리 동네 동물병원 예약", "veterinary"),
    ("치과 진료 예약", "clinic"),
    ("세탁소 접수 관리 프로그램", "service_order"),
    ("꽃집 주문이랑 배달 관리", "sales_order"),
    ("자전거 대여소 운영", "vehicle_rental"),
    ("펜션 예약", "lodging"),
    ("회의실을 예약하는 사내 앱", "facility_booking"),
    ("중소기업 연차 휴가 신청", "work_attendance"),
    ("학교 급식 식단표와 잔반 기록", "meal_service"),
    ("요양원 어르신 돌봄 기록", "care"),
    ("비닐하우스 온습도 센서 모니터링", "sensor"),
    ("프리랜서 세금계산서와 미수금 관리", "billing"),
    ("Movie ticket booking with seats", "event_ticketing"),
    ("Airline flight booking with passengers", "transport_ticket"),
    ("Music streaming with playlists and artists", "media_library"),
    ("Student grades and exam results", "grade_book"),
    ("A recipe sharing site", "blog"),
    ("Taxi dispatch", "ride"),
    ("Manage a zoo: animals and keepers", "animal_keeping"),
    ("Expense tracker for my family", "household_ledger"),
]
NOTHING = [
    "우리 정책의 방향",
    "주문진 바다 풍경",
    "의사소통을 돕는 방법",
    "재고하여 주십시오",
    "마감 발행할 일정",
    "In order to sleep better",
    "Python libraries of the team",
    "a walk by the sea",
]


@pytest.mark.parametrize(("sentence", "pattern"), BEST)
def test_the_best_pattern_is_that_of_the_business(sentence: str, pattern: str) -> None:
    assert match(sentence)[0].id == pattern


@pytest.mark.parametrize("sentence", NOTHING)
def test_a_word_that_only_looks_like_a_trigger_calls_for_nothing(sentence: str) -> None:
    assert match(sentence) == ()
    assert propose(sentence).entities == ()


@pytest.mark.parametrize(
    ("sentence", "wrong"),
    [
        ("대학원 수강신청", "tuition_academy"),
        ("3주차 강의 출석", "parking"),
        ("전세 버스 배차 관리", "real_estate"),
        ("소모품 공급여력 관리와 재고", "payroll"),
        ("국수 강의 신청", "university_enrolment"),
        ("발급여부를 보는 재고 관리", "payroll"),
        ("A conference room booking tool", "event_ticketing"),
        ("A reading list of books", "todo"),
    ],
)
def test_part_of_a_longer_word_does_not_bring_a_foreign_pattern(sentence: str, wrong: str) -> None:
    assert wrong not in {pattern.id for pattern in match(sentence, limit=10)}


def test_a_second_topic_of_the_sentence_is_kept() -> None:
    proposal = propose("중고 거래 게시판을 만들어줘. 채팅도 돼야 해.")
    assert proposal.patterns == ("marketplace", "chat")
    assert {"listing", "member", "category", "favorite", "chat_room", "chat_message"} <= _names(proposal.entities)
    assert any(feature.ko == "메시지 보내기" for feature in proposal.features)


def test_what_the_user_names_stands_first() -> None:
    names = [entity.en for entity in propose("A veterinary clinic app: owners, pets, vets, visits.").entities]
    assert set(names[:4]) == {"owner", "pet", "vet", "visit"}
    assert propose("An online shop with wish lists and addresses.").entities[0].en in {
        "address",
        "wish_item",
        "customer",
    }


def test_two_patterns_share_one_entity_for_one_thing() -> None:
    proposal = propose("상품 주문과 발주, 재고 관리")
    names = _names(proposal.entities)
    assert "product" in names
    assert "item" not in names
    product = next(entity for entity in proposal.entities if entity.en == "product")
    assert "품목" in product.synonyms_ko
    assert all(set(feature.entities) <= names for feature in proposal.features)


def test_an_erp_proposes_the_head_of_each_module() -> None:
    suite = suite_of("우리 회사 ERP 만들어줘.")
    assert suite is not None
    proposal = propose("우리 회사 ERP 만들어줘.")
    assert proposal.patterns == suite.modules
    assert {"sales_order", "purchase_order", "stock", "journal_entry", "customer"} <= _names(proposal.entities)
    assert len(proposal.entities) <= 9


def test_a_tiny_app_stays_tiny() -> None:
    assert len(propose("할 일 앱.").entities) <= 2
    assert [entity.en for entity in propose("게임 만들어줘").entities] == ["game_score"]


def test_limits_hold_when_many_patterns_match() -> None:
    proposal = propose("주문, 재고, 급여, 채용, 전표, 휴가를 모두 관리하는 시스템")
    assert len(proposal.entities) <= 9
    assert len(proposal.features) <= 10
    assert len(proposal.roles) <= 4


def test_match_gives_at_most_the_limit() -> None:
    assert len(match("주문, 재고, 급여, 채용, 전표", limit=2)) == 2
    assert match("주문", limit=0) == ()


@pytest.mark.parametrize("sentence", ["", " ", "???", "\ud83d", "가" * 5000, "a+b|c*", "0" * 2000])
def test_any_text_can_be_matched(sentence: str) -> None:
    assert propose(sentence).entities == ()


def _names(entities: tuple[object, ...]) -> set[str]:
    return {str(getattr(entity, "en", "")) for entity in entities}


def test_an_entity_whose_only_joint_is_left_out_is_joined_directly() -> None:
    proposal = propose("우리 회사 ERP 만들어줘.")
    kept = {entity.en for entity in proposal.entities}
    assert "ledger_account" in kept
    assert "journal_line" not in kept
    assert ("ledger_account", "journal_entry") in {(row.from_, row.to) for row in proposal.relations}
