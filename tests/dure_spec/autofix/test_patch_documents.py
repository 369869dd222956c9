"""Patches on documents: whole or not at all, and none that speaks of what an earlier one changed."""

from pathlib import Path
from typing import Literal

import pytest
from pydantic import ValidationError

from dure_spec.artifacts import Artifacts, Erd, Stage
from dure_spec.artifacts.findings import Change
from dure_spec.autofix.documents import Documents

_ERD = Path(__file__).parents[2] / "data" / "gold_order_mgmt" / "3_erd.json"


@pytest.fixture(scope="module")
def gold() -> Artifacts:
    return Artifacts(erd=Erd.model_validate_json(_ERD.read_bytes()))


def step(
    op: Literal["test", "add", "replace", "remove"], path: str, value: object = None, stage: Stage = "dba"
) -> Change:
    """A step of a patch on the tables."""
    return Change(op=op, stage=stage, path=path, value=value)


def erd_of(documents: Documents) -> Erd:
    """The tables as they are now."""
    erd = documents.artifacts().erd
    assert erd is not None
    return erd


def test_each_kind_of_step_changes_what_it_names(gold: Artifacts) -> None:
    documents = Documents(gold)
    name = gold.erd.tables[0].name if gold.erd else ""
    assert documents.apply(
        [
            step("test", "/tables/0/name", name),
            step("replace", "/tables/0/logical", "새 이름"),
            step("add", "/tables/0/indexes/-", ("name",)),
            step("remove", "/tables/7"),
        ]
    )
    erd = erd_of(documents)
    assert erd.tables[0].logical == "새 이름"
    assert erd.tables[0].indexes[-1] == ("name",)
    assert gold.erd is not None
    assert [table.name for table in erd.tables] == [
        table.name for table in gold.erd.tables if table != gold.erd.tables[7]
    ]


FAILING = [
    step("test", "/tables/0/name", "nobody"),
    step("test", "/tables/0/columns/0/pk", 1),
    step("replace", "/tables/99/name", "x"),
    step("replace", "/tables/0/nothing", "x"),
    step("remove", "/tables/0/name/first"),
    step("add", "/tables/0/columns/99", {}),
    step("replace", "", {}),
]


@pytest.mark.parametrize("fault", FAILING, ids=[f"{each.op} {each.path}" for each in FAILING])
def test_a_patch_of_which_one_step_fails_is_left_undone(fault: Change, gold: Artifacts) -> None:
    documents = Documents(gold)
    done = [
        step("replace", "/tables/0/logical", "x"),
        step("add", "/tables/0/uniques/0", ["name"]),
        step("remove", "/tables/1/columns/0"),
        step("add", "/meta/fk_index", "explicit"),
        fault,
    ]
    assert not documents.apply(done)
    assert documents.artifacts() == gold
    assert documents.apply(done[:-1])
    assert documents.artifacts() != gold


CLASHES: list[tuple[list[Change], list[Change]]] = [
    ([step("replace", "/tables/0/name", "x")], [step("replace", "/tables/0/name", "y")]),
    ([step("replace", "/tables/0/name", "x")], [step("test", "/tables/0/name", "x"), step("remove", "/tables/1")]),
    ([step("replace", "/tables/0/columns", [])], [step("replace", "/tables/0/columns/1/type", "text")]),
    ([step("replace", "/tables/0/columns/1/type", "text")], [step("replace", "/tables/0/columns", [])]),
    ([step("remove", "/tables/2")], [step("replace", "/tables/2/logical", "x")]),
    ([step("remove", "/tables/2")], [step("replace", "/tables/5/logical", "x")]),
    ([step("add", "/tables/0/columns/0", {})], [step("replace", "/tables/0/columns/1/type", "text")]),
    ([step("add", "/tables/0/indexes/-", ["a"])], [step("add", "/tables/0/indexes/-", ("a",))]),
    ([step("remove", "/tables/0")], [step("add", "/tables/0/indexes/-", ["a"])]),
]


@pytest.mark.parametrize(("first", "second"), CLASHES)
def test_a_patch_that_was_meant_for_the_document_before_waits(
    first: list[Change], second: list[Change], gold: Artifacts
) -> None:
    documents = Documents(gold)
    assert documents.apply(first)
    assert not documents.apply(second)


SIDE_BY_SIDE: list[tuple[list[Change], list[Change]]] = [
    ([step("replace", "/tables/0/name", "x")], [step("replace", "/tables/0/logical", "y")]),
    ([step("add", "/tables/0/indexes/-", ["a"])], [step("add", "/tables/0/indexes/-", ["b"])]),
    ([step("remove", "/tables/5")], [step("replace", "/tables/4/logical", "x")]),
]


@pytest.mark.parametrize(("first", "second"), SIDE_BY_SIDE)
def test_patches_of_different_places_go_together(first: list[Change], second: list[Change], gold: Artifacts) -> None:
    documents = Documents(gold)
    assert documents.apply(first)
    assert documents.apply(second)


def test_what_does_not_exist_yet_needs_no_change(gold: Artifacts) -> None:
    documents = Documents(gold)
    rename = step("replace", "/bos/0/table", "x", stage="backend")
    assert documents.apply([step("replace", "/tables/0/name", "x"), rename])
    assert not documents.apply([rename])


def test_an_artifact_that_loses_its_form_is_told(gold: Artifacts) -> None:
    documents = Documents(gold)
    assert documents.apply([step("remove", "/tables/0/name")])
    with pytest.raises(ValidationError):
        documents.artifacts()


def test_names_with_slashes_and_tildes_are_found(gold: Artifacts) -> None:
    documents = Documents(gold)
    assert not documents.apply([step("replace", "/meta/a~1b~0c", "x")])
    assert documents.apply([step("add", "/meta/a~1b~0c", "x")])
    with pytest.raises(ValidationError, match="a/b~c"):
        documents.artifacts()
