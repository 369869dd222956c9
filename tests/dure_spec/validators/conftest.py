"""The gold design, and copies of it with something changed."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dure_spec.artifacts import Artifacts

_GOLD = Path(__file__).parents[2] / "data" / "gold_order_mgmt"
_FILES = {
    "prd": "1_prd.json",
    "ia": "2_ia.json",
    "erd": "3_erd.json",
    "backend": "4_backend.json",
    "frontend": "5_frontend.json",
}
_ALIAS = {"be": "backend", "fe": "frontend"}

Patch = list[dict[str, Any]]
Mutate = Callable[[str, Patch], Artifacts]
Vary = Callable[[dict[str, Patch]], Artifacts]


def _parts() -> dict[str, Any]:
    return {name: json.loads((_GOLD / file).read_text(encoding="utf-8")) for name, file in _FILES.items()}


@pytest.fixture(scope="session")
def gold() -> Artifacts:
    return Artifacts.model_validate(_parts())


@pytest.fixture(scope="session")
def mutate() -> Mutate:
    """Apply a JSON Patch (add, remove, replace) to one artifact of the gold design."""
    parts = _parts()

    def apply(artifact: str, patch: Patch) -> Artifacts:
        name = _ALIAS.get(artifact, artifact)
        return Artifacts.model_validate({**parts, name: _patched(parts[name], patch)})

    return apply


@pytest.fixture(scope="session")
def vary() -> Vary:
    """Apply JSON Patches (add, remove, replace) to several artifacts of the gold design."""
    parts = _parts()

    def apply(changes: dict[str, Patch]) -> Artifacts:
        return Artifacts.model_validate({name: _patched(part, changes.get(name, [])) for name, part in parts.items()})

    return apply


def _patched(document: dict[str, Any], patch: Patch) -> dict[str, Any]:
    document = copy.deepcopy(document)
    for change in patch:
        *steps, last = (int(step) if step.isdigit() else step for step in str(change["path"]).strip("/").split("/"))
        target: Any = document
        for step in steps:
            target = target[step]
        if last == "-":
            target.append(change["value"])
        elif change["op"] == "remove":
            del target[last]
        else:
            target[last] = change["value"]
    return document
