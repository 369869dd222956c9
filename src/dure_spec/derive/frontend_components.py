"""The components of one screen: its main one, and a small one per other object that it works on."""

from collections.abc import Mapping
from dataclasses import dataclass

from dure_spec.artifacts.backend import Attribute, Bo, Op
from dure_spec.artifacts.frontend import Component, ComponentKind, Control, ViewState
from dure_spec.artifacts.ia import Ia, Screen, ScreenType
from dure_spec.artifacts.shared import Language
from dure_spec.derive.frontend_controls import Shelf, input_control, is_shown, output_control
from dure_spec.derive.frontend_placement import callable_on
from dure_spec.derive.types import parse_type
from dure_spec.derive.verbs import step_label

_KINDS: dict[ScreenType, ComponentKind] = {
    "list": "table",
    "detail": "detail",
    "form": "form",
    "auth": "form",
    "wizard": "wizard",
    "modal": "form",
    "report": "chart",
    "dashboard": "chart",
}
_SUFFIX: dict[ComponentKind, str] = {"table": "list"}
_READING: tuple[ViewState, ...] = ("loading", "empty", "error", "denied")
_WRITING: tuple[ViewState, ...] = ("submitting", "error", "denied")
_LIST_WIDTH = 6
_WORDS: dict[Language, dict[str, str]] = {
    "ko": {
        "list": "목록",
        "detail": "상세",
        "edit": "편집",
        "new": "새 {}",
        "create": "등록",
        "update": "저장",
        "delete": "삭제",
        "login": "로그인",
        "action": "실행",
    },
    "en": {
        "list": "List",
        "detail": "Details",
        "edit": "Edit",
        "new": "New {}",
        "create": "Create",
        "update": "Save",
        "delete": "Delete",
        "login": "Sign in",
        "action": "Run",
    },
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Page:
    """A screen with the object it is about, the operations it offers and the attributes its list shows."""

    screen: Screen
    bo: Bo
    ops: tuple[tuple[Bo, Op], ...]
    shelf: Shelf
    ia: Ia
    shown: tuple[str, ...]
    titles: Mapping[str, str]
    """Titles of the requirements by id."""

    def may_call(self, op: Op) -> bool:
        return callable_on(op, self.screen)


def components_of(page: Page, taken: set[str]) -> list[Component]:
    """The main component first; `taken` holds the ids that are in use and grows."""
    kind = _KINDS[page.screen.type]
    own = [op for bo, op in page.ops if bo.id == page.bo.id]
    inside = own if kind in ("form", "wizard") else [op for op in own if not op.in_]
    if page.screen.type == "auth" and any(op.kind == "login" for op in own):
        inside = [op for op in own if op.kind == "login"]
    extras = _extras(page, inside, taken)
    elsewhere = {req for extra in extras for req in extra.reqs} - {req for op in inside for req in op.reqs}
    reqs = tuple(req for req in page.screen.reqs if req not in elsewhere) or page.screen.reqs
    return [_main(page, kind, inside, reqs, taken), *extras]


def _main(page: Page, kind: ComponentKind, ops: list[Op], reqs: tuple[str, ...], taken: set[str]) -> Component:
    writing = kind in ("form", "wizard")
    controls = _inputs(page, page.bo, ops) if writing else _outputs(page, kind)
    buttons = [_call(page, op) for op in ops]
    name = "login" if page.screen.type == "auth" else f"{_short(page.bo)}-{_SUFFIX.get(kind, kind)}"
    return Component(
        id=unique_id(name, taken),
        screen=page.screen.id,
        kind=kind,
        bo=page.bo.id,
        reqs=reqs,
        source=_source(page, page.bo, kind, ops),
        controls=(*controls, *buttons, *_links(page)),
        states=_WRITING if writing else _READING,
    )


def _extras(page: Page, inside: list[Op], taken: set[str]) -> list[Component]:
    """Forms for operations that need inputs on a reading screen, and for operations of other objects."""
    rest = [(bo, op) for bo, op in page.ops if op not in inside]
    found: list[Component] = []
    for bo in dict.fromkeys(bo.id for bo, _ in rest):
        ops = [op for owner, op in rest if owner.id == bo]
        owner = page.shelf.bo(bo)
        if owner is not None:
            found.append(_extra(page, owner, ops, taken))
    return found


def _extra(page: Page, bo: Bo, ops: list[Op], taken: set[str]) -> Component:
    writing = any(op.in_ for op in ops)
    kind: ComponentKind = "form" if writing else "detail"
    served = {req for op in ops for req in op.reqs}
    name = "sign-up" if page.screen.type == "auth" else f"{_short(bo)}-{'form' if writing else 'actions'}"
    shown = (
        _inputs(page, bo, ops) if writing else [output_control(a, page.shelf, page.may_call) for a in _listed(bo, page)]
    )
    return Component(
        id=unique_id(name, taken),
        screen=page.screen.id,
        kind=kind,
        bo=bo.id,
        reqs=tuple(req for req in page.screen.reqs if req in served) or page.screen.reqs,
        source=_source(page, bo, kind, ops),
        controls=(*shown, *(_call(page, op) for op in ops)),
        states=_WRITING if writing else _READING,
    )


def _source(page: Page, bo: Bo, kind: ComponentKind, ops: list[Op]) -> str | None:
    wanted = "list" if kind in ("table", "chart") else "read"
    if kind in ("form", "wizard") and not any(op.kind == "update" for op in ops):
        return None
    found = next((op for op in bo.ops if op.kind == wanted and page.may_call(op)), None)
    return found.id if found else None


def _inputs(page: Page, bo: Bo, ops: list[Op]) -> list[Control]:
    wanted = {name for op in ops for name in op.in_}
    chosen = [attribute for attribute in bo.attrs if attribute.name in wanted]
    if not chosen:
        return [output_control(attribute, page.shelf, page.may_call) for attribute in _listed(bo, page)]
    return [input_control(attribute, page.shelf, page.may_call) for attribute in chosen]


def _outputs(page: Page, kind: ComponentKind) -> list[Control]:
    shown = (
        [a for a in page.bo.attrs if is_shown(a) and not _is_key(a, page.shelf)]
        if kind == "detail"
        else _listed(page.bo, page)
    )
    return [output_control(attribute, page.shelf, page.may_call) for attribute in shown]


def _listed(bo: Bo, page: Page) -> list[Attribute]:
    """What a list shows: what was picked, else the first short columns and the state."""
    by_name = {attribute.name: attribute for attribute in bo.attrs if is_shown(attribute)}
    picked = [by_name[name] for name in page.shown if name in by_name and bo.id == page.bo.id]
    if picked:
        return picked
    short = [a for a in by_name.values() if _is_short(a, page.shelf)]
    first = short[:_LIST_WIDTH]
    first += [a for a in short[_LIST_WIDTH:] if a.name in ("status", "state")]
    return first or list(by_name.values())[:1]


def _is_key(attribute: Attribute, shelf: Shelf) -> bool:
    column = shelf.column(attribute)
    return column is not None and column.pk and not column.fk


def _is_short(attribute: Attribute, shelf: Shelf) -> bool:
    column = shelf.column(attribute)
    parsed = parse_type(column.type) if column is not None else None
    if column is None or parsed is None or column.pk:
        return False
    return parsed.family not in ("json", "bin") and parsed.name != "text" and (parsed.length or 0) < 300


def _call(page: Page, op: Op) -> Control:
    kinds = {"create": "create", "update": "update", "delete": "delete", "transition": "transition", "login": "login"}
    labels = [a.label for a in page.screen.actions if a.req in op.reqs and a.kind == kinds.get(op.kind)]
    alike = [other for _, other in page.ops if other.kind == op.kind and set(other.reqs) & set(op.reqs)]
    if labels and len(alike) == 1:
        return Control(kind="button", label=labels[0], call=op.id)
    words = _WORDS[page.shelf.lang]
    if op.kind == "action" and op.reqs and op.reqs[0] in page.titles:
        return Control(kind="button", label=page.titles[op.reqs[0]], call=op.id)
    if op.kind == "transition":
        return Control(kind="button", label=step_label(op.id.partition(".")[2], page.shelf.lang), call=op.id)
    return Control(kind="button", label=words.get(op.kind, op.kind), call=op.id)


def _links(page: Page) -> list[Control]:
    words = _WORDS[page.shelf.lang]
    found: list[Control] = []
    for screen in page.ia.screens:
        if screen.id in page.screen.links and screen.type != "auth" and page.screen.type != "auth":
            found.append(Control(kind="button", label=_link_label(page, screen, words), link=screen.id))
    return found


def _link_label(page: Page, screen: Screen, words: dict[str, str]) -> str:
    if page.screen.type == "list" and screen.type == "form":
        return words["edit"] if ":" in screen.route else words["new"].format(page.bo.name)
    if screen.type in ("list", "detail"):
        return words[screen.type]
    return screen.name


def _short(bo: Bo) -> str:
    return bo.id.removeprefix("BO-")


def unique_id(name: str, taken: set[str]) -> str:
    """A component id that is not taken yet; takes it."""
    number = 1
    found = f"CP-{name}"
    while found in taken:
        number += 1
        found = f"CP-{name}-{number}"
    taken.add(found)
    return found
