"""Answers as models really write them: odd marks, hidden characters, prose; and what is refused."""

import json
import unicodedata

import pytest

from dure_spec.agents.answers import (
    json_list,
    json_object,
    labelled_lines,
    numbered_lines,
    one_line,
    readable,
    strings,
)
from dure_spec.agents.question import AnswerRefused


@pytest.mark.parametrize(
    "line",
    [
        "주문 취소: 상세",
        "  주문 취소 :상세  ",
        "- 주문 취소: 상세",
        "* **주문 취소**: 상세",
        "• `주문 취소`： 상세",
        "2. 주문 취소: 상세",
        "3) **주문  취소:** 상세",
        "> 주문\u00a0취소 ： '상세'",
        "주문 취소\u200b: 상세\r",
    ],
)
def test_a_labelled_line_is_read_whatever_stands_around_it(line: str) -> None:
    assert labelled_lines(f"물론입니다:\n\n{line}\n감사합니다.") == {"주문 취소": "상세"}


def test_of_a_label_that_comes_twice_the_first_line_counts() -> None:
    assert labelled_lines("a: 1\na: 2\n: 3\nb:\nc") == {"a": "1"}


def test_a_label_may_begin_with_a_requirement_s_number() -> None:
    assert labelled_lines("1. FR-001 Close an issue: issues CLOSED") == {"FR-001 Close an issue": "issues CLOSED"}


@pytest.mark.parametrize(
    "line", ["1. 시간", "1) 시간", " 1． 시간", "- 1: 시간", "**1.** 시간", "１. 시간", "1 . 시간"]
)
def test_a_numbered_line_is_read_whatever_stands_around_it(line: str) -> None:
    assert {number: text.strip("* ") for number, text in numbered_lines(f"답:\n{line}\n").items()} == {1: "시간"}


def test_a_number_without_an_end_is_no_line() -> None:
    assert numbered_lines("9" * 5000 + ". text") == {}


def test_a_text_goes_on_one_line_without_what_nobody_sees() -> None:
    assert one_line(" a\x00b\n\tc\u202ed\ud800e\ufeff ", 20) == "a b c d e"
    assert one_line("가나다라", 2) == "가나"
    assert [one_line(value, 9) for value in (None, 3, ["a"], {"a": 1})] == [""] * 4


def test_strings_are_cut_and_said_once() -> None:
    assert strings(["a", " a ", "", 3, None, "bcdef", "x", "y"], most=3, longest=3) == ("a", "bcd", "x")
    assert strings("abc", most=3, longest=3) == ()


def test_readable_text_is_composed_and_whole() -> None:
    assert readable(unicodedata.normalize("NFD", "주문") + "\ud800") == "주문?"


@pytest.mark.parametrize(
    "text", ['{"a": 1}', '```json\n{"a": 1}\n```', 'Sure!\n{"a": 1}\nDone.', '<think>{"b": 2}</think>{"a": 1}']
)
def test_an_object_is_found_in_prose_and_fences(text: str) -> None:
    assert json_object(text) == {"a": 1}


@pytest.mark.parametrize("text", ["", "no", "[1]", '{"a": ', "3", "null", "[" * 5000])
def test_what_is_no_object_is_refused_with_a_reason(text: str) -> None:
    with pytest.raises(AnswerRefused, match=r"\S"):
        json_object(text)


@pytest.mark.parametrize("text", ["", "no", '{"a": 1}', "[1,", '"a"'])
def test_what_is_no_list_is_refused_with_a_reason(text: str) -> None:
    with pytest.raises(AnswerRefused, match=r"\S"):
        json_list(text)


def test_a_list_is_a_list() -> None:
    assert json_list(json.dumps([{"name": "사서"}])) == [{"name": "사서"}]
