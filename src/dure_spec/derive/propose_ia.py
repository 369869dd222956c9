"""Screens, menu and paths that follow from the requirements; a model only moves what it would place elsewhere."""

from collections.abc import Mapping
from types import MappingProxyType

from dure_spec.artifacts.ia import Flow, Ia, Menu, Screen
from dure_spec.artifacts.prd import Prd, Requirement
from dure_spec.derive.ia_places import Place, place_all
from dure_spec.derive.ia_screens import build_screen
from dure_spec.derive.picks import ScreenPick
from dure_spec.derive.subjects import deed_of, roles_of

_NONE: Mapping[str, ScreenPick] = MappingProxyType({})
_IN_MENU = ("list", "report", "dashboard")


def propose_ia(prd: Prd, picks: Mapping[str, ScreenPick] = _NONE) -> Ia:
    """One list and one form per managed entity, a detail where there is a workflow, a login where there is an auth
    requirement; `picks` (by requirement id) moves single requirements."""
    places = place_all(prd, picks)
    numbered = {place.key: f"SC-{number:03d}" for number, place in enumerate(places, start=1)}
    links = {place.key: _links(place, places) for place in places}
    screens = tuple(
        build_screen(place, prd, numbered[place.key], tuple(numbered[key] for key in links[place.key]))
        for place in places
    )
    return Ia(menu=_menu(places, screens, prd), screens=screens, flows=_flows(prd, places, numbered))


def _links(place: Place, places: list[Place]) -> list[tuple[str, str]]:
    siblings = [other.key for other in places if other.entity == place.entity and other.key != place.key]
    if place.host == "auth":
        return [other.key for other in places if other.host in _IN_MENU]
    if place.host == "list":
        return [key for key in siblings if key[1] in ("form", "detail")]
    if place.host == "form":
        return [key for key in siblings if key[1] in ("detail", "list")]
    return [key for key in siblings if key[1] == "list"]


def _menu(places: list[Place], screens: tuple[Screen, ...], prd: Prd) -> tuple[Menu, ...]:
    rows = [
        (place.entity or screen.name if place.host == "list" else screen.name, screen)
        for place, screen in zip(places, screens, strict=True)
        if place.host in _IN_MENU
    ]
    return tuple(
        Menu(id=f"M-{number}", label=label, screen=screen.id, roles=screen.roles or roles_of((), prd))
        for number, (label, screen) in enumerate(rows, start=1)
    )


def _flows(prd: Prd, places: list[Place], numbered: Mapping[tuple[str, str], str]) -> tuple[Flow, ...]:
    """A path from the login (or the list) to the screen of each workflow requirement."""
    paths = [(req, _path(req, prd, places)) for req in prd.reqs if req.kind == "workflow"]
    kept = [(req, path) for req, path in paths if len(path) > 1]
    return tuple(
        Flow(id=f"FL-{number}", name=req.title, steps=tuple(numbered[key] for key in path))
        for number, (req, path) in enumerate(kept, start=1)
    )


def _path(req: Requirement, prd: Prd, places: list[Place]) -> list[tuple[str, str]]:
    hosts = [place for place in places if req in place.reqs and place.host != "list"]
    if not hosts:
        return []
    target = hosts[0]
    path = [place.key for place in places if place.host == "auth"]
    path += [place.key for place in places if place.host == "list" and place.entity == target.entity]
    path.append(target.key)
    if target.host == "form" and deed_of(req, prd) == "create":
        path += [place.key for place in places if place.host == "detail" and place.entity == target.entity]
    return path
