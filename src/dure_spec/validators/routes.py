"""Routes of screens: when two of them are one, and which one is free for a screen."""

import re
from collections.abc import Container, Iterator

from dure_spec.artifacts.ia import Screen
from dure_spec.derive.subjects import main_term
from dure_spec.derive.words import kebab, plural, snake
from dure_spec.validators.index import Index

_PARAMETER = re.compile(r":\w+[?*+]?|\{[^{}/]*\}|\[[^\[\]/]*\]|<[^<>/]*>|\$\w+")


def route_shape(route: str) -> str:
    """What a router tells routes apart by: neither parameter names nor case, doubled slashes, query or ending."""
    bare = re.split(r"[?#]", _PARAMETER.sub("{}", route.strip()), maxsplit=1)[0].lower()
    return "/" + "/".join(part for part in bare.split("/") if part)


def route_base(route: str) -> str:
    """The fixed beginning of a route, which the screens of one thing share: `orders` of `/orders/:id/edit`."""
    first = next((part for part in route_shape(route).split("/") if part), "")
    return "" if first == "{}" else first


def free_routes(index: Index, screen: Screen, taken: Container[str]) -> tuple[str, ...]:
    """Usual routes of a screen of this type that no other screen has, best first."""
    found: dict[str, None] = {}
    for base in _bases(index, screen):
        for end in _ENDS.get(screen.type, ("",)):
            if route_shape(f"{base}{end}") not in taken:
                found[f"{base}{end}"] = None
    if not found:
        base = next(_bases(index, screen))
        number = next(count for count in range(2, 1000) if route_shape(f"{base}-{count}") not in taken)
        found[f"{base}-{number}"] = None
    return tuple(found)[:3]


_ENDS = {
    "list": ("", "/list"),
    "detail": ("/:id", "/:id/detail"),
    "form": ("/:id", "/new", "/:id/edit"),
    "wizard": ("/new", "/:id/edit"),
    "modal": ("/:id/dialog",),
    "report": ("/report",),
}


def _bases(index: Index, screen: Screen) -> Iterator[str]:
    """Collections that the screen may be about: of its requirements' terms, then of its own route."""
    for name in screen.reqs:
        requirement, prd = index.requirements.get(name), index.artifacts.prd
        term = main_term(requirement, prd) if requirement and prd else None
        if term:
            yield f"/{kebab(plural(snake(term.en)))}"
    yield f"/{route_base(screen.route) or screen.type}"
