"""What a sentence asks to keep is told from whom it is for, where it is used and what is to be built."""

import pytest

from dure_spec.intake.asked import is_named, things


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("주문 관리 시스템을 만들어줘.", ("주문",)),
        ("학원 수강생과 출결, 수강료를 관리하고 싶어.", ("수강생", "출결", "수강료")),
        ("카페 사장님을 위한 재고와 발주 관리 앱.", ("재고", "발주")),
        ("중고 거래 게시판을 만들어줘. 채팅도 돼야 해.", ("채팅",)),
        ("쇼핑몰을 만들어줘. 쿠폰과 적립금도 있어야 해.", ("쿠폰", "적립금")),
        ("반려동물 호텔 예약 시스템 만들어줘. 사진도 올릴 수 있어야 해.", ("사진",)),
        ("도서관에서 책과 회원, 대출을 관리하고 연체료도 계산해 줘", ("회원", "대출", "연체료")),
        ("전시회 작품, 작가, 관람객을 관리하는 서비스", ("작품", "작가", "관람객")),
        ("직원 급여 계산 프로그램", ("급여",)),
        ("회의실 예약 시스템", ("회의실",)),
        ("동네 꽃집 주문 관리 시스템", ("주문",)),
        ("동네 병원 예약 시스템을 만들어줘.", ()),
        ("게임 만들어줘. 2048 같은 거.", ()),
        ("할 일 앱.", ()),
        ("", ()),
        (",,,", ()),
        ("을 를 과 와", ()),
    ],
)
def test_things_of_a_korean_sentence(sentence: str, expected: tuple[str, ...]) -> None:
    assert things(sentence, "ko") == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Manage university courses and students.", ("courses", "students")),
        (
            "Library collection management. We want to search and filter by book editions and tags.",
            ("editions", "tags"),
        ),
        ("A veterinary clinic app: owners, pets, vets, visits.", ("owners", "pets", "vets", "visits")),
        ("Build an issue tracker for a small software team.", ("issue",)),
        ("A hotel booking system: guests reserve rooms.", ("rooms",)),
        ("Manage beehives and honey harvests for a small apiary.", ("beehives", "harvests")),
        ("A blog website.", ()),
        ("A DVD rental store system.", ()),
        ("", ()),
    ],
)
def test_things_of_an_english_sentence(sentence: str, expected: tuple[str, ...]) -> None:
    found = things(sentence, "en")
    assert set(expected) <= set(found)
    assert len(found) <= len(expected) + 1


def test_a_word_counts_as_named_by_its_kin() -> None:
    assert is_named("수강생", "수강 신청")
    assert is_named("게시판", "게시글")
    assert not is_named("쿠폰", "고객, 상품, 주문")
    assert is_named("editions", "book_edition, copy")
    assert not is_named("tags", "book, copy, stage")
    assert is_named("PT", "pt session")


def test_a_sentence_of_any_length_is_read_in_no_time() -> None:
    assert len(things("고객과 " * 3000 + "관리", "ko")) <= 12
    assert len(things("manage " + "a, " * 3000, "en")) <= 12
