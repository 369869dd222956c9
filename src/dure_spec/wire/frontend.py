"""The frontend as lines: `order-form SC-004 form order FR-004: customerId!<customer.list | 저장=order.create`."""

import re
from dataclasses import dataclass, field
from typing import cast, get_args

from dure_spec.artifacts.backend import Backend
from dure_spec.artifacts.erd import Erd
from dure_spec.artifacts.frontend import Component, ComponentKind, Control, Frontend, Service, ViewState
from dure_spec.artifacts.shared import Language
from dure_spec.derive.frontend_controls import Shelf
from dure_spec.wire.frontend_controls import (
    BUTTON_SYNTAX,
    CONTROL_SYNTAX,
    default_source,
    default_states,
    read_button,
    read_control,
    short_op,
    write_button,
    write_control,
)
from dure_spec.wire.parsed import Fault, Parsed
from dure_spec.wire.text import Line, joined, lines_of, split_list, split_outside

_KINDS = "|".join(get_args(ComponentKind))
_HEAD = re.compile(
    rf"^(?:CP-)?([a-z0-9-]+)\s+(SC-\d+)\s+({_KINDS})\s+(?:BO-)?([a-z0-9-]+)\s+((?:FR-\d+[,\s]*)*)"
    r"(?:<\s*(?:OP-)?([\w.-]+)\s*)?(?:\(([\w, ]+)\))?\s*$"
)
_SERVICE = re.compile(r"^SV-([a-z0-9-]+)\s*:\s*(.*)$")
_COMPONENT_SYNTAX = f"name SC-001 {_KINDS} object FR-001: attribute!, attribute | label=object.operation, label>SC-002"


@dataclass(kw_only=True, slots=True)
class _Draft:
    components: dict[str, Component] = field(default_factory=dict[str, Component])
    services: dict[str, Service] = field(default_factory=dict[str, Service])
    deleted: list[Line] = field(default_factory=list[Line])
    faults: list[Fault] = field(default_factory=list[Fault])


def parse(text: str, erd: Erd, backend: Backend, *, lang: Language = "ko") -> Parsed[Frontend]:
    """Read a whole frontend; labels, kinds, lengths, states and services follow from the ERD and the backend."""
    shelf = Shelf(erd=erd, backend=backend, lang=lang)
    draft = _read(text, shelf)
    if not draft.components:
        draft.faults.append(Fault(line=0, text="", expected=_COMPONENT_SYNTAX))
    return _done(draft, backend)


def patch(frontend: Frontend, text: str, erd: Erd, backend: Backend, *, lang: Language = "ko") -> Parsed[Frontend]:
    """Take replacement components and services into a frontend; `DEL CP-x` removes."""
    new = _read(text, Shelf(erd=erd, backend=backend, lang=lang))
    components = {component.id: component for component in frontend.components}
    services = {service.id: service for service in frontend.services}
    for line in new.deleted:
        name = line.text[4:].strip()
        if components.pop(name, None) is None and services.pop(name, None) is None:
            expected = "DEL with the id of an item that exists"
            new.faults.append(Fault(line=line.number, text=line.text, expected=expected))
    merged = _Draft(components=components | new.components, services=services | new.services, faults=new.faults)
    return _done(merged, backend)


def write(frontend: Frontend, erd: Erd, backend: Backend, *, lang: Language = "ko") -> str:
    """The whole frontend as lines."""
    shelf = Shelf(erd=erd, backend=backend, lang=lang)
    lines = [_component(component, shelf) for component in frontend.components]
    if frontend.services != _services({}, backend):
        lines += [_service(service) for service in frontend.services]
    return "\n".join(lines)


def items(
    frontend: Frontend, erd: Erd, backend: Backend, ids: frozenset[str] | set[str], *, lang: Language = "ko"
) -> str:
    """Only these components and services; an id is a component, `CP-x.control`, a service or a screen."""
    shelf = Shelf(erd=erd, backend=backend, lang=lang)
    wanted = {name.partition(".")[0] for name in ids}
    lines = [_component(c, shelf) for c in frontend.components if c.id in wanted or c.screen in wanted]
    return "\n".join([*lines, *(_service(service) for service in frontend.services if service.id in wanted)])


def _read(text: str, shelf: Shelf) -> _Draft:
    draft = _Draft()
    for line in lines_of(text):
        service = _SERVICE.match(line.text)
        if line.text.startswith("DEL "):
            draft.deleted.append(line)
        elif service is not None:
            ops = tuple(name if name.startswith("OP-") else f"OP-{name}" for name in split_list(service[2]))
            draft.services[f"SV-{service[1]}"] = Service(id=f"SV-{service[1]}", ops=ops)
        elif re.match(r"^[\w-]+\s+SC-\d", line.text):
            _read_component(line, shelf, draft)
    return draft


def _read_component(line: Line, shelf: Shelf, draft: _Draft) -> None:
    head, _, body = line.text.partition(":")
    match = _HEAD.match(head.strip())
    if match is None:
        draft.faults.append(Fault(line=line.number, text=line.text, expected=_COMPONENT_SYNTAX))
        return
    name, screen, kind, short, reqs, source, states = match.groups()
    bo = f"BO-{short}"
    controls, buttons = _controls(body, line, cast(ComponentKind, kind), bo, shelf, draft)
    found: dict[str, object] = {
        "id": f"CP-{name}",
        "screen": screen,
        "kind": kind,
        "bo": bo,
        "reqs": tuple(re.findall(r"FR-\d{3}\b", reqs)),
        "source": None if source == "-" else f"OP-{source}" if source else default_source(kind, bo, buttons, shelf),
        "controls": (*controls, *buttons),
        "states": tuple(split_list(states)) if states else default_states(kind),
    }
    try:
        draft.components[f"CP-{name}"] = Component.model_validate(found)
    except ValueError:
        draft.faults.append(Fault(line=line.number, text=line.text, expected=_COMPONENT_SYNTAX))


def _controls(
    body: str, line: Line, kind: ComponentKind, bo: str, shelf: Shelf, draft: _Draft
) -> tuple[list[Control], list[Control]]:
    fields, *rest = split_outside(body, "|")
    controls: list[Control] = []
    buttons: list[Control] = []
    for text in [part for part in split_outside(fields, ",") if part]:
        control = read_control(text, kind, bo, shelf)
        if control is None:
            draft.faults.append(Fault(line=line.number, text=text, expected=CONTROL_SYNTAX))
        else:
            controls.append(control)
    for text in [part for one in rest for part in split_outside(one, ",") if part]:
        button = read_button(text)
        if button is None:
            draft.faults.append(Fault(line=line.number, text=text, expected=BUTTON_SYNTAX))
        else:
            buttons.append(button)
    return controls, buttons


def _done(draft: _Draft, backend: Backend) -> Parsed[Frontend]:
    services = _services(draft.services, backend)
    artifact = Frontend(components=tuple(draft.components.values()), services=services)
    return Parsed(artifact=artifact, faults=tuple(draft.faults))


def _services(given: dict[str, Service], backend: Backend) -> tuple[Service, ...]:
    """What was said, then one service per object for the operations that are in none."""
    served = {op for service in given.values() for op in service.ops}
    found = dict(given)
    for bo in backend.bos:
        rest = tuple(op.id for op in bo.ops if op.id not in served)
        name = f"SV-{bo.id.removeprefix('BO-')}"
        if rest:
            before = found[name].ops if name in found else ()
            found[name] = Service(id=name, ops=(*before, *rest))
    return tuple(found.values())


def _component(component: Component, shelf: Shelf) -> str:
    kind = component.kind
    buttons = [control for control in component.controls if control.kind == "button"]
    fields = [control for control in component.controls if control.kind != "button"]
    parts = [component.id.removeprefix("CP-"), component.screen, kind, component.bo.removeprefix("BO-")]
    parts.append(joined(component.reqs))
    if component.source != default_source(kind, component.bo, buttons, shelf):
        parts.append(f"<{short_op(component.source) if component.source else '-'}")
    states: tuple[ViewState, ...] = component.states
    if states != default_states(kind):
        parts.append(f"({joined(states)})")
    shown = ", ".join(write_control(control, kind, component.bo, shelf) for control in fields)
    pressed = ", ".join(write_button(button) for button in buttons)
    return f"{' '.join(part for part in parts if part)}: {shown}{f' | {pressed}' if pressed else ''}"


def _service(service: Service) -> str:
    return f"{service.id}: {joined(short_op(op) for op in service.ops)}"
