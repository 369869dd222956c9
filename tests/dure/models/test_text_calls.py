import pytest

from dure.models.text_calls import TextCall, find_calls, split_point

NAMES = frozenset({"stock", "order"})
STOCK = TextCall(name="stock", arguments='{"sku":"가"}')


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"name": "stock", "arguments": {"sku": "가"}}\n```\n\n',
        '{"name": "stock", "parameters": {"sku": "가"}}',
        '<tool_call>\n{"name": "stock", "arguments": {"sku": "가"}}\n</tool_call>',
        '[{"name": "stock", "arguments": {"sku": "가"}}]',
        '{{"name": "stock", "arguments": {"sku": "가"}}}',
    ],
)
def test_a_call_is_found_in_the_shapes_small_models_use(text: str) -> None:
    assert find_calls(text, NAMES) == (STOCK,)


def test_several_calls_keep_their_order() -> None:
    one, two = '{"name":"stock","arguments":{}}', '{"name":"order","arguments":{}}'
    wanted = ("stock", "order")
    for text in (f"```\n{one}\n```\n```json\n{two}\n```", f"```json\n{one}\n{two}\n```", f"[{one},{two}]"):
        assert tuple(call.name for call in find_calls(text, NAMES)) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain words",
        '```json\n{"name": "unknown", "arguments": {}}\n```',
        '```json\n{"name": "stock", "arguments": "no object"}\n```',
        '```json\n{"name": "stock", "arguments": {}, "response": "12"}\n```',
        '```json\n{"name": "stock", "arguments": {}}\n```\nand so on',
        '```json\n{"name": "stock", "arguments": {}}\n```\n```sql\nSELECT 1\n```',
        '{"name": "stock", "argum',
        "[1]",
        "[]",
        "```json\n1 2\n```",
        '{"name": ["stock"], "arguments": {}}',
    ],
)
def test_anything_else_stays_text(text: str) -> None:
    assert find_calls(text, NAMES) == ()


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("안녕하세요", 5),
        ("말: ```json", 3),
        ('  {"na', 2),
        ("[", 0),
        ("말 `", 2),
        ("말 <tool", 2),
        ("a < b", 5),
        ("x <tool_call>{", 2),
        ("x ``` <tool_call>", 2),
        ("", 0),
    ],
)
def test_text_is_held_from_where_a_call_may_begin(text: str, place: int) -> None:
    assert split_point(text) == place
