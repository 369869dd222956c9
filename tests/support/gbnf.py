"""Reads GBNF grammars without recursion, and plays a model that obeys them."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass

_TOKEN = re.compile(
    r'\s*(?:(?P<text>"(?:\\.|[^"\\])*")|(?P<letters>\[(?:\\.|[^\]\\])+\])|(?P<name>[a-z][a-zA-Z0-9-]*)'
    r"|(?P<times>\{\d+,\d+\}|\?)|(?P<mark>[()|]))"
)
Pick = Callable[[int], int]
"""Which of so many alternatives."""


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The rules of a grammar by name."""

    bodies: dict[str, str]

    def write(self, *, pick: Pick, longest: bool) -> str:
        """A text that the grammar allows, with the fewest or the most repetitions."""
        return _Writer(rules=self, pick=pick, longest=longest).rule("root")


def read(grammar: str) -> Rules:
    """The rules; a line that is none, or a rule without an end, fails the test."""
    bodies: dict[str, str] = {}
    for line in grammar.strip().splitlines():
        name, mark, body = line.partition(" ::= ")
        assert mark, f"no rule: {line!r}"
        assert name not in bodies, f"rule {name!r} is there twice"
        bodies[name] = body
    assert "root" in bodies
    return Rules(bodies=bodies)


@dataclass(kw_only=True)
class _Writer:
    rules: Rules
    pick: Pick
    longest: bool

    def rule(self, name: str) -> str:
        tokens = _tokens(self.rules.bodies[name])
        text = self._choice(tokens)
        assert not tokens, f"rule {name!r} has a bracket too many"
        return text

    def _choice(self, tokens: list[tuple[str, str]]) -> str:
        options = [self._sequence(tokens)]
        while tokens and tokens[0] == ("mark", "|"):
            tokens.pop(0)
            options.append(self._sequence(tokens))
        return options[self.pick(len(options))]

    def _sequence(self, tokens: list[tuple[str, str]]) -> str:
        written = ""
        while tokens and tokens[0] not in (("mark", "|"), ("mark", ")")):
            kind, value = tokens.pop(0)
            one = self._one(kind, value, tokens)
            least, most = 1, 1
            if tokens and tokens[0][0] == "times":
                times = tokens.pop(0)[1]
                least, most = (0, 1) if times == "?" else _bounds(times)
            written += one * (most if self.longest else least)
        return written

    def _one(self, kind: str, value: str, tokens: list[tuple[str, str]]) -> str:
        if kind == "text":
            return str(json.loads(value))
        if kind == "letters":
            return re.sub(r"\\(.)", r"\1", value[1:3])[0]
        if kind == "name":
            return self.rule(value)
        assert (kind, value) == ("mark", "("), f"unexpected {value!r}"
        text = self._choice(tokens)
        assert tokens, "a bracket is not closed"
        assert tokens.pop(0) == ("mark", ")")
        return text


def _bounds(times: str) -> tuple[int, int]:
    least, _, most = times.strip("{}").partition(",")
    return int(least), int(most)


def _tokens(body: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    position = 0
    while body[position:].strip():
        token = _TOKEN.match(body, position)
        assert token is not None, f"no GBNF: {body[position : position + 40]!r}"
        assert token.lastgroup is not None
        found.append((token.lastgroup, token[token.lastgroup]))
        position = token.end()
    return found
