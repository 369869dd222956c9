"""The Planner's artifact: menu, screens and the paths between them."""

from typing import Literal

from dure_spec.artifacts.shared import ActorId, FlowId, MenuId, Part, RequirementId, ScreenId

ScreenType = Literal["list", "detail", "form", "dashboard", "auth", "report", "wizard", "modal"]
ActionKind = Literal["create", "read", "update", "delete", "transition", "login", "export", "navigate"]


class Menu(Part):
    """An entry of the menu."""

    id: MenuId
    label: str
    screen: ScreenId
    roles: tuple[ActorId, ...]
    parent: str | None = None


class Action(Part):
    """A button of a screen, and the requirement that it serves."""

    kind: ActionKind
    label: str
    req: RequirementId


class Screen(Part):
    """One page; `route` uses `:name` for its parameters."""

    id: ScreenId
    name: str
    route: str
    type: ScreenType
    roles: tuple[ActorId, ...]
    reqs: tuple[RequirementId, ...]
    actions: tuple[Action, ...]
    links: tuple[ScreenId, ...]


class Flow(Part):
    """The main path of a workflow through the screens."""

    id: FlowId
    name: str
    steps: tuple[ScreenId, ...]


class Ia(Part):
    """Information architecture."""

    menu: tuple[Menu, ...]
    screens: tuple[Screen, ...]
    flows: tuple[Flow, ...] = ()
