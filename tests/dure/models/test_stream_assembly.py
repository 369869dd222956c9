import pytest

from dure.messages import ToolCall
from dure.models.stream_assembly import StreamAssembly
from dure.usage import Usage

Piece = tuple[str | None, int | None, str | None, str | None]


def assembled(*pieces: Piece, history: frozenset[str] = frozenset()) -> StreamAssembly:
    assembly = StreamAssembly(lambda: history)
    for call_id, index, name, arguments in pieces:
        assembly.add_call(id=call_id, index=index, name=name, arguments=arguments)
    return assembly


def calls(*pieces: Piece) -> list[tuple[str, str]]:
    found = assembled(*pieces).tool_calls()
    assert len({call.id for call in found}) == len(found)
    return [(call.name, call.arguments) for call in found]


def test_pieces_join_by_id_whatever_their_index() -> None:
    assert assembled(
        ("a", 0, "f", '{"x":'), ("b", 1, "g", '{"y":'), ("a", 0, None, "1}"), ("b", None, None, "2}")
    ).tool_calls() == (
        ToolCall(id="a", name="f", arguments='{"x":1}'),
        ToolCall(id="b", name="g", arguments='{"y":2}'),
    )


def test_pieces_without_id_join_by_index() -> None:
    assert calls(("a", 0, "f", "{"), ("b", 1, "g", "{"), (None, 0, None, "}"), (None, 1, None, "}")) == [
        ("f", "{}"),
        ("g", "{}"),
    ]


def test_pieces_without_id_and_index_join_the_open_call() -> None:
    assert calls(("a", None, "f", '{"x":'), (None, None, None, "1}")) == [("f", '{"x":1}')]


def test_two_ids_on_one_index_are_two_calls_and_later_pieces_go_to_the_newer() -> None:
    assert calls(("a", 0, "f", "{}"), ("b", 0, "f", '{"x":'), (None, 0, None, "2}")) == [("f", "{}"), ("f", '{"x":2}')]


def test_one_id_on_two_indexes_is_two_calls_with_two_ids() -> None:
    found = assembled(("search", 0, "search", '{"q":1}'), ("search", 1, "search", '{"q":2}')).tool_calls()
    assert [call.arguments for call in found] == ['{"q":1}', '{"q":2}']
    assert found[0].id == "search" != found[1].id


@pytest.mark.parametrize("call_id", ["search", None])
def test_a_call_named_again_after_whole_arguments_is_another_call(call_id: str | None) -> None:
    assert calls((call_id, None, "search", '{"q":1}'), (call_id, None, "search", '{"q":2}')) == [
        ("search", '{"q":1}'),
        ("search", '{"q":2}'),
    ]


def test_a_name_repeated_with_every_piece_is_said_once_and_a_name_in_pieces_is_joined() -> None:
    assert calls(("a", 0, "f", '{"x":'), ("a", 0, "f", "1}")) == [("f", '{"x":1}')]
    assert calls(("a", 0, "check_", None), (None, 0, "stock", "{}")) == [("check_stock", "{}")]


def test_braces_inside_unfinished_arguments_do_not_end_a_call() -> None:
    assert calls(("a", 0, "f", '{"x":{"y":1}'), ("a", 0, "f", "}")) == [("f", '{"x":{"y":1}}')]


def test_an_id_that_comes_late_belongs_to_the_call_of_its_index() -> None:
    assert calls((None, 0, "f", "{"), ("a", 0, None, "}")) == [("f", "{}")]


def test_a_skipped_index_and_a_call_without_name_make_no_call() -> None:
    assert calls(("a", 1, "now", "{}")) == [("now", "{}")]
    assert calls(("a", 0, None, "{}"), ("b", 1, "now", "{}")) == [("now", "{}")]


def test_missing_ids_are_made_and_ids_of_the_history_are_replaced() -> None:
    made = assembled((None, 0, "f", "{}"), (None, 1, "f", "{}")).tool_calls()
    assert all(call.id.startswith("call_") for call in made)
    (again,) = assembled(("a", 0, "f", "{}"), history=frozenset({"a"})).tool_calls()
    assert again.id != "a"


def test_broken_letters_in_arguments_do_not_stop_the_assembly() -> None:
    assert calls(("a", 0, "f", '"\ud83d"}'), ("a", 0, "f", "x")) == [("f", '"\ud83d"}x')]


@pytest.mark.parametrize(
    ("reason", "with_calls", "ours"),
    [
        ("stop", False, "stop"),
        ("stop", True, "tool_calls"),
        ("tool_calls", True, "tool_calls"),
        ("tool_calls", False, "stop"),
        ("function_call", True, "tool_calls"),
        ("length", False, "length"),
        ("length", True, "length"),
        ("max_tokens", False, "length"),
        ("content_filter", False, "content_filter"),
        ("something new", False, "stop"),
        (None, True, "tool_calls"),
    ],
)
def test_the_reason_is_ours_and_agrees_with_what_came(reason: str | None, with_calls: bool, ours: str) -> None:
    assembly = assembled(*([("a", 0, "f", "{}")] if with_calls else []))
    assembly.reason = reason
    assert assembly.finish_reason() == ours


def test_the_last_value_of_each_count_wins_and_cached_tokens_are_not_fresh() -> None:
    assembly = StreamAssembly()
    assembly.set_counts({"input": 17_111, "output": 1, "cache_read": None})
    assembly.set_counts({"input": 17_111, "output": 5, "cache_read": 17_102, "reasoning": 2})
    assembly.set_counts({"input": None, "output": -1})
    assert assembly.usage() == Usage(fresh_input=9, cache_read=17_102, output=5, reasoning=2, model_calls=1)
    assert assembly.usage().input == 17_111


def test_a_server_that_counts_cached_tokens_apart_gives_no_negative_fresh_input() -> None:
    assembly = StreamAssembly()
    assembly.set_counts({"input": 9, "cache_read": 17_102})
    assert assembly.usage().fresh_input == 0
