import json
import re
from pathlib import Path

import pytest

from dure.models.wire_names import WireNames, wire_name

FITS = re.compile(r"^[a-zA-Z0-9_-]{1,64}$")
NAMES: list[str] = json.loads(
    (Path(__file__).parents[2] / "data/faults/schema/tool_names.json").read_text(encoding="utf-8")
)


def test_names_that_broke_others_fit_are_distinct_and_come_back() -> None:
    names = WireNames(NAMES)
    wires = [names.to_wire(name) for name in NAMES]
    assert all(FITS.match(wire) for wire in wires)
    assert len(set(wires)) == len(NAMES)
    assert [names.to_name(wire) for wire in wires] == NAMES
    assert wires == [WireNames(NAMES).to_wire(name) for name in NAMES]


def test_names_that_differ_only_beyond_the_limit_stay_apart() -> None:
    one, two = "x" * 80, "x" * 79 + "y"
    names = WireNames([one, two])
    assert names.to_wire(one) != names.to_wire(two)
    assert len(names.to_wire(one)) == 64


def test_a_name_that_fits_is_left_alone() -> None:
    assert wire_name("check_stock-2") == "check_stock-2"


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("재고조회", "jaegojohoe"),
        ("한글 값", "hangeul_gap"),
        ("calendar.read", "calendar_read"),
        ("🙂", "tool"),
        ("", "tool"),
    ],
)
def test_other_names_get_a_readable_stem(name: str, stem: str) -> None:
    assert re.fullmatch(rf"{stem}_[0-9a-f]{{8}}", wire_name(name))


def test_decomposed_hangul_reads_the_same_but_is_another_tool() -> None:
    composed, decomposed = "가", "\u1100\u1161"
    assert wire_name(composed).startswith("ga_")
    assert wire_name(decomposed).startswith("ga_")
    assert wire_name(composed) != wire_name(decomposed)


def test_a_tool_named_like_the_wire_name_of_another_does_not_take_its_calls() -> None:
    thief = wire_name("재고")
    names = WireNames(["재고", thief])
    assert names.to_name(thief) == thief
    assert names.to_name(names.to_wire("재고")) == "재고"
    assert FITS.match(names.to_wire("재고"))
    assert names.cache_key
    assert not WireNames(["재고"]).cache_key


def test_a_tool_of_the_history_and_an_invented_one_are_translated_too() -> None:
    names = WireNames([])
    assert names.to_wire("재고") == wire_name("재고")
    assert names.to_name("chek_stock") == "chek_stock"
