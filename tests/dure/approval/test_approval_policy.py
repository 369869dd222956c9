"""Rules about tool calls: what runs, what is asked about, what never runs."""

import unicodedata
from typing import Any

import pytest

from dure.approval import ApprovalPolicy, canonical, digest_of
from dure.errors import ConfigError

POLICY = ApprovalPolicy(
    deny=("delete_*", "refund(amount:9???*)", "run(command:*rm -rf*)", "재고_삭제"),
    ask=("place_*", "refund", "mail(to:*@example.com)", "run(command:sudo *)"),
    allow=("*_list", "mail(to:*)", "place_free(price:0)", "check(all:true)", "check(limit:null)", "run"),
)


@pytest.mark.parametrize(
    ("tool", "arguments", "need"),
    [
        ("order_list", {}, "allow"),
        ("delete_list", {}, "deny"),  # deny goes before allow
        ("place_free", {"price": 0}, "ask"),  # ask goes before allow, whatever is more specific
        ("refund", {"amount": 10}, "ask"),
        ("refund", {"amount": 9500}, "deny"),
        ("refund", {"amount": "9500"}, "deny"),
        ("refund", {"amount": 9500.0}, "deny"),
        ("refund", {"amount": 0.95}, "ask"),
        ("run", {"command": "\n sudo ls"}, "ask"),
        ("mail", {"to": "kim@example.com"}, "ask"),
        ("mail", {"to": "kim@dure.example"}, "allow"),
        ("mail", {}, "ask"),  # no rule fits, so somebody is asked
        ("mail", {"to": ["kim@dure.example"]}, "ask"),  # a list is never allowed by a rule about one text
        ("mail", {"to": ["x@dure.example", {"cc": "kim@example.com"}]}, "ask"),
        ("check", {"all": True}, "allow"),
        ("check", {"all": False}, "ask"),
        ("check", {"limit": None}, "allow"),
        ("run", {"command": "ls"}, "allow"),
        ("run", {"command": "sudo ls"}, "ask"),
        ("run", {"command": "cd /\nrm -rf ."}, "deny"),
        ("run", {"command": ["sh", "-c", "rm -rf ."]}, "deny"),
        ("RUN", {}, "ask"),
        ("재고_삭제", {}, "deny"),
        (unicodedata.normalize("NFD", "재고_삭제"), {}, "deny"),
    ],
)
def test_deny_goes_before_ask_and_ask_before_allow(tool: str, arguments: dict[str, Any], need: str) -> None:
    assert POLICY.need(tool, arguments) == need


def test_a_rule_about_an_argument_sees_korean_in_either_form() -> None:
    policy = ApprovalPolicy(deny=(unicodedata.normalize("NFD", "발송(도시:서울*)"),), otherwise="allow")
    assert policy.need("발송", {"도시": "서울시"}) == "deny"
    assert policy.need("발송", {unicodedata.normalize("NFD", "도시"): unicodedata.normalize("NFD", "서울")}) == "deny"
    assert policy.need("발송", {"도시": "부산"}) == "allow"


@pytest.mark.parametrize("otherwise", ["allow", "ask", "deny"])
def test_what_no_rule_fits_is_decided_once(otherwise: Any) -> None:  # noqa: ANN401 - one of the words
    assert ApprovalPolicy(otherwise=otherwise).need("anything", {}) == otherwise
    assert ApprovalPolicy().need("anything", {}) == "ask"


@pytest.mark.parametrize(
    "rule", ["", "  ", "tool(", "tool()", "tool(value)", "(a:b)", "tool(:x)", "tool(a:b) more", "a)b"]
)
def test_a_rule_that_cannot_be_read_is_refused_at_once(rule: str) -> None:
    with pytest.raises(ConfigError, match=r"cannot be read; write tool, tool_\* or tool\(parameter:value\*\)"):
        ApprovalPolicy(ask=(rule,))


def test_a_rule_may_have_spaces_colons_and_brackets_in_its_value() -> None:
    policy = ApprovalPolicy(allow=(" open ( url : https://dure.example/*(1) ) ",))
    assert policy.need("open", {"url": " https://dure.example/a(1) "}) == "allow"
    assert policy.need("open", {"url": "http://dure.example/a(1)"}) == "ask"


def test_lists_that_are_no_lists_and_unknown_words_are_refused() -> None:
    with pytest.raises(ConfigError, match="'deny' must be a list of rules"):
        ApprovalPolicy(deny="delete_*")  # pyright: ignore[reportArgumentType] - what is tested
    with pytest.raises(ConfigError, match="otherwise must be"):
        ApprovalPolicy(otherwise="maybe")  # pyright: ignore[reportArgumentType] - what is tested


def test_a_digest_is_of_what_a_call_says_not_of_how_it_is_written() -> None:
    assert digest_of("t", {"a": 1, "b": [1, "한"]}) == digest_of("t", {"b": [1, "한"], "a": 1})
    different = [
        digest_of("t", {"a": 1}),
        digest_of("u", {"a": 1}),
        digest_of("t", {"a": "1"}),
        digest_of("t", {"a": 1.0}),
    ]
    assert len(set(different)) == 4
    assert canonical({"b": "한글", "a": [1]}) == '{"a":[1],"b":"한글"}'
    with pytest.raises(ValueError, match="JSON"):
        canonical({"a": float("nan")})
