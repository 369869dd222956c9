"""No circles between modules (imports inside functions counted), and nothing heavy at start-up."""

import ast
import graphlib
import subprocess
import sys
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest
from project_files import SRC, python_files

HEAVY = set(
    "aiohttp fastapi jinja2 jsonschema numpy openapi_spec_validator".split()
    + "psycopg pydantic redis rich sqlglot typer uvicorn".split()
)


def test_no_module_imports_itself_by_a_detour() -> None:
    modules = {_name(path): path for path in python_files("src")}
    graph = {name: set(_imported(path, modules)) - {name} for name, path in modules.items()}
    assert len(graph) > 20
    graphlib.TopologicalSorter(graph).prepare()  # raises CycleError and names the circle


@pytest.mark.parametrize("code", ["import dure", "from dure.console.main import main; main(['--help'])"])
def test_start_up_imports_nothing_heavy(code: str) -> None:
    ask = f"{code}\nimport sys; sys.stderr.write(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True, timeout=60)
    loaded = {name.partition(".")[0] for name in done.stderr.split()}
    assert "dure" in loaded
    assert loaded & HEAVY == set()


def test_whoever_only_reads_prompts_waits_for_no_agent_and_no_parser() -> None:
    ask = (
        "import dure_spec.commands.prompts_output, dure_spec.commands.prompts_export\n"
        "import sys; sys.stderr.write(' '.join(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True, timeout=60)
    loaded = set(done.stderr.split())
    assert "dure_spec.agents.prompt_files" in loaded
    unwanted = {"dure_spec.agents.registry", "dure_spec.validators", "dure_spec.wire", "sqlglot", "fastapi"}
    assert loaded & unwanted == set()


def _name(path: Path) -> str:
    parts = path.relative_to(SRC).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(path: Path, known: Collection[str]) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names if alias.name in known)
            case ast.ImportFrom(module=str(module), names=names):
                for alias in names:
                    inner = f"{module}.{alias.name}"
                    if inner in known or module in known:
                        yield inner if inner in known else module
            case _:
                continue
