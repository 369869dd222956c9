"""Which screen offers which operation: each one once, on the screen that suits its kind best."""

from dure_spec.artifacts.backend import Backend, Bo, Op, OpKind
from dure_spec.artifacts.ia import Ia, Screen, ScreenType

_PREFERRED: dict[OpKind, tuple[ScreenType, ...]] = {
    "login": ("auth",),
    "create": ("form", "wizard", "modal", "auth", "detail", "list", "dashboard", "report"),
    "update": ("form", "wizard", "modal", "detail", "list", "dashboard", "report"),
    "delete": ("detail", "form", "list", "modal", "wizard", "dashboard", "report"),
    "transition": ("detail", "form", "list", "modal", "wizard", "dashboard", "report"),
    "action": ("detail", "form", "list", "dashboard", "report", "modal", "wizard"),
}


def callable_on(op: Op, screen: Screen) -> bool:
    """Whether some role of the screen may call the operation."""
    return "*" in op.roles or bool(set(op.roles) & set(screen.roles))


def place_ops(ia: Ia, backend: Backend, owners: dict[str, str]) -> dict[str, list[tuple[Bo, Op]]]:
    """For each screen id the operations that it offers as buttons; `owners` says which object a screen is about."""
    placed: dict[str, list[tuple[Bo, Op]]] = {screen.id: [] for screen in ia.screens}
    for bo in backend.bos:
        for op in bo.ops:
            screen = _best(bo, op, ia, owners) if op.kind in _PREFERRED else None
            if screen is not None:
                placed[screen.id].append((bo, op))
    return placed


def _best(bo: Bo, op: Op, ia: Ia, owners: dict[str, str]) -> Screen | None:
    order = _PREFERRED[op.kind]
    fitting = [screen for screen in ia.screens if screen.type in order and callable_on(op, screen)]
    serving = [screen for screen in fitting if set(op.reqs) & set(screen.reqs)]
    near = serving or [screen for screen in fitting if owners.get(screen.id) == bo.id and screen.type != "auth"]
    return min(near, key=lambda screen: _rank(screen, bo, op, owners), default=None)


def _rank(screen: Screen, bo: Bo, op: Op, owners: dict[str, str]) -> tuple[bool, int]:
    """Screens of the object first; a form that only makes new records is no place to change one."""
    at = _PREFERRED[op.kind].index(screen.type)
    only_new = op.kind != "create" and screen.type == "form" and ":" not in screen.route
    return owners.get(screen.id) != bo.id, at + (100 if only_new else 0)
