"""Which requirement lives on which screen, before screens have ids and routes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from dure_spec.artifacts.prd import Prd, Requirement
from dure_spec.derive.picks import ScreenPick
from dure_spec.derive.subjects import Deed, deed_of, main_term

Host = Literal["auth", "list", "form", "detail", "report", "dashboard"]
_ORDER: tuple[Host, ...] = ("auth", "list", "form", "detail", "report", "dashboard")
HOME = ""
"""The entity of screens that belong to no term."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """A screen to be: its entity (a term, or `HOME`), its type, the requirements on it and those of its entity."""

    entity: str
    host: Host
    reqs: tuple[Requirement, ...]
    family: tuple[Requirement, ...]
    deeds: frozenset[Deed]
    hosts: frozenset[Host]
    """All screen types of the entity."""

    @property
    def key(self) -> tuple[str, str]:
        return (self.entity, self.host)


def place_all(prd: Prd, picks: Mapping[str, ScreenPick]) -> list[Place]:
    """Every requirement on at least one screen, screens in the order of first mention."""
    entities = {req.id: _entity(req, prd, picks) for req in prd.reqs}
    deeds: dict[str, set[Deed]] = {}
    for req in prd.reqs:
        deeds.setdefault(entities[req.id], set()).add(deed_of(req, prd))
    wanted: dict[tuple[str, Host], list[Requirement]] = {}
    waiting: list[Requirement] = []
    for req in prd.reqs:
        pick = picks.get(req.id)
        hosts = (pick.host,) if pick else _hosts(deed_of(req, prd), req, entities[req.id], deeds[entities[req.id]])
        if not hosts:
            waiting.append(req)
        for host in hosts:
            entity = HOME if host in ("auth", "dashboard") else entities[req.id]
            wanted.setdefault((entity, host), []).append(req)
    _follow_states(prd, entities, wanted)
    _complete(wanted, prd)
    _settle(waiting, wanted, prd, entities)
    return _ordered(wanted, deeds)


def _follow_states(prd: Prd, entities: Mapping[str, str], wanted: dict[tuple[str, Host], list[Requirement]]) -> None:
    """A requirement that moves another entity through several states is also carried out on that entity's detail."""
    for machine in prd.states:
        for req in prd.reqs:
            goals = {row[1] for row in machine.transitions if len(row) == 3 and row[2] == req.id}
            if len(goals) > 1 and entities[req.id] != machine.entity and req.kind == "workflow":
                wanted.setdefault((machine.entity, "detail"), []).append(req)


def _entity(req: Requirement, prd: Prd, picks: Mapping[str, ScreenPick]) -> str:
    pick = picks.get(req.id)
    if pick and pick.entity and any(term.term == pick.entity for term in prd.glossary):
        return pick.entity
    term = main_term(req, prd)
    return term.term if term else HOME


def _hosts(deed: Deed, req: Requirement, entity: str, deeds: set[Deed]) -> tuple[Host, ...]:
    if deed == "login" or (req.kind == "auth" and deed == "create"):
        return ("auth",)
    if deed == "action" and req.kind != "workflow":
        return ()
    if entity == HOME:
        return ("dashboard",)
    return _entity_hosts(deed, deeds)


def _entity_hosts(deed: Deed, deeds: set[Deed]) -> tuple[Host, ...]:
    moves = bool(deeds & {"transition", "update", "delete"})
    detailed = (moves and bool(deeds - {"manage"})) or ("manage" not in deeds and bool(deeds & {"list", "read"}))
    match deed:
        case "manage":
            return ("list", "form", "detail") if detailed else ("list", "form")
        case "create":
            return ("form",)
        case "list" | "read":
            return ("list", "detail") if detailed else ("list",)
        case "report":
            return ("report",)
        case _:
            return ("detail",)


def _complete(wanted: dict[tuple[str, Host], list[Requirement]], prd: Prd) -> None:
    """A form or detail has its list, a list has something to open, what is managed is edited on its detail."""
    for entity in list(dict.fromkeys(entity for entity, _ in wanted)):
        hosts = {host for name, host in wanted if name == entity}
        if entity == HOME or not hosts & {"list", "form", "detail"}:
            continue
        family = _family(entity, wanted)
        if "list" not in hosts:
            wanted[(entity, "list")] = family
        if not hosts & {"form", "detail"}:
            wanted[(entity, "detail")] = family
        if {"form", "detail"} <= hosts:
            managed = [req for req in wanted[(entity, "form")] if deed_of(req, prd) == "manage"]
            wanted[(entity, "detail")] = _unique([*wanted[(entity, "detail")], *managed])


def _settle(
    waiting: Iterable[Requirement],
    wanted: dict[tuple[str, Host], list[Requirement]],
    prd: Prd,
    entities: Mapping[str, str],
) -> None:
    """Notifications, batches and integrations are watched on a list that exists: their entity's, else the first."""
    lists = [key for key in wanted if key[1] == "list"]
    for req in waiting:
        own = [key for key in lists if key[0] == entities[req.id] or key[0] in req.entities]
        key = next(iter(own or lists), (HOME, "dashboard"))
        wanted.setdefault(key, []).append(req)


def _family(entity: str, wanted: Mapping[tuple[str, Host], list[Requirement]]) -> list[Requirement]:
    members = (req for (name, host), reqs in wanted.items() if name == entity and host != "report" for req in reqs)
    return _unique(members)


def _unique(reqs: Iterable[Requirement]) -> list[Requirement]:
    return sorted({req.id: req for req in reqs}.values(), key=lambda req: req.id)


def _ordered(wanted: dict[tuple[str, Host], list[Requirement]], deeds: Mapping[str, set[Deed]]) -> list[Place]:
    first = {entity: at for at, entity in enumerate(dict.fromkeys(entity for entity, _ in wanted))}
    first[HOME] = -1
    keys = sorted(wanted, key=lambda key: (key[1] == "report", first[key[0]], _ORDER.index(key[1])))
    return [
        Place(
            entity=entity,
            host=host,
            reqs=tuple(_unique(wanted[(entity, host)])),
            family=tuple(_family(entity, wanted)),
            deeds=frozenset(deeds.get(entity, set())),
            hosts=frozenset(other for name, other in wanted if name == entity),
        )
        for entity, host in keys
    ]
