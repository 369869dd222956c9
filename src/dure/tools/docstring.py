"""What a docstring says about a function and its parameters, in the Google, NumPy or reST form."""

import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_ABOUT_PARAMETERS = frozenset(
    ("args", "arguments", "parameters", "params", "keyword args", "keyword arguments", "other parameters")
)
_FOR_PEOPLE = frozenset(
    "returns return raises yields yield warns example examples note notes attributes references".split()
)
_UNDERLINE = re.compile(r"-{3,}\s*")
_GOOGLE_PARAMETER = re.compile(r"^(\s+)\*{0,2}(\w+)\s*(?:\(.*?\))?:(?:\s+(.*))?$")
_NUMPY_PARAMETERS = re.compile(r"^(\*{0,2}\w+(?:\s*,\s*\*{0,2}\w+)*)\s*(?::.*)?$")
_REST_FIELD = re.compile(r"^:(\w+)(?:\s+([^:]*?))?\s*:\s*(.*)$")
_REST_PARAMETER = frozenset(("param", "parameter", "arg", "argument", "key", "keyword"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """The text without its sections, and the parameters' descriptions."""

    text: str
    parameters: Mapping[str, str]


def read_docstring(docstring: str) -> Told:
    """Take a docstring apart; sections about results and errors are for people and left out."""
    reader = _Reader()
    lines = inspect.cleandoc(docstring).splitlines()
    position = 0
    while position < len(lines):
        underlined = position + 1 < len(lines) and _UNDERLINE.fullmatch(lines[position + 1]) is not None
        position += reader.read(lines[position], underlined=underlined)
    described = {name: " ".join(parts) for name, parts in reader.parameters.items() if parts}
    return Told(text="\n".join(reader.text).strip(), parameters=described)


@dataclass(slots=True)
class _Reader:
    """Reads line by line; lines more indented than a parameter's first go on with it."""

    text: list[str] = field(default_factory=list[str])
    parameters: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    section: str = ""
    """`google`, `numpy` or `rest` where parameters are described, `other` where nothing is for the model."""
    indented: bool = False
    """Whether the section's text is indented, so that a line that is not ends it."""
    current: tuple[str, ...] = ()
    depth: int = 0

    def read(self, line: str, *, underlined: bool) -> int:
        """Take one line; gives how many lines that used up."""
        heading = line.strip().removesuffix(":").lower()
        if underlined and heading in _ABOUT_PARAMETERS | _FOR_PEOPLE:
            self._begin("numpy" if heading in _ABOUT_PARAMETERS else "other", indented=False)
            return 2
        if line.rstrip().endswith(":") and line == line.lstrip() and heading in _ABOUT_PARAMETERS | _FOR_PEOPLE:
            self._begin("google" if heading in _ABOUT_PARAMETERS else "other", indented=True)
        elif rest := _REST_FIELD.match(line):
            self._rest(rest[1], rest[2] or "", rest[3])
        else:
            self._plain(line)
        return 1

    def _begin(self, section: str, *, indented: bool) -> None:
        self.section, self.indented, self.current = section, indented, ()

    def _rest(self, kind: str, named: str, text: str) -> None:
        self._begin("rest", indented=True)
        if kind in _REST_PARAMETER and named:
            self._describe((named.split()[-1].lstrip("*"),), text, 0)

    def _plain(self, line: str) -> None:
        depth = len(line) - len(line.lstrip())
        if self.section and self.indented and not depth and line:
            self.section = ""
        if not self.section:
            self.text.append(line)
        elif self.section == "google":
            begins = _GOOGLE_PARAMETER.match(line)
            if begins and (not self.current or depth <= self.depth):
                self._describe((begins[2],), begins[3] or "", depth)
            else:
                self._go_on(line)
        elif self.section == "numpy" and not depth and (begins := _NUMPY_PARAMETERS.match(line)):
            self._describe(tuple(name.strip().lstrip("*") for name in begins[1].split(",")), "", 0)
        else:
            self._go_on(line)

    def _describe(self, names: tuple[str, ...], text: str, depth: int) -> None:
        self.current, self.depth = names, depth
        for name in names:
            self.parameters[name] = [text.strip()] if text.strip() else []

    def _go_on(self, line: str) -> None:
        if line.strip():
            for name in self.current:
                self.parameters[name].append(line.strip())
