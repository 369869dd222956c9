"""JSON Schema in the small dialect that Ollama keeps: references inlined once, cycles cut, the rest in words.

Ollama shows a model of a tool's schema little more than types, enums and descriptions, refuses some patterns
outright, and shows it nothing at all of the schema of an answer. What falls away is therefore said in words:
in a tool's descriptions, or in a note for the model.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast
from urllib.parse import unquote

from dure.errors import ConfigError
from dure.messages import Json
from dure.models.schema_words import shown, words_of

MOST_NODES = 2_000
"""Nodes after inlining; beyond that references become stubs, so that no schema explodes."""
_MOST_ITEMS = 100
_UNSEEN = ("additionalProperties", "prefixItems")
"""Words of a tool's schema that are dropped although an answer's grammar knows them."""
_FORMATS = frozenset({"date", "time", "date-time", "uuid"})
_LARGEST = 2**53

Node = Mapping[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class Simplified:
    """A schema in the dialect, and what it no longer says."""

    schema: dict[str, Json]
    notes: tuple[str, ...]
    """`path: words` lines."""


def answer_schema(schema: Node) -> Simplified:
    """For an answer: descriptions and dropped words become notes, since the model sees none of the schema.

    Raises:
        ConfigError: a reference leads nowhere or out of the schema.
    """
    writer = _Writer(root=schema, fold=False)
    return Simplified(schema=writer.node(schema, "$", {}), notes=tuple(writer.notes))


def tool_schema(schema: Node) -> Simplified:
    """For a tool's arguments: dropped words are folded into descriptions; notes are about the whole object.

    Raises:
        ConfigError: a reference leads nowhere or out of the schema.
    """
    simple = _Writer(root=schema, fold=True).node(schema, "$", {})
    whole = simple.pop("description", None)
    return Simplified(
        schema={"type": "object", "properties": {}, **simple}, notes=(whole,) if isinstance(whole, str) else ()
    )


@dataclass(slots=True, kw_only=True)
class _Writer:
    root: Node
    fold: bool
    notes: list[str] = field(default_factory=list[str])
    nodes: int = 0

    def node(self, part: Json, path: str, within: Mapping[str, str]) -> dict[str, Json]:
        """`within`: references being inlined right now, with the paths where that began."""
        self.nodes += 1
        if not isinstance(part, Mapping):
            return self._finished({}, {}, path, ["must not be given"] if part is False else [])
        given, within, repeated = self._resolved(cast(Node, part), path, within)
        if repeated is not None:
            return self._finished(
                {"type": given.get("type", "object")}, given, path, [f"of the same form as {repeated}"]
            )
        options = given.get("anyOf") or given.get("oneOf")
        words = words_of(given)
        if self.fold:
            words += [f"{word} {shown(self._told(given[word], path, within))}" for word in _UNSEEN if word in given]
        if isinstance(options, Sequence) and options:
            if "oneOf" in given:
                words.append("fits exactly one of its forms")
            return self._finished(self._forms(given, cast("list[Json]", options), path, within), given, path, words)
        return self._finished(self._plain(given, path, within), given, path, words)

    def _told(self, value: Json, path: str, within: Mapping[str, str]) -> Json:
        if isinstance(value, list):
            return [self.node(one, path, within) for one in cast("list[Json]", value)]
        return self.node(value, path, within) if isinstance(value, Mapping) else value

    def _resolved(self, part: Node, path: str, within: Mapping[str, str]) -> tuple[Node, Mapping[str, str], str | None]:
        """`part` with its references and `allOf` merged in; last, the path it repeats, if it is cut here."""
        given = part
        while True:
            ref, all_of = given.get("$ref"), given.get("allOf")
            if isinstance(ref, str):
                target = self._target(ref)
                rest = {word: value for word, value in given.items() if word != "$ref"}
                if ref in within or self.nodes > MOST_NODES:
                    return _merged(_type_of(target), rest), within, within.get(ref, f"{ref!r} elsewhere")
                given, within = _merged(target, rest), {**within, ref: path}
            elif isinstance(all_of, Sequence) and not isinstance(all_of, str):
                given = {word: value for word, value in given.items() if word != "allOf"}
                for one in cast("list[Json]", all_of):
                    if isinstance(one, Mapping):
                        part, within, _ = self._resolved(cast(Node, one), path, within)
                        given = _merged(part, given)
            else:
                return given, within, None

    def _target(self, ref: str) -> Node:
        if not ref.startswith("#"):
            raise ConfigError(f"$ref {ref!r} is outside the schema; nothing is fetched, so put it under $defs")
        value: Json = self.root
        for step in ref[1:].split("/")[1:] if ref != "#" else ():
            key = unquote(step).replace("~1", "/").replace("~0", "~")
            if isinstance(value, Mapping) and key in value:
                value = cast(Node, value)[key]
            elif isinstance(value, list) and key.isdecimal() and int(key) < len(cast("list[Json]", value)):
                value = cast("list[Json]", value)[int(key)]
            else:
                value = None
        if not isinstance(value, Mapping) or (ref[1:] and not ref.startswith("#/")):
            raise ConfigError(f"$ref {ref!r} leads nowhere in its schema; define what it names under $defs")
        return cast(Node, value)

    def _forms(self, given: Node, options: list[Json], path: str, within: Mapping[str, str]) -> dict[str, Json]:
        # A grammar of alternatives looks at nothing beside them, so what stands there goes into each.
        shared = {word: given[word] for word in ("type", "properties", "required", "items") if word in given}
        forms = [_merged(shared, cast(Node, one)) if isinstance(one, Mapping) else shared for one in options]
        return {"anyOf": [self.node(form, path, within) for form in forms]}

    def _plain(self, given: Node, path: str, within: Mapping[str, str]) -> dict[str, Json]:
        simple: dict[str, Json] = {}
        for word, value in given.items():
            match word:
                case "type" | "enum" | "required":
                    simple[word] = value
                case "const":
                    simple["enum"] = [value]
                case "properties" if isinstance(value, Mapping):
                    pairs = cast("Mapping[str, Json]", value)
                    simple[word] = {name: self.node(one, f"{path}.{name}", within) for name, one in pairs.items()}
                case "items" if isinstance(value, Mapping):
                    simple[word] = self.node(value, f"{path}[]", within)
                case "additionalProperties" if isinstance(value, Mapping) and not self.fold:
                    simple[word] = self.node(value, f"{path}.*", within)
                case "prefixItems" if isinstance(value, list) and not self.fold:
                    places = enumerate(cast("list[Json]", value))
                    simple[word] = [self.node(one, f"{path}[{place}]", within) for place, one in places]
                case _ if not self.fold and _is_enforced(word, value, given):
                    simple[word] = value
                case _:
                    pass
        return simple

    def _finished(self, simple: dict[str, Json], given: Node, path: str, words: list[str]) -> dict[str, Json]:
        told = given.get("description")
        told = " ".join(told.split()) if isinstance(told, str) else ""
        limits = "; ".join(words)
        if self.fold:
            text = f"{told} ({limits})" if told and limits else told or limits
            return {**simple, "description": text} if text else simple
        if told or limits:
            self.notes.append(f"{path}: {'; '.join(part for part in (told, limits) if part)}")
        return simple


def _is_enforced(word: str, value: Json, given: Node) -> bool:
    """Words that grammars carry without harm; they are said in words as well, since old servers drop them."""
    match word:
        case "additionalProperties":
            return value is False
        case "items":
            return value is False and "prefixItems" in given
        case "minItems" | "maxItems":
            return isinstance(value, int) and 0 <= value <= _MOST_ITEMS
        case "minimum" | "maximum":
            return given.get("type") == "integer" and isinstance(value, int) and abs(value) < _LARGEST
        case "format":
            return value in _FORMATS
        case _:
            return False


def _type_of(target: Node) -> Node:
    return {"type": target["type"]} if "type" in target else {"type": "object"}


def _merged(first: Node, second: Node) -> dict[str, Any]:
    """Both at once; where they speak of the same, the second wins, but fields and duties add up."""
    both = {**first, **second}
    if isinstance(first.get("properties"), Mapping) and isinstance(second.get("properties"), Mapping):
        both["properties"] = {**first["properties"], **second["properties"]}
    if isinstance(first.get("required"), list) and isinstance(second.get("required"), list):
        both["required"] = list(dict.fromkeys([*first["required"], *second["required"]]))
    return both
