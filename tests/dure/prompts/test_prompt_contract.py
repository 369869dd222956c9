"""What makes a prompt unusable, and that each fault says where it is and what to do."""

import pytest

from dure.errors import ConfigError
from dure.prompts import PromptContract, PromptKey
from dure.prompts.contract import read_prompts
from dure.prompts.faults import told
from dure.prompts.keys import raw_version, version_of
from dure.prompts.source import MAX_BYTES

BA = PromptKey("ko", "ba")
PACKAGED = """=== system
당신은 분석가입니다.

=== own
문장: $sentence
값: $$5

=== own.example
문장: 도서관
--- answer
도서

=== repair
$items
${findings}
"""


def faults(text: str | bytes) -> list[str]:
    """What is wrong with this text in the place of the packaged one."""
    contract = PromptContract(read_prompts({BA: PACKAGED.encode()}).templates)
    raw = text if isinstance(text, bytes) else text.encode()
    return [str(fault) for fault in contract.check({BA: raw}).faults]


def test_the_packaged_text_fits_itself_and_so_does_another_wording() -> None:
    assert faults(PACKAGED) == []
    assert faults(PACKAGED.replace("당신은 분석가입니다.", "You are\nan analyst = 100%.")) == []
    assert faults(PACKAGED + "\n=== own.example\n문장: $$ 아님, $5\n--- answer\n둘\n") == []


def test_a_byte_order_mark_and_the_line_ends_of_windows_are_nobody_s_fault() -> None:
    windows = b"\xef\xbb\xbf" + PACKAGED.replace("\n", "\r\n").encode()
    assert faults(windows) == []
    assert raw_version(windows) == version_of(PACKAGED)
    assert faults(PACKAGED.replace("\n", "\r")) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "$sentence",
            "",
            ["ko/ba [own] $sentence: the placeholder is missing; write $sentence where its value belongs"],
        ),
        (
            "$sentence",
            "$sentance $sentence",
            [
                "ko/ba [own] $sentance: no value is ever given for this placeholder; "
                "remove it, or write $$ for a dollar sign (there are: $sentence)"
            ],
        ),
        (
            "당신은",
            "$who",
            [
                "ko/ba [system] $who: no value is ever given for this placeholder; "
                "remove it, or write $$ for a dollar sign (this section has none)"
            ],
        ),
        ("$$5", "$5", ["ko/ba [own]: a dollar sign begins no placeholder: '값: $5'; write $$ for a dollar sign"]),
        (
            "=== repair\n$items\n${findings}\n",
            "",
            ["ko/ba [repair]: the section is missing; add a section '=== repair'"],
        ),
        (
            "=== own.example\n문장: 도서관\n--- answer\n도서\n",
            "",
            ["ko/ba [own.example]: the section is missing; add a section '=== own.example' with a worked example"],
        ),
        (
            "--- answer",
            "--- Answer",
            [
                "ko/ba [own.example]: the example has no answer; "
                "write '--- answer' on a line of its own, and the answer below it"
            ],
        ),
        (
            "도서\n",
            "도서\n--- answer\n또\n",
            [
                "ko/ba [own.example]: the example has more than one '--- answer'; "
                "begin each example with '=== own.example'"
            ],
        ),
        (
            "--- answer\n도서\n",
            "--- answer\n",
            [
                "ko/ba [own.example]: the example has an empty half; "
                "write a question above and an answer below '--- answer'"
            ],
        ),
        (
            "문장: 도서관",
            "문장: $sentence",
            [
                "ko/ba [own.example] $sentence: an example is sent as it stands, so the placeholder would stay; "
                "write a value of your own in its place"
            ],
        ),
        (
            "=== repair",
            "=== repare",
            [
                "ko/ba [repair]: the section is missing; add a section '=== repair'",
                "ko/ba [repare]: no such section is ever asked for; rename or remove it; did you mean 'repair'?",
            ],
        ),
        (
            "=== repair",
            "=== own\n$sentence\n=== repair",
            ["ko/ba [own]: the section is there twice; keep one of them"],
        ),
        (
            "당신은 분석가입니다.",
            "===Own\n당신은",
            [
                "ko/ba [system]: '===Own' is no heading of a section; "
                "write '=== name' in small letters, or indent the line"
            ],
        ),
        ("당신은 분석가입니다.", "", ["ko/ba [system]: the section is empty; write its text below its heading"]),
        (
            "=== system",
            "머리말\n=== system",
            ["ko/ba: it does not begin with a section; begin it with a line '=== system'"],
        ),
        ("분석가", "분\x00석가", ["ko/ba: line 2 holds the control character U+0000; remove it"]),
        ("분석가", "분\x1b[31m석가", ["ko/ba: line 2 holds the control character U+001B; remove it"]),
    ],
)
def test_a_fault_names_the_place_and_what_to_do(old: str, new: str, said: list[str]) -> None:
    assert old in PACKAGED
    assert faults(PACKAGED.replace(old, new)) == said


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "it is empty; begin it with a line '=== system'"),
        (b" \n\n", "it is empty; begin it with a line '=== system'"),
        (b"just words", "it does not begin with a section; begin it with a line '=== system'"),
        (PACKAGED.encode("utf-16"), "it is not UTF-8: byte 0 cannot be read; save it as UTF-8"),
        (b"=== system\n\xbe\xc8", "it is not UTF-8: byte 11 cannot be read; save it as UTF-8"),
        (
            b"=== system\n" + b"x" * MAX_BYTES,
            "it is larger than 262,144 bytes; shorten it; no model should read so much each time",
        ),
    ],
)
def test_what_is_no_prompt_at_all_is_one_fault(raw: bytes, said: str) -> None:
    assert faults(raw) == [f"ko/ba: {said}"]


def test_every_fault_of_every_prompt_is_told_and_a_line_tells_the_first() -> None:
    en = PromptKey("en", "ba")
    packaged = read_prompts({BA: PACKAGED.encode(), en: PACKAGED.encode()}).templates
    wrong = PACKAGED.replace("$sentence", "").replace("$items", "").encode()
    found = PromptContract(packaged).check({BA: wrong, en: wrong}).faults
    assert [fault.prompt for fault in found] == ["en/ba", "en/ba", "ko/ba", "ko/ba"]
    assert told(found).startswith(f"{found[0]} | ")
    assert told(found).endswith(" | and 1 more")
    assert told(found[:1]) == str(found[0])


def test_a_prompt_that_nobody_asks_for_is_noted_and_is_no_fault() -> None:
    checked = PromptContract(read_prompts({BA: PACKAGED.encode()}).templates).check({PromptKey("ko", "bar"): b"?"})
    assert (checked.faults, checked.templates) == ((), {})
    assert checked.notes == ("ko/bar is no prompt of this program and is not used; did you mean 'ko/ba'?",)


def test_a_template_fills_its_placeholders_and_names_what_is_not_there() -> None:
    template = read_prompts({BA: PACKAGED.encode()}).templates[BA]
    assert template.render("own", sentence="$100 $sentence") == "문장: $100 $sentence\n값: $5"
    assert template.examples("own") == (("문장: 도서관", "도서"),)
    assert template.examples("repair") == ()
    with pytest.raises(ConfigError, match=r"prompt ko/ba \[repair\]: placeholder 'findings' has no value"):
        template.render("repair", items="-")
    with pytest.raises(ConfigError, match="prompt ko/ba has no section 'other'"):
        template.render("other")


@pytest.mark.parametrize(
    "text", ["ba", "ko/ba/x", "../ba", "ko/..", "KO/ba", "ko/", "/ba", "ko/" + "b" * 65, "ko/ba\n"]
)
def test_what_is_no_name_of_a_prompt_is_none(text: str) -> None:
    assert PromptKey.parse(text) is None
