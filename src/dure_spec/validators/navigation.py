"""V03 NavigationIntegrity: every screen has its own route, every link leads somewhere, nobody meets a closed door."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dure_spec.artifacts.findings import Change, Severity
from dure_spec.artifacts.ia import Ia, Menu, Screen
from dure_spec.validators.index import Index
from dure_spec.validators.list_steps import dropped
from dure_spec.validators.policy import Draft, Policy, Text, nearest
from dure_spec.validators.routes import free_routes, route_shape
from dure_spec.validators.screen_graph import ScreenGraph, screen_graph
from dure_spec.validators.screen_paths import check_paths

_TWICE = Text(
    "id가 두 번 쓰였습니다: 이 id를 가리키는 것이 무엇을 뜻하는지 알 수 없습니다",
    "the id is used twice, so what refers to it is ambiguous",
)
_ROUTE = Text(
    "화면 '{name}'의 경로 {route}이(가) {other}의 {taken}와(과) 같은 모양입니다: 주소로 두 화면을 구별할 수 없습니다",
    "route {route} of '{name}' has the shape of {taken} ({other}): no address can tell the two screens apart",
)
_LINK = Text(
    "화면 '{name}'({route})에서 이동할 화면 {link}이(가) 없습니다: 버튼이 갈 곳이 없습니다",
    "'{name}' ({route}) links to {link}, which is no screen: the button leads nowhere",
)
_ROLE = Text("없는 역할 {role}: 아무도 이 역할로 들어올 수 없습니다", "unknown role {role}: nobody can come in as it")
_MENU = Text(
    "메뉴 '{label}'이(가) 없는 화면 {screen}을(를) 엽니다", "menu entry '{label}' opens {screen}, which is no screen"
)
_PARENT = Text(
    "메뉴 '{label}'의 상위 메뉴 {parent}이(가) 없어 메뉴에 놓을 자리가 없습니다",
    "menu entry '{label}' belongs under {parent}, which is no entry, so it has no place",
)
_PARENT_RING = Text(
    "메뉴 '{label}'의 상위 메뉴가 자기 자신으로 돌아옵니다: {parent}",
    "menu entry '{label}' is under itself by way of {parent}",
)
_MENU_ROLE = Text(
    "메뉴 '{label}'은(는) {roles}에게 보이지만 화면 {screen}은(는) {allowed}만 열 수 있습니다",
    "menu entry '{label}' is shown to {roles}, but {screen} opens only for {allowed}",
)
_STEP = Text("흐름 '{name}'의 단계 {step}은(는) 없는 화면입니다", "step {step} of the flow '{name}' is no screen")


def check_navigation(index: Index, policy: Policy) -> Iterator[Draft]:
    """Ids and references first, then what follows from them as a graph."""
    ia = index.artifacts.ia
    if ia is None:
        return
    graph = screen_graph(ia)
    lost = graph.lost()
    yield from _twice("screens", ia.screens)
    yield from _twice("menu", ia.menu)
    yield from _twice("flows", ia.flows)
    yield from _routes(index, ia)
    for number, screen in enumerate(ia.screens):
        yield from _roles(index, f"/screens/{number}", screen.id, screen.roles, mark=_role_mark(screen.id))
        yield from _links(graph, lost, screen, f"/screens/{number}")
    for number, menu in enumerate(ia.menu):
        yield from _roles(index, f"/menu/{number}", menu.id, menu.roles)
        yield from _menu(index, ia, menu, f"/menu/{number}")
    yield from _flows(ia, graph)
    yield from check_paths(ia, graph, lost, _closed(index, ia))


def _twice(name: str, items: Sequence[object]) -> Iterator[Draft]:
    seen: set[str] = set()
    for number, item in enumerate(items):
        found = str(getattr(item, "id", ""))
        if found in seen:
            yield _draft(f"/{name}/{number}/id", found, _TWICE, {}, twice=found)
        seen.add(found)


def _routes(index: Index, ia: Ia) -> Iterator[Draft]:
    """A dialog may stand over the page that opens it; every other screen needs its own address."""
    taken: dict[str, Screen] = {}
    shapes = {route_shape(screen.route) for screen in ia.screens}
    for number, screen in enumerate(ia.screens):
        shape = route_shape(screen.route)
        other = taken.setdefault(shape, screen)
        if other is screen or _is_over(screen, other) or _is_over(other, screen):
            continue
        values = {"name": screen.name, "route": screen.route, "other": other.id, "taken": other.route}
        free = free_routes(index, screen, shapes)
        twice = screen.id if other.id == screen.id else ""
        yield _draft(f"/screens/{number}/route", screen.id, _ROUTE, values, free, twice=twice)


def _is_over(dialog: Screen, page: Screen) -> bool:
    return dialog.type == "modal" and page.type != "modal" and dialog.id in page.links


def _roles(index: Index, path: str, name: str, roles: Sequence[str], *, mark: str = "") -> Iterator[Draft]:
    if index.artifacts.prd is None:
        return
    for number, role in enumerate(roles):
        if role not in index.actors:
            known = tuple(sorted(index.actors))
            yield _draft(f"{path}/roles/{number}", f"{name}:{role}", _ROLE, {"role": role}, known, mark=mark)


def _closed(index: Index, ia: Ia) -> dict[str, str]:
    """Marks of screens that an unknown role, or one too few, may have closed."""
    menus = {menu.screen: menu.id for menu in ia.menu if _denied(index, menu)}
    found = {screen: f"closed:{menu}" for screen, menu in menus.items()}
    unknown = (each.id for each in ia.screens if index.artifacts.prd and set(each.roles) - index.actors)
    return found | {screen: _role_mark(screen) for screen in unknown}


def _role_mark(screen: str) -> str:
    return f"role:{screen}"


def _denied(index: Index, menu: Menu) -> list[str]:
    """Roles that see an entry and may not open its screen."""
    screen = index.screens.get(menu.screen)
    if screen is None or not screen.roles:
        return []
    return [role for role in menu.roles if role not in screen.roles and role in index.actors]


def _links(graph: ScreenGraph, lost: Sequence[str], screen: Screen, path: str) -> Iterator[Draft]:
    """Links to nothing; one may go where the screen has others and no lost screen waits for it."""
    for number, link in enumerate(screen.links):
        if link in graph.screens:
            continue
        place, alive = f"{path}/links/{number}", graph.links[screen.id]
        waiting = [name for name in lost if screen.id in graph.feeders(name)]
        wanted = [name for name in graph.feeders(screen.id) if name not in alive]
        likely = dict.fromkeys([*waiting, *wanted, *nearest(link, graph.screens)])
        values = {"name": screen.name, "route": screen.route, "link": link}
        patch = dropped("planner", place, link) if alive and not waiting else ()
        yield _draft(place, f"{screen.id}:{link}", _LINK, values, tuple(likely)[:3], dead=link, patch=patch)


def _menu(index: Index, ia: Ia, menu: Menu, path: str) -> Iterator[Draft]:
    screen = index.screens.get(menu.screen)
    if screen is None:
        likely = nearest(menu.screen, index.screens) or tuple(index.screens)[:3]
        values = {"label": menu.label, "screen": menu.screen}
        yield _draft(f"{path}/screen", menu.id, _MENU, values, likely, dead=menu.screen)
    elif denied := _denied(index, menu):
        allowed = ", ".join(screen.roles)
        values = {"label": menu.label, "roles": ", ".join(denied), "screen": screen.id, "allowed": allowed}
        found = _draft(f"{path}/roles", menu.id, _MENU_ROLE, values, (allowed,), severity="major")
        yield replace(found, topic=f"closed:{menu.id}", cause=_role_mark(screen.id))
    parents = {each.id: each.parent for each in ia.menu}
    if menu.parent and menu.parent not in parents:
        values = {"label": menu.label, "parent": menu.parent}
        others = tuple(name for name in parents if name != menu.id)
        yield _draft(f"{path}/parent", menu.id, _PARENT, values, nearest(menu.parent, others) or others[:3])
    elif menu.parent and _is_under(menu.id, menu.parent, parents):
        yield _draft(f"{path}/parent", menu.id, _PARENT_RING, {"label": menu.label, "parent": menu.parent})


def _is_under(name: str, parent: str, parents: dict[str, str | None]) -> bool:
    """Whether the way up from an entry comes back to it."""
    seen: set[str] = set()
    above: str | None = parent
    while above and above not in seen:
        if above == name:
            return True
        seen.add(above)
        above = parents.get(above)
    return False


def _flows(ia: Ia, graph: ScreenGraph) -> Iterator[Draft]:
    for number, flow in enumerate(ia.flows):
        for place, step in enumerate(flow.steps):
            if step not in graph.screens:
                before = flow.steps[place - 1] if place else ""
                likely = graph.links.get(before, ())[:3] or nearest(step, graph.screens)
                values = {"name": flow.name, "step": step}
                yield _draft(f"/flows/{number}/steps/{place}", flow.id, _STEP, values, likely, dead=step)


def _draft(
    path: str,
    ref: str,
    text: Text,
    values: dict[str, str],
    candidates: Sequence[str] = (),
    *,
    severity: Severity = "critical",
    dead: str = "",
    twice: str = "",
    mark: str = "",
    patch: tuple[Change, ...] = (),
) -> Draft:
    """A finding on the IA; all that refer to one `dead` id, or stand under an id used `twice`, are one mistake."""
    mark = f"dead:{dead}" if dead else f"twice:{twice}" if twice else mark
    return Draft(
        severity=severity,
        stage="planner",
        path=path,
        ref=ref,
        text=text,
        values=values,
        expected=candidates[0] if candidates else "",
        candidates=tuple(candidates),
        topic=mark,
        cause=mark,
        patch=patch,
    )
