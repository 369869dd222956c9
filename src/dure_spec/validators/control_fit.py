"""V15, controls: kind, length and duty of a control are those of the attribute that it is bound to."""

from collections.abc import Iterator

from dure_spec.artifacts.backend import Attribute, Op
from dure_spec.artifacts.findings import Change
from dure_spec.artifacts.frontend import Component, Control
from dure_spec.derive.frontend_controls import Shelf, input_control, output_control
from dure_spec.derive.frontend_placement import callable_on
from dure_spec.validators.control_kinds import Kinds, allowed_kinds, max_length
from dure_spec.validators.index import Index
from dure_spec.validators.patches import replaced
from dure_spec.validators.policy import Draft, Text

_KIND = Text(
    "컨트롤 종류 {kind}이(가) {name}의 타입 {type}에 맞지 않습니다 (가능: {allowed})",
    "control kind {kind} does not fit {name} ({type}); fitting: {allowed}",
)
_MAX = Text(
    "최대 {max}자를 받지만 컬럼은 {length}자까지 담습니다: 긴 값은 저장에 실패합니다",
    "takes {max} characters, but the column holds {length}: longer values cannot be stored",
)
_OPTIONAL = Text(
    "필수 속성 {name}이(가) 선택 입력입니다: 비우면 저장에 실패합니다",
    "required attribute {name} is optional here: left empty it cannot be stored",
)


def check_fit(
    index: Index, component: Component, control: Control, attribute: Attribute, path: str, *, asked: bool
) -> Iterator[Draft]:
    """What is wrong with a control whose attribute exists; `asked` says that a button hands its value on."""
    ref = f"{component.id}.{control.bind or control.label}"
    allowed = allowed_kinds(index, attribute, read_only=control.ro)
    if allowed and control.kind not in allowed:
        right = _derived(index, component, control, attribute)
        kinds = tuple(sorted(allowed, key=lambda kind: (right is None or kind != right.kind, kind)))
        values = {
            "kind": control.kind,
            "name": attribute.name,
            "type": _type(index, attribute),
            "allowed": ", ".join(kinds),
        }
        patch = _of_kind(path, control, right, allowed) if right else ()
        yield _draft(f"{path}/kind", ref, _KIND, values, kinds, patch)
    length = max_length(index, attribute)
    if length is not None and control.max is not None and control.max > length and not control.ro:
        values = {"max": f"{control.max:g}", "length": str(length)}
        patch = replaced("frontend", f"{path}/max", control.max, float(length))
        yield _draft(f"{path}/max", ref, _MAX, values, (str(length),), patch)
    if attribute.req and asked and not (control.req or control.ro):
        patch = replaced("frontend", f"{path}/req", old=False, new=True)
        yield _draft(f"{path}/req", ref, _OPTIONAL, {"name": attribute.name}, ("true",), patch)


def _type(index: Index, attribute: Attribute) -> str:
    column = index.column(attribute.col) if attribute.col else None
    return column.type if column else attribute.type or "?"


def _derived(index: Index, component: Component, control: Control, attribute: Attribute) -> Control | None:
    """The control that the program would have made."""
    erd, backend, prd = index.artifacts.erd, index.artifacts.backend, index.artifacts.prd
    screen = index.screens.get(component.screen)
    if erd is None or backend is None:
        return None

    def may_call(op: Op) -> bool:
        return screen is None or callable_on(op, screen)

    shelf = Shelf(erd=erd, backend=backend, lang=prd.project.lang if prd else "ko")
    make = output_control if control.ro else input_control
    return make(attribute, shelf, may_call)


def _of_kind(path: str, control: Control, right: Control, allowed: Kinds) -> tuple[Change, ...]:
    """The other kind, with what it needs to have something to choose from; limits of text do not go with it."""
    if right.kind not in allowed:
        return ()
    steps = replaced("frontend", f"{path}/kind", control.kind, right.kind)
    for field, old, new in (("source", control.source, right.source), ("options", control.options, right.options)):
        if new is not None and old is None:
            steps = (*steps, *replaced("frontend", f"{path}/{field}", old, new))
    if control.max is not None and right.max is None and right.kind not in ("number", "money"):
        steps = (*steps, *replaced("frontend", f"{path}/max", control.max, None))
    return steps


def _draft(
    path: str, ref: str, text: Text, values: dict[str, str], candidates: tuple[str, ...], patch: tuple[Change, ...]
) -> Draft:
    return Draft(
        severity="major",
        stage="frontend",
        path=path,
        ref=ref,
        text=text,
        values=values,
        expected=candidates[0],
        candidates=candidates,
        patch=patch,
    )
