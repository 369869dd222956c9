"""The gold design with defects in it: those of the mutations' file, and names in another style."""

import json
from pathlib import Path
from typing import Any

from dure_spec.artifacts import Artifacts, Stage
from dure_spec.artifacts.bundle import FIELDS

_DATA = Path(__file__).parents[1] / "data" / "gold_order_mgmt"
_FILES: dict[str, Stage] = {"prd": "ba", "ia": "planner", "erd": "dba", "be": "backend", "fe": "frontend"}
_NAMES = {"prd": "1_prd", "ia": "2_ia", "erd": "3_erd", "be": "4_backend", "fe": "5_frontend"}
_UPSTREAM: dict[Stage, int] = {"ba": 1, "planner": 2, "dba": 3, "backend": 4, "frontend": 5, "supervisor": 5}


def gold_parts() -> dict[str, Any]:
    """The gold design as JSON, by field."""
    return {FIELDS[stage]: json.loads((_DATA / f"{_NAMES[name]}.json").read_bytes()) for name, stage in _FILES.items()}


PARTS = gold_parts()
MUTATIONS = [
    row
    for row in map(json.loads, (_DATA / "mutations.jsonl").read_text("utf-8").splitlines())
    if row["artifact"] in _FILES
]


def artifacts_for(stage: Stage, parts: dict[str, Any]) -> Artifacts:
    """What exists when a stage is judged."""
    fields = list(FIELDS.values())[: _UPSTREAM[stage]]
    return Artifacts.model_validate({field: parts[field] for field in fields})


def mutated(chosen: list[int], renames: list[tuple[int, int]], stage: Stage) -> Artifacts | None:
    """The gold design with several defects at once; nothing where they do not go together."""
    parts = json.loads(json.dumps(PARTS))
    try:
        for row in (MUTATIONS[number] for number in chosen):
            patch(parts[FIELDS[_FILES[row["artifact"]]]], row["patch"])
        for table, column in renames:
            columns = parts["erd"]["tables"][table % len(parts["erd"]["tables"])]["columns"]
            at = columns[column % len(columns)]
            first, *others = at["name"].split("_")
            at["name"] = first + "".join(map(str.capitalize, others))
        return artifacts_for(stage, parts)
    except (LookupError, TypeError, ValueError):
        return None


def patch(document: dict[str, Any], steps: list[dict[str, Any]]) -> None:
    """Apply a mutation."""
    for each in steps:
        target: Any = document
        *way, last = (int(part) if part.isdigit() else part for part in each["path"].strip("/").split("/"))
        for part in way:
            target = target[part]
        if last == "-":
            target.append(each["value"])
        elif each["op"] == "remove":
            del target[last]
        else:
            target[last] = each["value"]
