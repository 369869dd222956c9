"""Rules that say which tool calls run, which are asked about, and which never run.

delete_*                        a glob on the tool's name
place_order(quantity:1??)       and one on an argument: `name(parameter:value)`, `*` for any
"""

import fnmatch
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, cast

from dure.errors import ConfigError
from dure.messages import Json

Need = Literal["allow", "ask", "deny"]
"""What a call needs before it runs."""

_RULE = re.compile(r"\s*([^\s()](?:[^()]*[^\s()])?)\s*(?:\(\s*([^:()]*[^:()\s])\s*:(.*)\))?\s*", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One line of a policy, taken apart."""

    tool: str
    parameter: str | None = None
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalPolicy:
    """Three lists of rules; `deny` goes before `ask`, `ask` before `allow`, whatever is more specific.

    A rule about an argument looks at a top-level text, number, `true`, `false` or `null`, without the
    blanks around it. Where the argument is a list or an object, `deny` and `ask` look at every value in
    it and `allow` never fits.

    Raises:
        ConfigError: a rule cannot be read.
    """

    deny: tuple[str, ...] = ()
    ask: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    otherwise: Need = "ask"
    """For a call that no rule fits."""
    _rules: tuple[tuple[Need, tuple[Rule, ...]], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        lists: tuple[tuple[Need, tuple[str, ...]], ...] = (
            ("deny", self.deny),
            ("ask", self.ask),
            ("allow", self.allow),
        )
        for need, rules in lists:
            if isinstance(rules, str):  # pyright: ignore[reportUnnecessaryIsInstance] - an easy mistake
                raise ConfigError(f"{need!r} must be a list of rules, not the one text {rules!r}")
        if self.otherwise not in {"allow", "ask", "deny"}:
            raise ConfigError(f"otherwise must be 'allow', 'ask' or 'deny', not {self.otherwise!r}")
        object.__setattr__(self, "_rules", tuple((need, tuple(map(_read, rules))) for need, rules in lists))

    def need(self, tool: str, arguments: Mapping[str, Json]) -> Need:
        """What a call of `tool` with these arguments needs."""
        name = _composed(tool)
        for need, rules in self._rules:
            if any(_fits(rule, name, arguments, strict=need == "allow") for rule in rules):
                return need
        return self.otherwise


def _read(text: str) -> Rule:
    read = _RULE.fullmatch(text)
    if read is None:
        raise ConfigError(f"the rule {text!r} cannot be read; write tool, tool_* or tool(parameter:value*)")
    tool, parameter, value = read.groups()
    return Rule(
        tool=_composed(tool),
        parameter=None if parameter is None else _composed(parameter),
        value=_composed(value or "").strip(),
    )


def _fits(rule: Rule, name: str, arguments: Mapping[str, Json], *, strict: bool) -> bool:
    if not fnmatch.fnmatchcase(name, rule.tool):
        return False
    if rule.parameter is None:
        return True
    for parameter, value in arguments.items():
        if _composed(parameter) != rule.parameter:
            continue
        if strict and isinstance(value, Mapping | list | tuple):
            return False
        return any(fnmatch.fnmatchcase(_composed(text).strip(), rule.value) for text in _texts(value))
    return False


def _texts(value: Json) -> Iterator[str]:
    """The scalars in a value, as JSON writes them; texts without their quotes."""
    match value:
        case str():
            yield value
        case None:
            yield "null"
        case bool():
            yield "true" if value else "false"
        case Mapping():
            for one in cast(Mapping[str, Json], value).values():
                yield from _texts(one)
        case list() | tuple():
            for one in cast(list[Json], value):
                yield from _texts(one)
        case float() if value.is_integer():
            yield str(int(value))  # JSON has one kind of number: 100.0 is 100
        case _:
            yield str(value)


def _composed(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFC", text)
