"""What conversations found: which are forgotten, and when."""

import pytest

from dure.errors import ConfigError
from dure.run import RunContext
from dure.tools.search import ToolSearch
from dure.tools.search.conversations import Conversations, FoundTools


class Clock:
    """Time that a test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def used(kept: Conversations, *ids: str) -> list[str]:
    for one in ids:
        kept.use(one).add([f"tool of {one}"])
    return [one for one in sorted(set(ids)) if kept.names(one)]


def test_below_its_capacity_no_conversation_is_forgotten() -> None:
    assert used(Conversations(3), "a", "b", "c", "a") == ["a", "b", "c"]


def test_beyond_it_the_least_recently_used_is_forgotten() -> None:
    assert used(Conversations(2), "a", "b", "c") == ["b", "c"]
    assert used(Conversations(2), "a", "b", "a", "c") == ["a", "c"]
    assert used(Conversations(1), "a", "b", "a") == ["a"]


def test_the_same_conversation_never_pushes_itself_out() -> None:
    assert used(Conversations(1), "a", "a", "a") == ["a"]


def test_a_conversation_that_was_dropped_makes_room() -> None:
    kept = Conversations(2)
    used(kept, "a", "b")
    kept.forget("a")
    kept.forget("unknown")
    assert used(kept, "b", "c") == ["b", "c"]
    assert len(kept) == 2


def test_looking_at_a_conversation_does_not_keep_it() -> None:
    kept = Conversations(2)
    used(kept, "a", "b")
    assert kept.names("a") == ("tool of a",)
    assert kept.names("unknown") == ()
    assert used(kept, "c", "b") == ["b", "c"]
    assert kept.names("a") == ()


def test_an_idle_conversation_is_forgotten_after_its_time_a_used_one_is_not() -> None:
    clock = Clock()
    kept = Conversations(9, ttl=10, clock=clock)
    used(kept, "a", "b")
    clock.now = 9.0
    kept.use("a")
    clock.now = 10.0
    assert (kept.names("a"), kept.names("b")) == (("tool of a",), ())
    clock.now = 19.0
    assert kept.use("a").names == {}
    assert len(kept) == 1


@pytest.mark.parametrize(("capacity", "ttl"), [(0, None), (-1, None), (1, 0.0), (1, -5.0)])
def test_a_store_without_room_or_time_is_refused(capacity: int, ttl: float | None) -> None:
    with pytest.raises(ConfigError):
        Conversations(capacity, ttl=ttl)
    with pytest.raises(ConfigError):
        ToolSearch(max_conversations=capacity, ttl=ttl)


def test_found_tools_keep_their_order_and_tell_which_are_new() -> None:
    found = FoundTools()
    assert found.add(["b", "a", "b"]) == ("b", "a")
    assert found.add(["c", "a"]) == ("c",)
    assert list(found.names) == ["b", "a", "c"]


def test_what_a_conversation_found_can_be_stored_and_given_back() -> None:
    search, later = ToolSearch(), ToolSearch()
    search.restore("c", ["b", "a"])
    later.restore("c", search.found("c"))
    assert later.found("c") == ("b", "a")
    later.forget("c")
    assert later.found("c") == ()


def test_without_a_conversation_the_run_remembers() -> None:
    search, run = ToolSearch(), RunContext()
    search.state_of(run).add(["a"])
    assert list(search.state_of(run).names) == ["a"]
    assert list(search.state_of(run.child("helper")).names) == []
    assert list(search.state_of(RunContext()).names) == []
    assert list(ToolSearch().state_of(run).names) == []
