"""The Frontend agent's artifact: components of the screens, their controls, and the services."""

from typing import Literal

from dure_spec.artifacts.shared import ComponentId, Part, RequirementId, ScreenId, ServiceId

ComponentKind = Literal["table", "form", "detail", "chart", "filter", "modal", "wizard"]
ControlKind = Literal[
    "text",
    "password",
    "textarea",
    "number",
    "money",
    "select",
    "radio",
    "date",
    "datetime",
    "switch",
    "checkbox",
    "badge",
    "lines",
    "file",
    "button",
]
ViewState = Literal["loading", "empty", "error", "denied", "submitting"]


class Control(Part):
    """One input, output or button of a component."""

    kind: ControlKind
    label: str
    bind: str | None = None
    req: bool = False
    ro: bool = False
    min: float | None = None
    max: float | None = None
    pattern: str | None = None
    source: str | None = None
    options: str | None = None
    call: str | None = None
    link: ScreenId | None = None


class Component(Part):
    """A part of a screen over one business object."""

    id: ComponentId
    screen: ScreenId
    kind: ComponentKind
    bo: str
    reqs: tuple[RequirementId, ...]
    source: str | None = None
    controls: tuple[Control, ...]
    states: tuple[ViewState, ...]


class Service(Part):
    """Operations that a client calls together."""

    id: ServiceId
    ops: tuple[str, ...]


class Frontend(Part):
    """Frontend specification."""

    components: tuple[Component, ...]
    services: tuple[Service, ...]
