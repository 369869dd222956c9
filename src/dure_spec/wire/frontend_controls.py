"""Controls and buttons of the frontend text: `customerId!<customer.list`, `저장=order.create`, `상세>SC-005`."""

import re
from collections.abc import Sequence
from typing import Final, cast, get_args

from dure_spec.artifacts.backend import Attribute, Op
from dure_spec.artifacts.frontend import Control, ControlKind, ViewState
from dure_spec.derive.frontend_controls import Shelf, input_control, output_control

CONTROL_SYNTAX: Final = 'attribute[!][~][<object.list][/pattern/][:kind]["label"][{min..max}]'
BUTTON_SYNTAX: Final = "label=object.operation or label>SC-001"
_READING: tuple[ViewState, ...] = ("loading", "empty", "error", "denied")
_WRITING: tuple[ViewState, ...] = ("submitting", "error", "denied")
_CONTROL = re.compile(
    r"^(\w+)\s*(!)?\s*(~)?\s*(?:<\s*(?:OP-)?([\w.-]+))?\s*(?:/(.*)/)?\s*(?::([a-z]+))?\s*(?:\"([^\"]*)\")?"
    r"\s*(?:\{([^{}]*?)\.\.([^{}]*?)\})?\s*(?:%(\w*))?$"
)
_BUTTON = re.compile(r"^(.+?)\s*(?:=\s*(?:OP-)?([a-z0-9-]+\.[a-z0-9-]+)|>\s*(SC-\d{3}))$")
_FORMS = ("form", "wizard", "filter", "modal")


def default_states(kind: str) -> tuple[ViewState, ...]:
    return _WRITING if kind in _FORMS else _READING


def default_source(kind: str, bo: str, buttons: Sequence[Control], shelf: Shelf) -> str | None:
    """Lists read the list, details the single record, forms the record that they update."""
    owner = shelf.bo(bo)
    ops = owner.ops if owner else ()
    if kind in _FORMS:
        called = {button.call for button in buttons}
        updates = any(op.kind == "update" and op.id in called for op in ops)
        return _first(ops, "read") if updates else None
    return _first(ops, "read" if kind == "detail" else "list")


def _first(ops: Sequence[Op], kind: str) -> str | None:
    return next((op.id for op in ops if op.kind == kind), None)


def short_op(op: str) -> str:
    return op.removeprefix("OP-")


def read_control(text: str, kind: str, bo: str, shelf: Shelf) -> Control | None:
    """A control over an attribute; one that the object does not have is kept for the validator, as text."""
    match = _CONTROL.match(text)
    if match is None:
        return None
    name, req, ro, source, pattern, control_kind, label, low, high, options = match.groups()
    base = _expected(name, kind, bo, shelf, editable=bool(req) and kind not in _FORMS)
    update: dict[str, object] = {"req": bool(req), "ro": base.ro != bool(ro)}
    if source:
        update |= {"source": f"OP-{source}", "kind": base.kind if base.kind == "lines" else "select"}
    if control_kind in get_args(ControlKind):
        update["kind"] = cast(ControlKind, control_kind)
    if label is not None:
        update["label"] = label
    if low is not None:
        update |= {"min": _number(low), "max": _number(high)}
    if options is not None:
        update["options"] = options or None
    update |= {"pattern": pattern} if pattern else {}
    return base.model_copy(update=update)


def _number(text: str) -> float | None:
    found = re.fullmatch(r"\s*(-?\d+(?:\.\d+)?)\s*", text)
    return float(found[1]) if found else None


def _expected(name: str, kind: str, bo: str, shelf: Shelf, *, editable: bool) -> Control:
    """The control that follows from the attribute: to be filled in on forms, to be read elsewhere."""
    owner = shelf.bo(bo)
    attribute = next((a for a in owner.attrs if a.name == name), None) if owner else None
    if attribute is None:
        return Control(kind="text", label=name, bind=name, ro=kind not in _FORMS and not editable)
    if (kind in _FORMS and not attribute.ro) or editable:
        return input_control(attribute, shelf, _nobody).model_copy(update={"req": False})
    return output_control(_plain(attribute), shelf, _nobody)


def _plain(attribute: Attribute) -> Attribute:
    return attribute.model_copy(update={"req": False})


def _nobody(op: Op) -> bool:
    """Sources are said, not guessed, in the text."""
    del op
    return False


def read_button(text: str) -> Control | None:
    """A button that calls or leads somewhere."""
    match = _BUTTON.match(text)
    if match is None:
        return None
    return Control(kind="button", label=match[1], call=f"OP-{match[2]}" if match[2] else None, link=match[3])


def write_button(control: Control) -> str:
    return f"{control.label}={short_op(control.call)}" if control.call else f"{control.label}>{control.link or ''}"


def write_control(control: Control, kind: str, bo: str, shelf: Shelf) -> str:
    """The control with only what does not follow from its attribute."""
    name = control.bind or control.label
    base = _expected(name, kind, bo, shelf, editable=control.req and kind not in _FORMS)
    parts = [name, "!" if control.req else "", "~" if control.ro != base.ro else ""]
    expected = base.kind
    if control.source:
        parts.append(f"<{short_op(control.source)}")
        expected = expected if expected == "lines" else "select"
    parts.append(f"/{control.pattern}/" if control.pattern else "")
    parts.append(f":{control.kind}" if control.kind != expected else "")
    parts.append(f'"{control.label}"' if control.label != base.label else "")
    if (control.min, control.max) != (base.min, base.max):
        parts.append(f"{{{_shown(control.min)}..{_shown(control.max)}}}")
    parts.append(f"%{control.options or ''}" if control.options != base.options else "")
    return "".join(parts)


def _shown(number: float | None) -> str:
    return "" if number is None else f"{number:g}"
