"""V09: relations that their keys do not carry, junctions that do not join, and cycles without a first row."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.erd_values import column, design, findings, key, reference, repaired, table

from dure_spec.artifacts import Artifacts
from dure_spec.artifacts.erd import Relation, Table
from dure_spec.validators import Policy
from dure_spec.validators.circles import circles, shortest_way_round

_ENGLISH = Policy(lang="en")


def _related(*tables: Table, relations: tuple[Relation, ...]) -> Artifacts:
    artifacts = design(*tables)
    assert artifacts.erd is not None
    return artifacts.model_copy(update={"erd": artifacts.erd.model_copy(update={"relations": relations})})


def _relation(one: str, other: str, card: str, via: str | None = None) -> Relation:
    return Relation.model_validate({"from": one, "to": other, "card": card, "via": via})


def _said(artifacts: Artifacts, policy: Policy = _ENGLISH) -> list[tuple[str, str]]:
    return [(each.severity, each.ref) for each in findings(artifacts, policy, "V09")]


_BOOKS = table("books", key(), column("title", "varchar(99)"))
_AUTHORS = table("authors", key(), column("full_name", "varchar(99)"))


def _writings(*, pair: bool = True, kind: str = "entity", author: bool = True) -> Table:
    own = (column("author_id", fk="authors.id"),) if author else (column("author_no"),)
    uniques = (("book_id", "author_id"),) if pair else ()
    return table("writings", key(), column("book_id", fk="books.id"), *own, kind=kind, uniques=uniques)


_MANY = (_relation("books", "authors", "N:M", "writings"),)


def test_many_to_many_through_a_unique_pair_is_right() -> None:
    assert _said(_related(_BOOKS, _AUTHORS, _writings(), relations=_MANY)) == []


@pytest.mark.parametrize("via", [None, "writing"])
def test_many_to_many_needs_a_junction_and_is_offered_the_one_that_is_there(via: str | None) -> None:
    lost = _related(_BOOKS, _AUTHORS, _writings(), relations=(_relation("books", "authors", "N:M", via),))
    (finding,) = findings(lost, _ENGLISH, "V09")
    assert (finding.severity, finding.ref, finding.path) == ("critical", "books~authors", "/relations/0/via")
    assert finding.candidates == ("via=writings",)


def test_many_to_many_without_any_junction_is_told_which_to_make() -> None:
    (finding,) = findings(_related(_BOOKS, _AUTHORS, relations=(_relation("books", "authors", "N:M"),)), None, "V09")
    assert finding.expected == "book_authors(book_id, author_id)"


def test_junction_that_lacks_one_key_connects_nothing() -> None:
    artifacts = _related(_BOOKS, _AUTHORS, _writings(author=False, pair=False), relations=_MANY)
    (finding,) = findings(artifacts, _ENGLISH, "V09")
    assert (finding.severity, finding.ref) == ("critical", "writings")
    assert finding.expected == "writings.author_id fk=authors.id"


def test_table_that_says_it_is_a_junction_needs_two_keys() -> None:
    alone = table("writings", key(), column("book_id", fk="books.id"), kind="junction")
    assert _said(design(_BOOKS, alone)) == [("critical", "writings")]


@pytest.mark.parametrize("kind", ["entity", "junction"])
def test_pair_of_a_junction_has_to_be_unique_and_is_made_so(kind: str) -> None:
    artifacts = _related(_BOOKS, _AUTHORS, _writings(pair=False, kind=kind), relations=_MANY)
    (finding,) = findings(artifacts, _ENGLISH, "V09")
    assert (finding.severity, finding.ref) == ("major", "writings")
    mended = repaired(artifacts, finding)
    assert mended.erd is not None
    assert mended.erd.tables[2].uniques == (("book_id", "author_id"),)
    assert _said(mended) == []


def test_pair_that_may_repeat_in_time_is_not_made_unique_by_the_program() -> None:
    loans = table(
        "loans",
        key(),
        column("book_id", fk="books.id"),
        column("author_id", fk="authors.id"),
        column("lent_on", "date"),
    )
    relations = (_relation("books", "authors", "N:M", "loans"),)
    (finding,) = findings(_related(_BOOKS, _AUTHORS, loans, relations=relations), _ENGLISH, "V09")
    assert (finding.severity, finding.fixable) == ("major", False)


@pytest.mark.parametrize(
    "uniques",
    [(("book_id", "author_id", "role"),), (("author_id", "book_id"),), (("book_id", "role"), ("author_id", "book_id"))],
)
def test_key_that_holds_the_pair_in_any_order_and_with_more_is_enough(uniques: tuple[tuple[str, ...], ...]) -> None:
    writings = table(
        "writings",
        key(),
        column("book_id", fk="books.id"),
        column("author_id", fk="authors.id"),
        column("role", "varchar(9)"),
        uniques=uniques,
    )
    assert _said(_related(_BOOKS, _AUTHORS, writings, relations=_MANY)) == []


def test_key_with_the_rows_own_number_in_it_holds_no_pair() -> None:
    writings = table(
        "writings",
        key(),
        column("book_id", fk="books.id"),
        column("author_id", fk="authors.id"),
        uniques=(("id", "book_id", "author_id"),),
    )
    assert _said(_related(_BOOKS, _AUTHORS, writings, relations=_MANY)) == [("major", "writings")]


def test_two_foreign_keys_alone_make_no_junction() -> None:
    copies = table("copies", key(), column("book_id", fk="books.id"), column("author_id", fk="authors.id"))
    assert _said(design(_BOOKS, _AUTHORS, copies)) == []


def test_table_may_be_joined_with_itself_by_two_keys() -> None:
    friends = table(
        "friendships",
        column("asker_id", pk=True, fk="authors.id"),
        column("asked_id", pk=True),
        refs=(reference("asked_id", "authors", "id"),),
        kind="junction",
    )
    relations = (_relation("authors", "authors", "N:M", "friendships"),)
    assert _said(_related(_AUTHORS, friends, relations=relations)) == []
    half = friends.model_copy(update={"refs": ()})
    assert _said(_related(_AUTHORS, half, relations=relations)) == [("critical", "friendships")]


def _profiles(*, unique: bool) -> Table:
    return table("profiles", key(), column("author_id", fk="authors.id", uq=unique), column("bio", "text"))


def test_one_to_one_has_to_be_unique_and_is_made_so() -> None:
    relations = (_relation("authors", "profiles", "1:1"),)
    artifacts = _related(_AUTHORS, _profiles(unique=False), relations=relations)
    (finding,) = findings(artifacts, _ENGLISH, "V09")
    assert (finding.severity, finding.path) == ("major", "/tables/1/columns/1/uq")
    assert "authors~profiles" in finding.ref
    assert "author_id" in finding.ref
    assert _said(repaired(artifacts, finding)) == []
    assert _said(_related(_AUTHORS, _profiles(unique=True), relations=relations)) == []


def test_one_to_one_by_a_shared_primary_key_or_from_the_other_side_is_right() -> None:
    shared = table("profiles", column("author_id", pk=True, fk="authors.id"), column("bio", "text"))
    assert _said(_related(_AUTHORS, shared, relations=(_relation("authors", "profiles", "1:1"),))) == []
    relations = (_relation("profiles", "authors", "1:1"),)
    assert _said(_related(_AUTHORS, _profiles(unique=True), relations=relations)) == []


@pytest.mark.parametrize("card", ["1:N", "1:1"])
def test_declared_relation_needs_a_key(card: str) -> None:
    (finding,) = findings(_related(_AUTHORS, _BOOKS, relations=(_relation("authors", "books", card),)), None, "V09")
    assert (finding.severity, finding.ref) == ("major", "authors~books")
    assert finding.expected == "books.author_id fk=authors.id"


def test_relation_whose_key_runs_the_other_way_says_so() -> None:
    books = table("books", key(), column("author_id", fk="authors.id"))
    (finding,) = findings(_related(_AUTHORS, books, relations=(_relation("books", "authors", "1:N"),)), _ENGLISH, "V09")
    assert "the other way round books references authors" in finding.message


def test_relation_to_a_table_that_is_not_there_names_the_near_ones() -> None:
    (finding,) = findings(_related(_AUTHORS, _BOOKS, relations=(_relation("author", "books", "1:N"),)), None, "V09")
    assert (finding.severity, finding.path, finding.candidates[0]) == ("major", "/relations/0/from", "authors")


def _pair(*, back: bool = False, deferrable: bool = False) -> Artifacts:
    """Departments with a head, and people who work in one."""
    heads = (reference("head_id", "people", "id", deferrable=deferrable),)
    return design(
        table("departments", key(), column("head_id", null=back), refs=heads),
        table("people", key(), column("department_id", fk="departments.id")),
    )


def test_cycle_of_required_keys_has_no_first_row() -> None:
    (finding,) = findings(_pair(), _ENGLISH, "V09")
    assert (finding.severity, finding.ref, finding.path) == ("critical", "departments<->people", "/tables/0/refs/0")
    assert "departments → people → departments" in finding.message
    assert "deferrable" in finding.message
    assert finding.expected == "departments.head_id null=true"


@pytest.mark.parametrize("open_", [{"back": True}, {"deferrable": True}])
def test_cycle_with_a_way_in_is_only_mentioned(open_: dict[str, bool]) -> None:
    assert _said(_pair(**open_)) == [("minor", "departments<->people")]


def test_way_out_without_deferrable_keys_does_not_offer_them() -> None:
    (finding,) = findings(_pair(), Policy(lang="en", dialect="mysql"), "V09")
    assert "deferrable" not in finding.message


def test_long_cycle_is_one_finding_and_shown_as_a_path() -> None:
    ring = [table(f"t{n}s", key(), column("next_id", fk=f"t{(n + 1) % 4}s.id")) for n in range(4)]
    (finding,) = findings(design(*ring), _ENGLISH, "V09")
    assert finding.message.startswith("t0s → t1s → t2s → t3s → t0s:")


def test_junction_and_tree_are_no_cycles() -> None:
    nodes = table("nodes", key(), column("parent_id", fk="nodes.id", null=True), column("label", "varchar(9)"))
    assert _said(_related(_BOOKS, _AUTHORS, _writings(), nodes, relations=_MANY)) == []


def test_required_reference_to_the_own_table_has_no_top() -> None:
    nodes = table("nodes", key(), column("parent_id", fk="nodes.id"))
    assert _said(design(nodes)) == [("critical", "nodes.parent_id")]


def test_key_that_references_itself_connects_nothing() -> None:
    artifacts = design(table("nodes", column("id", pk=True, fk="nodes.id"), column("label", "varchar(9)")))
    assert _said(artifacts) == [("critical", "nodes.id")]


def test_circles_are_found_without_recursion_and_one_by_one() -> None:
    long = {str(n): [str(n + 1)] for n in range(5000)} | {"5000": ["0"]}
    assert [len(part) for part in circles(long)] == [5001]
    graph = {"a": ["b"], "b": ["a", "c"], "c": ["d", "c"], "d": ["e"], "e": ["c", "d"]}
    assert circles(graph) == [("a", "b"), ("c", "d", "e")]
    assert shortest_way_round(graph, ("c", "d", "e")) == ("d", "e")


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=20))
def test_circle_is_what_can_reach_itself(edges: list[tuple[int, int]]) -> None:
    graph: dict[str, set[str]] = {str(node): set() for node in range(8)}
    for start, end in edges:
        graph[str(start)].add(str(end))
    reached = {node: _reached(graph, node) for node in graph}
    mutual = {frozenset(each for each in graph if each in reached[node] and node in reached[each]) for node in graph}
    found = circles(graph)
    assert {frozenset(part) for part in found} == {part for part in mutual if len(part) > 1}
    for part in found:
        way = shortest_way_round(graph, part)
        assert len(set(way)) == len(way) > 1
        assert all(end in graph[start] for start, end in zip(way, (*way[1:], way[0]), strict=True))


def _reached(graph: dict[str, set[str]], start: str) -> set[str]:
    seen: set[str] = set()
    waiting = list(graph[start])
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            waiting += graph[node]
    return seen
