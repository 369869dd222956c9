"""What people call an operation: the words on its button where there is one, else object and kind of work."""

from dure_spec.artifacts import Artifacts
from dure_spec.artifacts.backend import Bo, Op, OpKind
from dure_spec.artifacts.shared import Language

_KINDS: dict[Language, dict[OpKind, str]] = {
    "ko": {
        "list": "목록 조회",
        "read": "상세 조회",
        "create": "등록",
        "update": "수정",
        "delete": "삭제",
        "transition": "상태 변경",
        "action": "처리",
        "login": "로그인",
    },
    "en": {
        "list": "List",
        "read": "Read",
        "create": "Create",
        "update": "Update",
        "delete": "Delete",
        "transition": "Change the state of",
        "action": "Act on",
        "login": "Log in",
    },
}


def language_of(artifacts: Artifacts) -> Language:
    """The language of the run; Korean until a PRD says otherwise."""
    return artifacts.prd.project.lang if artifacts.prd else "ko"


def button_labels(artifacts: Artifacts) -> dict[str, str]:
    """For each operation id the words of the first button that calls it."""
    labels: dict[str, str] = {}
    for component in artifacts.frontend.components if artifacts.frontend else ():
        for control in component.controls:
            if control.call and control.kind == "button":
                labels.setdefault(control.call, control.label)
    return labels


def op_label(op: Op, bo: Bo, *, lang: Language, buttons: dict[str, str]) -> str:
    """A short title such as `주문 목록 조회`; buttons name what the kind cannot."""
    if op.kind in ("transition", "action") and op.id in buttons:
        button = buttons[op.id]
        return button if bo.name in button else f"{bo.name} · {button}"
    kind = _KINDS[lang][op.kind]
    if op.kind == "login":
        return kind
    verb = op.id.rpartition(".")[2]
    plain = f"{bo.name} {kind}" if lang == "ko" else f"{kind} {bo.name}"
    return f"{plain} ({verb})" if op.kind in ("transition", "action") else plain
