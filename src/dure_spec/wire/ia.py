"""The IA as lines: `SC-004 form /orders/new A1 FR-004 주문 등록 -> SC-005; create 저장(FR-004)`."""

import re
from dataclasses import dataclass, field
from typing import get_args

from dure_spec.artifacts.ia import ActionKind, Flow, Ia, Menu, Screen, ScreenType
from dure_spec.artifacts.prd import Prd
from dure_spec.wire.parsed import Fault, Parsed
from dure_spec.wire.text import Line, joined, lines_of

_TYPES = "|".join(get_args(ScreenType))
_KINDS = "|".join(get_args(ActionKind))
_SCREEN = re.compile(
    rf"^(SC-\d+)\s+({_TYPES})\s+(/\S*)\s+((?:A\d+[,\s]*)*)((?:FR-\d+[,\s]*)*)(.*?)\s*(?:->\s*((?:SC-\d+[,\s]*)*))?$"
)
_ACTION = re.compile(rf"^({_KINDS})\s+(.+?)\s*\(\s*(FR-\d+)\s*\)$")
_MENU = re.compile(r"^M(?:-\d+)?\s+(.+?)\s+(SC-\d{3})\s*(?:\(([^)]*)\))?\s*(?:<\s*(M-\d+))?$")
_FLOW = re.compile(r"^FL(?:-\d+)?\s+(.+?)\s*:\s*((?:SC-\d{3}\b[,>\s-]*)+)$")
_SCREEN_SYNTAX = "SC-001 list|form|detail|… /route A1,A2 FR-001 name -> SC-002; create label(FR-001)"


@dataclass(kw_only=True, slots=True)
class _Draft:
    screens: dict[str, Screen] = field(default_factory=dict[str, Screen])
    menu: list[tuple[str, str, tuple[str, ...] | None, str | None]] = field(
        default_factory=list[tuple[str, str, tuple[str, ...] | None, str | None]]
    )
    flows: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    deleted: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    faults: list[Fault] = field(default_factory=list[Fault])


def parse(text: str, prd: Prd | None = None) -> Parsed[Ia]:
    """Read a whole IA; a screen without roles has those of its requirements."""
    draft = _read(text, prd)
    if not draft.screens:
        draft.faults.append(Fault(line=0, text="", expected=_SCREEN_SYNTAX))
    return _done(draft)


def patch(ia: Ia, text: str, prd: Prd | None = None) -> Parsed[Ia]:
    """Take replacement screens, menu entries (by label) and flows (by name) into an IA; `DEL id` removes."""
    new = _read(text, prd)
    gone = {name for name, _ in new.deleted}
    known = {screen.id for screen in ia.screens} | {menu.id for menu in ia.menu} | {flow.id for flow in ia.flows}
    for name, line in new.deleted:
        if name not in known:
            new.faults.append(Fault(line=line, text=f"DEL {name}", expected="DEL with the id of an item that exists"))
    old_roles = {screen.id: screen.roles for screen in ia.screens}
    said = {label for label, *_ in new.menu}
    old_menu = [
        (m.label, m.screen, None if m.roles == old_roles.get(m.screen) else m.roles, m.parent)
        for m in ia.menu
        if m.id not in gone and m.label not in said
    ]
    merged = _Draft(
        screens={s.id: s for s in ia.screens if s.id not in gone} | new.screens,
        menu=[*old_menu, *new.menu],
        flows={f.name: f.steps for f in ia.flows if f.id not in gone} | new.flows,
        faults=new.faults,
    )
    return _done(merged)


def write(ia: Ia) -> str:
    """The whole IA as lines."""
    return _written(ia, None)


def items(ia: Ia, ids: frozenset[str] | set[str]) -> str:
    """Only the lines of these screens, menu entries and flows."""
    return _written(ia, frozenset(ids))


def _read(text: str, prd: Prd | None) -> _Draft:
    draft = _Draft()
    for line in lines_of(text):
        _read_line(line, draft, prd)
    return draft


def _read_line(line: Line, draft: _Draft, prd: Prd | None) -> None:
    menu = _MENU.match(line.text)
    flow = _FLOW.match(line.text)
    if re.match(r"SC-\d", line.text):
        _read_screen(line, draft, prd)
    elif line.text.startswith("DEL "):
        draft.deleted.append((line.text[4:].strip(), line.number))
    elif menu is not None:
        roles = tuple(re.findall(r"A\d+", menu[3])) if menu[3] else None
        draft.menu.append((menu[1], menu[2], roles, menu[4]))
    elif flow is not None:
        draft.flows[flow[1]] = tuple(re.findall(r"SC-\d+", flow[2]))
    elif re.match(r"(M|FL)(-\d+)?\s", line.text):
        expected = "M label SC-001" if line.text.startswith("M") else "FL name: SC-001 SC-002"
        draft.faults.append(Fault(line=line.number, text=line.text, expected=expected))


def _read_screen(line: Line, draft: _Draft, prd: Prd | None) -> None:
    head, *actions = [part.strip() for part in line.text.split(";")]
    match = _SCREEN.match(head)
    if match is None:
        draft.faults.append(Fault(line=line.number, text=line.text, expected=_SCREEN_SYNTAX))
        return
    reqs = tuple(re.findall(r"FR-\d+", match[5]))
    values: dict[str, object] = {
        "id": match[1],
        "type": match[2],
        "route": match[3],
        "roles": tuple(re.findall(r"A\d+", match[4])) or _roles(reqs, prd),
        "reqs": reqs,
        "name": match[6] or match[1],
        "links": tuple(re.findall(r"SC-\d+", match[7] or "")),
        "actions": tuple(found for action in actions for found in _action(action)),
    }
    for action in actions:
        if action and not _ACTION.match(action):
            expected = f"{_KINDS} label(FR-001)"
            draft.faults.append(Fault(line=line.number, text=action, expected=expected))
    try:
        draft.screens[match[1]] = Screen.model_validate(values)
    except ValueError:
        draft.faults.append(Fault(line=line.number, text=line.text, expected=_SCREEN_SYNTAX))


def _roles(reqs: tuple[str, ...], prd: Prd | None) -> tuple[str, ...]:
    named = {actor for req in (prd.reqs if prd else ()) if req.id in reqs for actor in req.actors}
    return tuple(actor.id for actor in (prd.actors if prd else ()) if actor.id in named)


def _action(text: str) -> list[dict[str, str]]:
    match = _ACTION.match(text)
    return [{"kind": match[1], "label": match[2], "req": match[3]}] if match else []


def _done(draft: _Draft) -> Parsed[Ia]:
    menu = tuple(
        Menu(
            id=f"M-{number}",
            label=label,
            screen=screen,
            roles=roles if roles is not None else draft.screens[screen].roles if screen in draft.screens else (),
            parent=parent,
        )
        for number, (label, screen, roles, parent) in enumerate(draft.menu, start=1)
    )
    flows = tuple(
        Flow(id=f"FL-{number}", name=name, steps=steps)
        for number, (name, steps) in enumerate(draft.flows.items(), start=1)
    )
    artifact = Ia(menu=menu, screens=tuple(draft.screens.values()), flows=flows)
    return Parsed(artifact=artifact, faults=tuple(draft.faults))


def _written(ia: Ia, only: frozenset[str] | None) -> str:
    roles = {screen.id: screen.roles for screen in ia.screens}
    lines = [_screen(screen) for screen in ia.screens if only is None or screen.id in only]
    for menu in ia.menu:
        own = "" if menu.roles == roles.get(menu.screen) else f" ({joined(menu.roles)})"
        parent = f" <{menu.parent}" if menu.parent else ""
        lines += [f"M {menu.label} {menu.screen}{own}{parent}"] if only is None or menu.id in only else []
    for flow in ia.flows:
        lines += [f"FL {flow.name}: {' '.join(flow.steps)}"] if only is None or flow.id in only else []
    return "\n".join(lines)


def _screen(screen: Screen) -> str:
    head = f"{screen.id} {screen.type} {screen.route} {joined(screen.roles)} {joined(screen.reqs)} {screen.name}"
    links = f" -> {joined(screen.links)}" if screen.links else ""
    actions = "".join(f"; {action.kind} {action.label}({action.req})" for action in screen.actions)
    return f"{head}{links}{actions}"
