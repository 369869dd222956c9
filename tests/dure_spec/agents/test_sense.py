"""Sentences that slip: to another title, to another's beginning, to the worked example."""

from dure_spec.agents.sense import borrowed, strays


def test_a_sentence_that_says_more_of_another_title_strays() -> None:
    titles = ["게임 플레이", "점수 저장", "순위 보기"]
    said = [
        "플레이어가 게임을 플레이하면 시스템은 점수를 저장하고 목록에 보여 준다.",
        "플레이어가 게임을 마치면 시스템은 순위를 보기 위해 점수를 정렬한다.",
        "플레이어가 화면을 열면 시스템은 게임을 플레이하게 한다.",
    ]
    assert strays(said, titles) == {1, 2}


def test_a_sentence_that_begins_as_another_did_strays() -> None:
    titles = ["회원 탈퇴", "회원 정지"]
    said = ["회원이 창을 열면 시스템은 회원 탈퇴를 받는다.", "회원이 창을 열면 시스템은 회원 정지를 한다."]
    assert strays(said, titles) == {1}
    doubled = ["관리자가 상품을 등록하고 보여 준다 수정하면 시스템은 상품을 관리한다."]
    assert strays(doubled, ["상품 관리"]) == {0}
    aside = ["관리자가 상품을 보여 준다(예를 들어 책)와도면 시스템은 상품을 고친다."]
    assert strays(aside, ["상품 관리"]) == {0}
    english = ["When the lead opens it, the system shall close the issue.", ""]
    assert strays(english, ["Close an issue", "Open an issue"]) == set()


def test_words_of_the_worked_example_betray_a_copied_sentence() -> None:
    examples = ["도서관 관리 시스템\n회원, 도서, 대출"]
    assert borrowed("대출 기준을 도서관과 정한다.", examples, "할 일 앱")
    assert not borrowed("도서 반납 기준을 정한다.", examples, "도서 관리와 대출, 도서관")
    assert not borrowed("할 일을 끝내는 기준을 정한다.", examples, "할 일 앱")
