"""V03, second half: every screen can be got to, flows follow the links, a list leads to what it lists."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from dure_spec.artifacts.findings import Severity
from dure_spec.artifacts.ia import Flow, Ia, Screen, ScreenType
from dure_spec.validators.policy import Draft, Text
from dure_spec.validators.screen_graph import ScreenGraph

_LOST = Text(
    "화면 '{name}'({route})에 갈 수 있는 메뉴나 링크가 없습니다 (이 화면으로 오는 곳: {sources})",
    "no menu entry and no link leads a user to '{name}' ({route}); linked from: {sources}",
)
_LOCKED = Text(
    "화면 '{name}'({route})의 역할 {roles} 중 누구도 여기까지 올 수 없습니다 (이 화면으로 오는 곳: {sources})",
    "none of the roles {roles} of '{name}' ({route}) gets there; linked from: {sources}",
)
_JUMP = Text(
    "흐름 '{name}'에서 {here} 다음은 {there}인데 링크도 메뉴도 이어 주지 않습니다",
    "in the flow '{name}' {there} follows {here}, but neither a link nor the menu leads on",
)
_BARE_LIST = Text(
    "목록 '{name}'({route})에서 열 상세나 편집 화면이 없어 한 건을 볼 수 없습니다",
    "the list '{name}' ({route}) has no detail or form, so nobody can open one item",
)
_NOWHERE = "-"
_OPENED: frozenset[ScreenType] = frozenset({"detail", "form", "modal", "wizard"})
_IN_PLACE = frozenset({"create", "update"})


def check_paths(ia: Ia, graph: ScreenGraph, lost: tuple[str, ...], closed: Mapping[str, str]) -> Iterator[Draft]:
    """What a user meets who walks from the entries along the links.

    `lost` are the screens that nobody gets to, `closed` says for screens with wrong roles what is told of them.
    """
    numbers: dict[str, int] = {}
    for number, screen in enumerate(ia.screens):
        numbers.setdefault(screen.id, number)
    dead = {screen.id: f"dead:{link}" for screen in ia.screens for link in screen.links if link not in graph.screens}
    menu = next((f"dead:{menu.screen}" for menu in ia.menu if menu.screen not in graph.screens), "")
    yield from _lost(graph, numbers, lost, _Known(dead=dead, menu=menu, closed=closed))
    for number, flow in enumerate(ia.flows):
        yield from _jumps(graph, flow, f"/flows/{number}/steps", frozenset(lost), dead, menu)
    for screen in graph.screens.values():
        if screen.type == "list" and not _opens(graph, screen):
            path = f"/screens/{numbers[screen.id]}/links"
            values = {"name": screen.name, "route": screen.route}
            yield _draft("minor", path, screen.id, _BARE_LIST, values, cause=dead.get(screen.id, ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """Topics of what is already told and may be why a screen is lost."""

    dead: Mapping[str, str]
    """Of dead links, by the screen that has them."""
    menu: str
    """Of a menu entry that opens nothing."""
    closed: Mapping[str, str]
    """Of wrong roles, by screen."""


def _lost(graph: ScreenGraph, numbers: Mapping[str, int], lost: tuple[str, ...], known: _Known) -> Iterator[Draft]:
    """One root for screens that only lost screens lead to; what hangs on it follows from it."""
    touched = graph.reached(graph.entries)
    for name, root in _roots(graph, lost):
        screen = graph.screens[name]
        feeders = graph.feeders(name)
        locked = name in touched
        near = [known.closed.get(other, "") for other in (name, *graph.sources[name])] if locked else []
        ends = [*near, *(known.dead.get(feeder, "") for feeder in feeders), "" if locked else known.menu]
        values = {
            "name": screen.name,
            "route": screen.route,
            "roles": ", ".join(screen.roles),
            "sources": ", ".join(graph.sources[name]) or _NOWHERE,
        }
        likely = [feeder for feeder in feeders if feeder not in lost]
        yield _draft(
            "major",
            f"/screens/{numbers[name]}",
            name,
            _LOCKED if locked else _LOST,
            values,
            likely[:3] or sorted(graph.entries)[:3],
            topic=f"lost:{name}",
            cause=f"lost:{root}" if root != name else next(filter(None, ends), ""),
        )


def _roots(graph: ScreenGraph, lost: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Each lost screen with the lost screen that leads to it; a ring of them has one root, a list if it can.

    Of every group that nothing outside leads to, the member met first in a depth-first walk is left last.
    """
    members = set(lost)
    order = sorted(lost, key=lambda name: graph.screens[name].type != "list")
    left = _left(graph, order, members)
    found: dict[str, str] = {}
    for root in reversed(left):
        if root not in found:
            found.update(dict.fromkeys((n for n in _walk(graph, root, members) if n not in found), root))
    yield from ((name, found[name]) for name in lost)


def _left(graph: ScreenGraph, order: Sequence[str], members: set[str]) -> list[str]:
    """Screens in the order in which a depth-first walk leaves them."""
    seen: set[str] = set()
    left: list[str] = []
    for start in order:
        stack = [(start, iter(graph.links[start]))] if start not in seen else []
        seen.add(start)
        while stack:
            following = next((link for link in stack[-1][1] if link in members and link not in seen), None)
            if following is None:
                left.append(stack.pop()[0])
            else:
                seen.add(following)
                stack.append((following, iter(graph.links[following])))
    return left


def _walk(graph: ScreenGraph, start: str, members: set[str]) -> list[str]:
    waiting, found = [start], {start: None}
    while waiting:
        for link in graph.links[waiting.pop()]:
            if link in members and link not in found:
                found[link] = None
                waiting.append(link)
    return list(found)


def _jumps(
    graph: ScreenGraph, flow: Flow, path: str, lost: frozenset[str], dead: Mapping[str, str], menu: str
) -> Iterator[Draft]:
    """Steps that nothing joins. Minor: the screen itself is reachable, only the path on paper is none to walk.

    A step back, a step that the menu offers, and one that a person of another role takes over need no link.
    """
    for number, (here, there) in enumerate(pairwise(flow.steps)):
        known = here in graph.screens and there in graph.screens
        if not known or there in graph.entries or there in lost or there in flow.steps[: number + 1]:
            continue
        roles, others = set(graph.screens[here].roles), set(graph.screens[there].roles)
        handed_over = bool(roles and others and not roles & others)
        if not handed_over and there not in graph.reached([here]):
            values = {"name": flow.name, "here": here, "there": there}
            cause = dead.get(here) or menu
            yield _draft("minor", f"{path}/{number + 1}", flow.id, _JUMP, values, graph.links[here][:3], cause=cause)


def _opens(graph: ScreenGraph, screen: Screen) -> bool:
    """Whether an item of a list can be opened: by a link, on a screen of the same thing, or in the list itself."""
    linked = any(graph.screens[name].type in _OPENED for name in graph.links[screen.id])
    beside = any(other.type in _OPENED and graph.nearness(screen, other) for other in graph.screens.values())
    return linked or beside or any(action.kind in _IN_PLACE for action in screen.actions)


def _draft(
    severity: Severity,
    path: str,
    ref: str,
    text: Text,
    values: dict[str, str],
    candidates: Sequence[str] = (),
    *,
    topic: str = "",
    cause: str = "",
) -> Draft:
    return Draft(
        severity=severity,
        stage="planner",
        path=path,
        ref=ref,
        text=text,
        values=values,
        expected=candidates[0] if candidates else "",
        candidates=tuple(candidates),
        topic=topic,
        cause=cause,
    )
