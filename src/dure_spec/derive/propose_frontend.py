"""Components, controls and services that follow from screens, objects and column types."""

from collections.abc import Mapping
from types import MappingProxyType

from dure_spec.artifacts.backend import Backend, Bo
from dure_spec.artifacts.erd import Erd
from dure_spec.artifacts.frontend import Component, Control, Frontend, Service
from dure_spec.artifacts.ia import Ia, Screen
from dure_spec.artifacts.prd import Prd
from dure_spec.derive.frontend_components import Page, components_of, unique_id
from dure_spec.derive.frontend_controls import Shelf
from dure_spec.derive.frontend_placement import place_ops
from dure_spec.derive.screen_tables import table_of_screen

_NONE: Mapping[str, tuple[str, ...]] = MappingProxyType({})


def propose_frontend(
    prd: Prd, ia: Ia, erd: Erd, backend: Backend, picks: Mapping[str, tuple[str, ...]] = _NONE
) -> Frontend:
    """The components of every screen and one service per object.

    `picks` names the attributes that a list shows, by screen id, object id or table name; unknown names are ignored.
    """
    shelf = Shelf(erd=erd, backend=backend, lang=prd.project.lang)
    owners = {screen.id: bo for screen in ia.screens for bo in [_owner(screen, prd, erd, backend)] if bo is not None}
    placed = place_ops(ia, backend, {screen: bo.id for screen, bo in owners.items()})
    titles = {req.id: req.title for req in prd.reqs}
    taken: set[str] = set()
    components: list[Component] = []
    for screen in ia.screens:
        bo = owners.get(screen.id)
        if bo is None:
            components.append(_plain(screen, titles, taken))
            continue
        page = Page(
            screen=screen,
            bo=bo,
            ops=tuple(placed[screen.id]),
            shelf=shelf,
            ia=ia,
            shown=_shown(screen, bo, picks),
            titles=titles,
        )
        components += components_of(page, taken)
    return Frontend(components=_complete(components, prd, backend), services=_services(backend))


def _plain(screen: Screen, titles: Mapping[str, str], taken: set[str]) -> Component:
    """A screen of a design without any table: one button per requirement, no object behind it."""
    buttons = tuple(Control(kind="button", label=titles[req]) for req in screen.reqs if req in titles)
    name = unique_id("main" if screen.type == "dashboard" else screen.type, taken)
    states = ("loading", "error")
    return Component(id=name, screen=screen.id, kind="detail", bo="", reqs=screen.reqs, controls=buttons, states=states)


def _owner(screen: Screen, prd: Prd, erd: Erd, backend: Backend) -> Bo | None:
    table = table_of_screen(screen, prd, erd)
    own = next((bo for bo in backend.bos if table is not None and bo.table == table.name), None)
    return own or next((bo for bo in backend.bos if bo.ops), None)


def _shown(screen: Screen, bo: Bo, picks: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    chosen = picks.get(screen.id) or picks.get(bo.id) or picks.get(bo.table) or ()
    names = {attribute.name for attribute in bo.attrs}
    return tuple(name for name in dict.fromkeys(chosen) if name in names)


def _complete(components: list[Component], prd: Prd, backend: Backend) -> tuple[Component, ...]:
    """A requirement that no screen carries is shown where the object of its operation is."""
    found = list(components)
    covered = {req for component in components for req in component.reqs}
    for req in prd.reqs:
        bos = {bo.id for bo in backend.bos for op in bo.ops if req.id in op.reqs}
        at = next((i for i, component in enumerate(found) if component.bo in bos), None)
        if req.id not in covered and at is not None:
            found[at] = found[at].model_copy(update={"reqs": (*found[at].reqs, req.id)})
    return tuple(found)


def _services(backend: Backend) -> tuple[Service, ...]:
    return tuple(
        Service(id=f"SV-{bo.id.removeprefix('BO-')}", ops=tuple(op.id for op in bo.ops)) for bo in backend.bos if bo.ops
    )
