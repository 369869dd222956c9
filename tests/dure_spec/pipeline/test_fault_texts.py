"""Faults are told in the language of the run."""

import pytest

from dure_spec.pipeline.fault_texts import fault_text

TOLD = [
    ("no usable answer after 3 attempts: expected one JSON object", "3번 물었지만 쓸 수 있는 답이 없습니다: JSON"),
    ("no usable answer after 2 attempts: @table label", "2번 물었지만 쓸 수 있는 답이 없습니다: @table label"),
    ("cut at the token limit; once more with 2400 tokens", "2400토큰"),
    ("expected 4 lines, each with its number", "4줄"),
    ("no item was replaced", "고친 항목이 하나도 없습니다"),
    ("@table_name label entity FR-001", "쓸 수 없는 답입니다: @table_name"),
    ("이미 우리말", "이미 우리말"),
]


@pytest.mark.parametrize(("fault", "said"), TOLD)
def test_a_korean_run_is_told_in_korean(fault: str, said: str) -> None:
    assert fault_text("ko", fault).startswith(said) or said in fault_text("ko", fault)


@pytest.mark.parametrize("fault", [fault for fault, _ in TOLD])
def test_an_english_run_is_told_what_was_said(fault: str) -> None:
    assert fault_text("en", fault) == fault


def test_a_failed_call_is_told_apart_from_a_useless_answer() -> None:
    assert fault_text("ko", "503 overloaded", call=True) == "모델 호출이 실패했습니다: 503 overloaded"
    assert fault_text("ko", "") == ""
