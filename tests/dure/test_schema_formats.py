"""Formats of JSON Schema: the same answer on every machine, for what is right and for what is nearly so."""

import pytest

from dure.schema import FORMATS, check, unchecked_formats

GOOD = {
    "date": ["2024-02-29", "1999-12-31"],
    "date-time": ["2024-02-29T23:59:60Z", "2024-01-01t00:00:00.25+09:00", "2024-01-01 00:00:00z"],
    "duration": ["P1Y2M3DT4H5M6S", "PT0.5S", "P3W", "P1D"],
    "email": ["kim@example.com", "a.b+c@sub.example.co.kr", '"a b"@example.com', "x@[127.0.0.1]", "x@[IPv6:::1]"],
    "hostname": ["localhost", "a-1.example.com.", "xn--bj0bj06e.kr"],
    "idn-email": ["김@예시.한국"],
    "ipv4": ["127.0.0.1"],
    "ipv6": ["::1", "fe80::1"],
    "iri": ["https://예시.한국/가?나=다"],
    "json-pointer": ["", "/a/0/b~1c"],
    "time": ["09:30:00Z", "23:59:60+09:00"],
    "uri": ["https://example.com/a?b=c#d", "mailto:a@b.c", "urn:isbn:1"],
    "uri-reference": ["", "../a?b", "#/x", "https://example.com"],
    "uuid": ["123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-426614174000"],
}
BAD = {
    "date": ["2023-02-29", "20240101", "2024-1-1", "2024-01-01T00:00:00Z", "２０２４-01-01"],
    "date-time": ["2024-01-01", "2024-01-01T00:00:00", "2024-13-01T00:00:00Z", "2024-01-01X00:00:00Z", "now"],
    "duration": ["P", "PT", "1D", "P1Y1W", "P1S"],
    "email": ["kim", "@example.com", "kim@", "a b@example.com", "a..b@example.com", "김@example.com", "a@-b.com"],
    "hostname": ["", "-a.com", "a..b", "a" * 64, "a_b.com", "한글.한국", ".".join(["a" * 60] * 5)],
    "idn-email": ["김", "김@", "김 철@예시.한국", "a@@b"],
    "ipv4": ["127.0.0.256", "127.0.0.01", "::1", "1.2.3"],
    "ipv6": ["127.0.0.1", "fe80::1%eth0", ":::"],
    "iri": ["가", "https://a b"],
    "json-pointer": ["a", "/~2"],
    "time": ["09:30", "09:30:00", "24:00:00Z", "09:30:00+25:00", "09:30:61Z"],
    "uri": ["/a", "https://a b", "https://예시.한국", "https://[", "http://a/%zz", "://a"],
    "uri-reference": ["a b", "\\x", "%z", "http://["],
    "uuid": ["123e4567e89b12d3a456426614174000", "123e4567-e89b-12d3-a456-42661417400g"],
}


def test_every_format_that_is_checked_is_tried_both_ways() -> None:
    assert GOOD.keys() == BAD.keys() == FORMATS.keys()


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in GOOD.items() for text in texts])
def test_a_text_of_a_format_passes(name: str, text: str) -> None:
    assert check(text, {"format": name}) == ()


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in BAD.items() for text in texts])
def test_a_text_that_is_nearly_of_a_format_is_a_fault(name: str, text: str) -> None:
    (fault,) = check(text, {"format": name})
    assert fault.startswith(f"$: {text[:20]!r}"[:-1])
    assert fault.endswith(f" is not a {name!r}")


def test_only_texts_have_a_format() -> None:
    assert check(5, {"format": "date"}) == ()


def test_a_format_nobody_knows_is_told_to_the_model_only() -> None:
    schema = {"properties": {"a": {"format": "color"}, "b": {"format": "date"}, "format": {"type": "string"}}}
    assert check({"a": "?"}, schema) == ()
    assert unchecked_formats(schema) == ("color",)
