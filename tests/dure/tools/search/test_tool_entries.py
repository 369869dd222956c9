"""What of a tool is searched, and when a set of tools is another one."""

from types import MappingProxyType

from dure.chat import ToolDefinition
from dure.messages import Json
from dure.search.keyword import KeywordIndexBuilder
from dure.tools.search.entries import entry_of, fingerprint
from dure.tools.search.sentences import first_sentence


def definition(name: str = "t", description: str = "d", **parameters: Json) -> ToolDefinition:
    return ToolDefinition(name=name, description=description, parameters=parameters)


def test_names_descriptions_and_choices_of_parameters_are_searched_at_every_depth() -> None:
    nested = {
        "type": "object",
        "description": "the tool again",
        "properties": {
            "orderId": {"type": "string", "description": "주문 번호"},
            "ship": {
                "anyOf": [
                    {"type": "object", "properties": {"street": {"type": "string"}}},
                    {"$ref": "#/$defs/Box"},
                ]
            },
            "lines": {"type": "array", "items": {"properties": {"sku": {"enum": ["A-1", 7]}}}},
        },
        "$defs": {"Box": {"properties": {"locker": {"description": "Locker of the station"}}}},
    }
    words = entry_of(ToolDefinition(name="n", description="D.", parameters=nested)).details.split()
    assert {"orderId", "주문", "street", "sku", "A-1", "locker", "Locker"} <= set(words)
    assert "again" not in words


def test_a_schema_that_is_none_or_has_no_end_is_searched_as_far_as_it_goes() -> None:
    endless: dict[str, Json] = {"properties": {"deep": {}}}
    endless["properties"]["deep"] = endless
    assert entry_of(ToolDefinition(name="n", description="", parameters=endless)).details.startswith("deep deep")
    odd = {"properties": 7, "items": [None, 3], "anyOf": "text", "enum": "text", "description": 7}
    assert entry_of(ToolDefinition(name="n", description="", parameters=odd)).details == ""
    wide = definition(properties={f"parameter_{number}": {} for number in range(1000)})
    assert len(entry_of(wide).details) == 2000


async def test_a_tool_is_found_by_what_its_parameters_are() -> None:
    tools = [
        definition("pay", "Pays.", properties={"iban": {"description": "Account of the receiver"}}),
        definition("book", "Books.", properties={"room": {"description": "Room to book"}}),
    ]
    index = await KeywordIndexBuilder().build([entry_of(one) for one in tools])
    assert (await index.search("receiver iban", limit=5))[0].id == "pay"


def test_a_fingerprint_is_of_names_descriptions_and_parameters_in_any_order() -> None:
    one, two = definition("a"), definition("b", "x", properties={"p": {"type": "string"}})
    assert fingerprint([one, two]) == fingerprint([two, one])
    assert fingerprint([one, two]) == fingerprint(
        [one, definition("b", "x", properties=MappingProxyType({"p": {"type": "string"}}))]
    )
    others = (
        [one],
        [one, definition("c", "x", properties={"p": {"type": "string"}})],
        [one, definition("b", "y", properties={"p": {"type": "string"}})],
        [one, definition("b", "x", properties={"p": {"type": "integer"}})],
        [definition("ab", "x", properties={"p": {"type": "string"}})],
    )
    assert len({fingerprint([one, two]), *map(fingerprint, others)}) == 6


def test_a_fingerprint_can_be_made_of_any_text() -> None:
    assert fingerprint([definition("\ud800", "한글", enum={1, 2})]) != fingerprint([definition("x", "한글")])


def test_a_description_is_shown_by_its_first_sentence() -> None:
    assert first_sentence("  재고를 조회합니다. 창고별로 나눕니다.") == "재고를 조회합니다."
    assert first_sentence("Reads v1.2 files\nand more.") == "Reads v1.2 files"
    assert first_sentence("") == ""
    assert first_sentence("word " * 60) == "word " * 22 + "word…"
    assert first_sentence("가" * 500) == "가" * 119 + "…"
