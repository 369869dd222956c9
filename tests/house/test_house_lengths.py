"""A file is one idea of at most 300 lines, a function fits a screen; the exceptions only shrink."""

import ast

from project_files import python_files, shown

FILE_LINES = 300
FUNCTION_LINES = 40

LONG_FILES: frozenset[str] = frozenset()
LONG_FUNCTIONS: frozenset[str] = frozenset()
"""`path::name` of what is longer for now. Nothing is ever added."""


def test_no_file_is_longer_than_an_idea() -> None:
    long = {
        shown(path)
        for path in python_files("src", "tests", "bench")
        if _lines(path.read_text(encoding="utf-8")) > FILE_LINES
    }
    assert long == LONG_FILES, "split the new ones; strike out those that became short"


def test_no_function_is_longer_than_a_screen() -> None:
    long: set[str] = set()
    for path in python_files("src", "bench"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            if (node.end_lineno or node.lineno) - node.lineno + 1 > FUNCTION_LINES:
                long.add(f"{shown(path)}::{node.name}")
    assert long == LONG_FUNCTIONS, "split the new ones; strike out those that became short"


def _lines(text: str) -> int:
    return text.count("\n")
