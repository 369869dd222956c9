"""What the gates cost over a reference design, warm: medians of CPU time in turns, by stage and by validator.

`python bench/judge.py [FOLDER]` with five artifacts as `1_prd.json` … `5_frontend.json`; 1 if the whole set takes
longer than it may.
"""

import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from dure_spec.artifacts import STAGES, Artifacts
from dure_spec.validators import VALIDATORS, Policy, judge
from dure_spec.validators.index import build_index

ROUNDS = 15
LIMIT = 50.0
"""Milliseconds that the whole set may take."""
WHOLE = "supervisor"
FOLDER = Path(__file__).parents[1] / "tests" / "data" / "gold_order_mgmt"
FILES = {
    "prd": "1_prd.json",
    "ia": "2_ia.json",
    "erd": "3_erd.json",
    "backend": "4_backend.json",
    "frontend": "5_frontend.json",
}


def load(folder: Path) -> Artifacts:
    """The artifacts in a folder; one that has no file is not there yet."""
    found = {name: folder / file for name, file in FILES.items() if (folder / file).exists()}
    return Artifacts.model_validate({name: json.loads(path.read_text("utf-8")) for name, path in found.items()})


def milliseconds(works: dict[str, Callable[[], object]]) -> dict[str, float]:
    """The median of each, run in turns so that a busy moment of the machine meets all of them."""
    for work in works.values():  # once unmeasured: loads what is loaded late
        work()
    measured: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(ROUNDS):
        for name, work in works.items():
            begun = time.process_time()
            work()
            measured[name].append((time.process_time() - begun) * 1000)
    return {name: statistics.median(times) for name, times in measured.items()}


def main(arguments: Sequence[str]) -> int:
    """Print both tables."""
    folder = Path(arguments[0]) if arguments else FOLDER
    artifacts, policy = load(folder), Policy()
    index = build_index(artifacts)
    stages = milliseconds({stage: lambda stage=stage: judge(artifacts, stage, policy) for stage in STAGES})
    parts: dict[str, Callable[[], object]] = {"index": lambda: build_index(artifacts)}
    for validator in VALIDATORS:
        checks = validator.checks
        parts[f"{validator.id} {validator.name}"] = lambda checks=checks: [list(run(index, policy)) for run in checks]
    for name, took in milliseconds(parts).items():
        print(f"{name:<26} {took:7.2f} ms")
    print()
    for name, took in stages.items():
        over = name == WHOLE and took > LIMIT
        limit = f"  (limit {LIMIT:.0f}){'  OVER' if over else ''}" if name == WHOLE else ""
        print(f"{name:<26} {took:7.2f} ms{limit}")
    return 1 if stages[WHOLE] > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
