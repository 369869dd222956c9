"""The quick check of API documents beside the library that is the judge of it."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.support.api_documents import library_errors, random_document, spoiled

from dure_spec.artifacts import Artifacts
from dure_spec.derive.openapi import openapi_document
from dure_spec.validators.openapi_rules import document_errors

Mutate = Callable[[str, list[dict[str, Any]]], Artifacts]

_FILE = Path(__file__).parents[2] / "data" / "gold_order_mgmt" / "mutations.jsonl"
_MUTATIONS = [
    mutation
    for mutation in map(json.loads, _FILE.read_text(encoding="utf-8").splitlines())
    if mutation["artifact"] in ("erd", "be")
]


def test_both_find_the_gold_document_sound(gold: Artifacts) -> None:
    document = openapi_document(gold)
    assert library_errors(document) == []
    assert list(document_errors(document)) == []


@pytest.mark.parametrize("mutation", _MUTATIONS, ids=[mutation["id"] for mutation in _MUTATIONS])
def test_both_agree_on_every_mutation(mutation: dict[str, Any], mutate: Mutate, gold: Artifacts) -> None:
    """The document of the objects that the mutation changed: the library takes long over the others."""
    artifacts = mutate(mutation["artifact"], mutation["patch"])
    before, after = (openapi_document(each)["components"]["schemas"] for each in (gold, artifacts))
    backend, old = artifacts.backend, gold.backend
    assert backend is not None
    assert old is not None
    tables = {schema["x-table"] for name, schema in after.items() if "x-table" in schema and before.get(name) != schema}
    changed = tuple(bo for bo in backend.bos if bo.table in tables or bo not in old.bos)
    small = artifacts.model_copy(update={"backend": backend.model_copy(update={"bos": changed})})
    document = openapi_document(small)
    assert list(document_errors(openapi_document(artifacts))) == []
    assert bool(library_errors(document)) == bool(list(document_errors(document)))


@pytest.mark.parametrize("seed", range(12))
def test_both_find_the_documents_of_odd_designs_sound(seed: int) -> None:
    document = random_document(Random(seed))
    assert library_errors(document) == []
    assert list(document_errors(document)) == []


def test_three_hundred_odd_designs_have_sound_documents() -> None:
    chance = Random(1)
    assert [fault for _ in range(300) for fault in document_errors(random_document(chance))] == []


@pytest.mark.parametrize("seed", range(36))
def test_what_the_library_finds_is_found_and_nothing_else_where_it_looks(seed: int) -> None:
    chance = Random(seed)
    document, place = spoiled(random_document(chance), chance)
    ours, theirs = list(document_errors(document)), library_errors(document)
    assert bool(ours) or not theirs, theirs
    assert bool(theirs) or not ours or _is_unseen(place), ours


def _is_unseen(place: tuple[str | int, ...]) -> bool:
    """Where the library does not look: request bodies, shared responses, and references to what is gone."""
    shared = place[:2] in (("components", "responses"), ("components", "schemas"))
    return shared or "requestBody" in place or place[-1] == "$ref" or place == ("paths",)
