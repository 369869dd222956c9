"""Text for terminals: Hangul takes two cells, and nothing a model writes steers the terminal."""

import pytest
from rich.cells import cell_len

from dure.console.render import clock, fit, one_line, printable, tail


def test_control_and_format_characters_do_not_reach_the_terminal() -> None:
    assert printable("a\x1b[31mred\x07\u202e\ud800\r\nb\tc") == "a[31mred\nb    c"


def test_a_syllable_in_pieces_is_put_together() -> None:
    assert printable("\u1112\u1161\u11ab") == "한"


def test_one_line_has_single_spaces() -> None:
    assert one_line("  주문\n\n 관리\t시스템 ") == "주문 관리 시스템"


@pytest.mark.parametrize("width", range(12))
def test_a_fitted_line_never_exceeds_its_cells(width: int) -> None:
    assert cell_len(fit("주문 관리 a 시스템", width)) <= width


def test_what_is_cut_ends_with_an_ellipsis() -> None:
    assert fit("주문 관리", 9) == "주문 관리"
    assert fit("주문 관리", 8) == "주문 관…"


def test_the_tail_wraps_hangul_by_cells_and_keeps_the_last_lines() -> None:
    assert tail("첫 줄\n가나다라마\nab\n", 4, 3) == ["다라", "마", "ab"]


def test_a_blank_line_inside_stays_in_the_tail() -> None:
    assert tail("a\n\nb", 10, 5) == ["a", "", "b"]


@pytest.mark.parametrize(("text", "width", "count"), [("", 10, 3), (" \n", 10, 3), ("abc", 1, 3), ("abc", 10, 0)])
def test_without_text_or_room_there_is_no_tail(text: str, width: int, count: int) -> None:
    assert tail(text, width, count) == []


def test_the_tail_of_one_endless_line_is_its_end() -> None:
    lines = tail("x" * 10_000 + "끝", 10, 2)
    assert len(lines) == 2
    assert lines[-1].endswith("끝")


def test_time_reads_as_a_clock() -> None:
    assert [clock(0.9), clock(61), clock(3723), clock(-5)] == ["0:00", "1:01", "1:02:03", "0:00"]
