"""Rules over JSON as values: a rule looks at a value and tells each fault with its place."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

Where = tuple[str, ...]
"""Names and positions that lead to a value."""
Fault = tuple[Where, str]
Rule = Callable[[object, Where], Iterator[Fault]]


def as_object(value: object) -> Mapping[str, object] | None:
    """The value as a JSON object, `None` where it is none."""
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else None


def as_list(value: object) -> Sequence[object] | None:
    """The value as a JSON array, `None` where it is none."""
    return cast("Sequence[object]", value) if isinstance(value, list) else None


def is_number(value: object) -> bool:
    """Whether it is a number; JSON's true is none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def anything(value: object, at: Where) -> Iterator[Fault]:
    """Any value."""
    del value, at
    yield from ()


def text(value: object, at: Where) -> Iterator[Fault]:
    """A string."""
    if not isinstance(value, str):
        yield at, f"{value!r} is not a string"


def flag(value: object, at: Where) -> Iterator[Fault]:
    """True or false."""
    if not isinstance(value, bool):
        yield at, f"{value!r} is not a boolean"


def number(value: object, at: Where) -> Iterator[Fault]:
    """A number."""
    if not is_number(value):
        yield at, f"{value!r} is not a number"


def count(value: object, at: Where) -> Iterator[Fault]:
    """A whole number that is not negative."""
    if not (is_number(value) and float(cast("float", value)) >= 0 and float(cast("float", value)).is_integer()):
        yield at, f"{value!r} is not a whole number of 0 or more"


def matching(pattern: str) -> Rule:
    """A string of a form."""
    form = re.compile(pattern)

    def rule(value: object, at: Where) -> Iterator[Fault]:
        if not isinstance(value, str) or not form.search(value):
            yield at, f"{value!r} does not match {pattern!r}"

    return rule


def one_of(*values: object) -> Rule:
    """One of these values."""

    def rule(value: object, at: Where) -> Iterator[Fault]:
        if not any(value == each and isinstance(value, bool) == isinstance(each, bool) for each in values):
            yield at, f"{value!r} is not one of {list(values)!r}"

    return rule


def each(rule: Rule, *, least: int = 0, unique: bool = False) -> Rule:
    """An array whose items keep a rule."""

    def outer(value: object, at: Where) -> Iterator[Fault]:
        items = as_list(value)
        if items is None:
            yield at, f"{value!r} is not an array"
            return
        if len(items) < least:
            yield at, f"{value!r} is too short"
        if unique and len({repr(item) for item in items}) < len(items):
            yield at, f"{value!r} has an item twice"
        for place, item in enumerate(items):
            yield from rule(item, (*at, str(place)))

    return outer


def mapping(rule: Rule, names: str = "") -> Rule:
    """An object of any names, or of those that match a pattern, whose values keep a rule; `x-` names are free."""
    form = re.compile(names)

    def outer(value: object, at: Where) -> Iterator[Fault]:
        fields = as_object(value)
        if fields is None:
            yield at, f"{value!r} is not an object"
            return
        for name, item in fields.items():
            if names and name.startswith("x-"):
                continue
            if not form.search(name):
                yield (*at, name), f"{name!r} does not match {names!r}"
            yield from rule(item, (*at, name))

    return outer


def fields(rules: Mapping[str, Rule], required: Sequence[str] = ()) -> Rule:
    """An object of these fields alone; `x-` names are free."""

    def outer(value: object, at: Where) -> Iterator[Fault]:
        found = as_object(value)
        if found is None:
            yield at, f"{value!r} is not an object"
            return
        for name in required:
            if name not in found:
                yield at, f"{name!r} is a required property"
        for name, item in found.items():
            rule = rules.get(name)
            if rule is not None:
                yield from rule(item, (*at, name))
            elif not name.startswith("x-"):
                yield (*at, name), f"{name!r} was unexpected"

    return outer


def or_reference(rule: Rule) -> Rule:
    """What keeps a rule, or a `$ref` to it."""
    reference = fields({"$ref": text, "summary": text, "description": text})

    def outer(value: object, at: Where) -> Iterator[Fault]:
        found = as_object(value)
        yield from (reference if found is not None and "$ref" in found else rule)(value, at)

    return outer
