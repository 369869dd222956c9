"""What the README shows is what happens."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_python_example_runs(tmp_path: Path) -> None:
    turns = tmp_path / "turns.jsonl"
    call = {"tool_calls": [{"name": "check_stock", "arguments": {"sku": "B-2"}}]}
    turns.write_text("\n".join(json.dumps(turn) for turn in (call, {"text": "B-2"})), encoding="utf-8")
    (block,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    environment = {**os.environ, "DURE_MODEL": f"scripted:{turns}", "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, "-c", block], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout.strip()) == (0, "B-2"), done.stderr


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    users = [line for name, lines in extras.items() if name not in ("test", "dev") for line in lines]
    wanted = [line for line in (*project["dependencies"], *users) if not line.startswith("dure[")]
    names = {re.split(r"[\[<>=; ]", line, maxsplit=1)[0] for line in wanted}
    rows = re.search(r"## Dependencies\n(.*?)\n## |## Dependencies\n(.*)", README, re.DOTALL)
    assert rows is not None
    named = set(re.findall(r"`([a-z0-9-]+)`", rows[0]))
    assert names <= named


def test_every_file_that_it_points_to_exists() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
