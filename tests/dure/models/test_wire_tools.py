import weakref

from dure.chat import ToolDefinition
from dure.models.openai_messages import encode_tools
from dure.models.wire_names import WireNames
from dure.models.wire_tools import WireToolsCache

Definitions = tuple[ToolDefinition, ...]


def definition(name: str, description: str = "") -> ToolDefinition:
    return ToolDefinition(name=name, description=description, parameters={"type": "object"})


def counting() -> tuple[WireToolsCache, list[Definitions]]:
    encoded: list[Definitions] = []

    def encode(definitions: Definitions, names: WireNames) -> bytes:
        encoded.append(definitions)
        return encode_tools(definitions, names)

    cache = WireToolsCache(encode)
    encoded.clear()
    return cache, encoded


def test_the_same_definitions_are_encoded_once_in_whatever_tuple_they_come() -> None:
    cache, encoded = counting()
    one, two = definition("a"), definition("재고")
    both = (one, two)
    first = cache.get(both)
    assert cache.get(both) is first
    assert cache.get((one, two)) is first
    assert len(encoded) == 1
    assert first.names.to_name(first.names.to_wire("재고")) == "재고"


def test_equal_names_with_other_definitions_are_other_tools() -> None:
    cache, encoded = counting()
    old, new = cache.get((definition("a", "old"),)), cache.get((definition("a", "new"),))
    assert (b"old" in old.encoded, b"new" in new.encoded) == (True, True)
    assert len(encoded) == 2


def test_another_order_is_another_block() -> None:
    cache, _ = counting()
    one, two = definition("a"), definition("b")
    assert cache.get((one, two)).encoded != cache.get((two, one)).encoded


def test_definitions_made_for_one_request_each_are_let_go_again() -> None:
    cache, encoded = counting()
    seen: list[weakref.ref[object]] = []
    for number in range(500):
        made = cache.get((definition(f"t{number}"),))
        assert f"t{number}".encode() in made.encoded
        seen.append(weakref.ref(made.names))
        del made
    assert len(encoded) == 500
    assert sum(1 for ref in seen if ref() is not None) <= 65
