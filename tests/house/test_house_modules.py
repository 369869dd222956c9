"""Names, docstrings and the shape of packages."""

import ast
from pathlib import Path

from project_files import SRC, python_files, shown

VAGUE = frozenset(("utils", "util", "core", "common", "helpers", "misc", "manager"))


def test_no_module_has_a_vague_name() -> None:
    # `dure_agent` has a step called core; nothing else may be.
    vague = [shown(path) for path in _paths() if path.stem in VAGUE and path.parts[-2:] != ("dure_agent", "core.py")]
    assert vague == []


def test_every_module_says_what_lives_in_it() -> None:
    silent = [shown(path) for path in python_files("src") if len(_docstring(path).strip(" .")) < 15]
    assert silent == []


def test_a_package_holds_only_imports_and_the_list_of_its_names() -> None:
    assert [
        complaint for path in python_files("src") if path.name == "__init__.py" for complaint in _faults(path)
    ] == []


def test_type_checking_is_no_door_around_a_floor() -> None:
    assert [shown(path) for path in python_files("src") if "TYPE_CHECKING" in path.read_text(encoding="utf-8")] == []


def _paths() -> list[Path]:
    return [*python_files("src"), *(path for path in SRC.rglob("*") if path.is_dir())]


def _docstring(path: Path) -> str:
    return ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""


def _faults(path: Path) -> list[str]:
    faults: list[str] = []
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        match node:
            case ast.Expr() | ast.ImportFrom() | ast.Import():
                continue
            case ast.Assign(targets=[ast.Name(id="__all__")]):
                continue
            case ast.FunctionDef(name="__getattr__" | "__dir__") | ast.Assign(targets=[ast.Name(id="_HOMES")]):
                continue  # a package may give its names out lazily
            case _:
                faults.append(f"{shown(path)}:{node.lineno}: more than imports")
    return faults
