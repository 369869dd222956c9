"""Screens as a graph: who links to whom, where a user comes in, and which screens nobody can get to."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from dure_spec.artifacts.ia import Ia, Screen, ScreenType
from dure_spec.validators.routes import route_base, route_shape

_DOORS: frozenset[ScreenType] = frozenset({"auth", "dashboard"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenGraph:
    """Links between screens that exist; a screen's link to itself leads nowhere and is left out."""

    screens: Mapping[str, Screen]
    links: Mapping[str, tuple[str, ...]]
    sources: Mapping[str, tuple[str, ...]]
    """Screens that link to a screen."""
    bases: Mapping[str, str]
    """What each route begins with."""
    entries: frozenset[str]
    """Screens that need no link: in the menu, a login, a dashboard, the root; without any of them the first."""

    def reached(self, start: Iterable[str]) -> frozenset[str]:
        """Screens that links lead to from some screens, those included."""
        waiting = [name for name in start if name in self.screens]
        found = set(waiting)
        while waiting:
            for name in self.links[waiting.pop()]:
                if name not in found:
                    found.add(name)
                    waiting.append(name)
        return frozenset(found)

    def lost(self) -> tuple[str, ...]:
        """Screens that none of their roles can get to, in order; a screen without roles is open to all."""
        found = set[str]()
        for role in sorted({role for screen in self.screens.values() for role in screen.roles}) or [""]:
            found |= self._walked(role)
        return tuple(name for name in self.screens if name not in found)

    def _walked(self, role: str) -> set[str]:
        """What one role gets to, over screens that it may open."""
        opened = {name for name, each in self.screens.items() if not each.roles or role in each.roles}
        waiting = [name for name in self.entries if name in opened]
        found = set(waiting)
        while waiting:
            for name in self.links[waiting.pop()]:
                if name in opened and name not in found:
                    found.add(name)
                    waiting.append(name)
        return found

    def nearness(self, one: Screen, other: Screen) -> int:
        """How surely two screens are about the same thing, by route and requirement; 0 is not at all."""
        base = self.bases[one.id]
        return 2 * bool(base and base == self.bases[other.id]) + bool(set(one.reqs) & set(other.reqs))

    def feeders(self, name: str) -> tuple[str, ...]:
        """Screens that would naturally link to a screen, best first: of the same thing or requirement, lists first."""
        screen = self.screens[name]
        ranked: list[tuple[tuple[int, int, int], str]] = []
        for other in self.screens.values():
            near = self.nearness(screen, other)
            if other.id != name and near and _share_a_role(screen, other):
                ranked.append(((-near, other.type != "list", len(ranked)), other.id))
        return tuple(other for _, other in sorted(ranked))


def screen_graph(ia: Ia) -> ScreenGraph:
    """The graph of an information architecture; of two screens with one id the first counts."""
    screens: dict[str, Screen] = {}
    for screen in ia.screens:
        screens.setdefault(screen.id, screen)
    links = {
        name: tuple(dict.fromkeys(link for link in screen.links if link in screens and link != name))
        for name, screen in screens.items()
    }
    sources: dict[str, tuple[str, ...]] = dict.fromkeys(screens, ())
    for name, targets in links.items():
        for target in targets:
            sources[target] = (*sources[target], name)
    bases = {name: route_base(screen.route) for name, screen in screens.items()}
    doors = {name for name, each in screens.items() if each.type in _DOORS or route_shape(each.route) == "/"}
    entries = {menu.screen for menu in ia.menu if menu.screen in screens} | doors
    entries = entries or set(list(screens)[:1])
    return ScreenGraph(screens=screens, links=links, sources=sources, bases=bases, entries=frozenset(entries))


def _share_a_role(one: Screen, other: Screen) -> bool:
    return not one.roles or not other.roles or bool(set(one.roles) & set(other.roles))
