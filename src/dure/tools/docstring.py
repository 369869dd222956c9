"""What a docstring says about a function and its parameters, in the Google style."""

import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass

_SECTION = re.compile(r"^(Args|Arguments|Parameters|Returns|Raises|Yields|Examples?|Notes?):\s*$")
_PARAMETER = re.compile(r"^\s+\*{0,2}(\w+)\s*(?:\([^)]*\))?:\s*(.*)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """The text before the first section, and the parameters' descriptions."""

    text: str
    parameters: Mapping[str, str]


def read_docstring(docstring: str) -> Told:
    """Take a docstring apart; sections about results and errors are for people and left out."""
    text: list[str] = []
    arguments: list[str] = []
    section = ""
    for line in inspect.cleandoc(docstring).splitlines():
        heading = _SECTION.match(line)
        if heading:
            section = heading[1]
        elif not section:
            text.append(line)
        elif section in {"Args", "Arguments", "Parameters"}:
            arguments.append(line)
    return Told(text="\n".join(text).strip(), parameters=_described(arguments))


def _described(lines: list[str]) -> dict[str, str]:
    """Lines less indented than the text of a parameter begin the next one."""
    described: dict[str, str] = {}
    name, depth = "", 0
    for line in lines:
        indent = len(line) - len(line.lstrip())
        begins = _PARAMETER.match(line)
        if begins and (not name or indent <= depth):
            name, depth = begins[1], indent
            described[name] = begins[2].strip()
        elif name and line.strip():
            described[name] = f"{described[name]} {line.strip()}".strip()
    return {name: text for name, text in described.items() if text}
