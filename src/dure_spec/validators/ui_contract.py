"""V15 UiContract: what a screen shows, asks for and calls exists, fits, and is allowed."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from dure_spec.artifacts.findings import Change, Severity
from dure_spec.artifacts.frontend import Component, ComponentKind, Control, ViewState
from dure_spec.validators.control_fit import check_fit
from dure_spec.validators.index import Index, OpPlace
from dure_spec.validators.patches import replaced
from dure_spec.validators.policy import Draft, Policy, Text, nearest

_SCREEN = Text("없는 화면 {name}", "unknown screen {name}")
_BO = Text("없는 업무객체 {name}", "unknown business object {name}")
_NO_COMPONENT = Text("화면 '{name}'에 구성요소가 없습니다", "screen '{name}' has no component")
_BIND = Text(
    "{bo}에 없는 속성 {name}에 묶였습니다 ({bo}의 속성: {known})",
    "binds to {name}, which {bo} does not have; its attributes: {known}",
)
_CALL = Text("없는 오퍼레이션을 호출합니다: {name}", "calls unknown operation {name}")
_SOURCE = Text("없는 오퍼레이션에서 값을 가져옵니다: {name}", "reads from unknown operation {name}")
_LINK = Text("없는 화면으로 이동합니다: {name}", "links to unknown screen {name}")
_LACKS = Text(
    "폼에 필수 입력이 없어 {op}이(가) 실패합니다: {names}", "form lacks required input {names}, so {op} fails"
)
_DENIED = Text(
    "{screen}의 역할 {roles} 중 {op}을(를) 부를 수 있는 역할이 없습니다", "no role of {screen} ({roles}) may call {op}"
)
_SERVICE = Text("어떤 서비스에도 없는 오퍼레이션입니다", "operation is in no service")
_SERVICE_OP = Text("서비스에 없는 오퍼레이션 {name}", "service lists unknown operation {name}")
_STATES = Text("화면 상태가 빠졌습니다: {names}", "states missing: {names}")

_TWICE = Text("같은 id의 구성요소가 두 번 있습니다", "component id is used twice")

_SHOWN = 12
_STATES_OF: dict[ComponentKind, tuple[ViewState, ...]] = {
    "table": ("loading", "empty", "error"),
    "chart": ("loading", "empty", "error"),
    "detail": ("loading", "error"),
    "form": ("submitting", "error"),
    "wizard": ("submitting", "error"),
}


def check_ui(index: Index, policy: Policy) -> Iterator[Draft]:
    """Components and their controls, then what no component covers."""
    frontend = index.artifacts.frontend
    if frontend is None:
        return
    seen: set[str] = set()
    for number, component in enumerate(frontend.components):
        if component.id in seen:
            yield _draft(f"/components/{number}/id", component.id, _TWICE, {})
        seen.add(component.id)
        yield from _Checker(index, component, f"/components/{number}").run()
    yield from _bare_screens(index, {component.screen for component in frontend.components})
    yield from _services(index)


class _Checker:
    """One component against its screen, its object and their operations."""

    def __init__(self, index: Index, component: Component, path: str) -> None:
        self.index = index
        self.component = component
        self.path = path
        self.place = index.bos.get(component.bo)
        self.screen = index.screens.get(component.screen)

    def run(self) -> Iterator[Draft]:
        """All findings on the component."""
        index, component = self.index, self.component
        if index.artifacts.ia and self.screen is None:
            bare = self.bare_screens()
            likely = tuple(dict.fromkeys([*bare, *nearest(component.screen, index.screens)]))
            topic = f"bare:{likely[0]}" if likely else ""
            yield self.draft("/screen", component.id, _SCREEN, {"name": component.screen}, likely, topic=topic)
        if index.artifacts.backend and self.place is None and (component.bo or index.bos):  # without tables: none
            likely = nearest(component.bo, index.bos)
            yield self.draft("/bo", component.id, _BO, {"name": component.bo}, likely, topic=f"no-bo:{component.id}")
        if component.source:
            yield from self.op("/source", component.id, component.source, _SOURCE)
        for number, control in enumerate(component.controls):
            yield from self.control(control, f"/controls/{number}")
        yield from self.required_inputs()
        wanted = _STATES_OF.get(component.kind, ())
        missing = [state for state in wanted if state not in component.states]
        if missing:
            names, path = ", ".join(missing), f"{self.path}/states"
            patch = replaced("frontend", path, list(component.states), [*component.states, *missing])
            yield self.draft(
                "/states", component.id, _STATES, {"names": names}, tuple(wanted), severity="minor", patch=patch
            )

    def bare_screens(self) -> list[str]:
        """Screens of the component's requirements that have no component at all."""
        frontend = self.index.artifacts.frontend
        used = {other.screen for other in frontend.components} if frontend else set[str]()
        wanted = set(self.component.reqs)
        return [each.id for each in self.index.screens.values() if each.id not in used and wanted & set(each.reqs)]

    def control(self, control: Control, path: str) -> Iterator[Draft]:
        """One control: where it leads, and whether it fits what it is bound to."""
        ref = f"{self.component.id}.{control.bind or control.label}"
        if control.call:
            yield from self.op(f"{path}/call", ref, control.call, _CALL)
        if control.source:
            yield from self.op(f"{path}/source", ref, control.source, _SOURCE)
        if control.link and self.index.artifacts.ia and control.link not in self.index.screens:
            likely = nearest(control.link, self.index.screens)
            yield self.draft(f"{path}/link", ref, _LINK, {"name": control.link}, likely)
        if control.bind and self.index.artifacts.backend:
            yield from self.binding(control, path, ref)

    def binding(self, control: Control, path: str, ref: str) -> Iterator[Draft]:
        """A control against its attribute."""
        name = control.bind or ""
        attribute = self.place.attributes.get(name) if self.place else None
        if attribute is None:
            known = tuple(self.place.attributes) if self.place else ()
            bound = {each.bind for each in self.component.controls}
            likely = nearest(name, [each for each in known if each not in bound]) or nearest(name, known)
            yield self.draft(
                f"{path}/bind",
                ref,
                _BIND,
                {"name": name, "bo": self.component.bo, "known": ", ".join(known[:_SHOWN]) or "-"},
                likely or known[:5],
                topic=f"astray:{self.component.id}",
                cause=f"no-bo:{self.component.id}",
            )
            return
        yield from check_fit(
            self.index, self.component, control, attribute, f"{self.path}{path}", asked=name in self.asked()
        )

    def called(self) -> Iterator[OpPlace]:
        """Operations behind the component's buttons."""
        for control in self.component.controls:
            place = self.index.ops.get(control.call or "")
            if place:
                yield place

    def asked(self) -> set[str]:
        """Inputs of the writing operations that the component calls; a filter asks for nothing."""
        if self.component.kind == "filter":
            return set()
        return {name for place in self.called() if place.op.kind not in ("list", "read") for name in place.op.in_}

    def required_inputs(self) -> Iterator[Draft]:
        """Inputs without which a creation or login behind a button fails."""
        for place in self.called():
            if place.op.kind not in ("create", "login"):
                continue
            attributes = self.index.bos[place.bo.id].attributes
            needed = [name for name in place.op.in_ if name in attributes and attributes[name].req]
            given = self.given(place.bo.id) | {name for name in needed if f"{{{name}}}" in place.op.path}
            missing = [name for name in dict.fromkeys(needed) if name not in given]
            if missing:
                lacks = f"astray:{self.component.id}" if len(missing) <= self.astray() else ""
                if place.bo.id != self.component.bo:  # an operation of another object is the wrong one as a whole
                    lacks = f"denied:{self.component.id}.{place.op.id}"
                yield self.draft(
                    "/controls",
                    self.component.id,
                    _LACKS,
                    {"names": ", ".join(missing), "op": place.op.id},
                    tuple(missing),
                    cause=lacks if self.place else f"no-bo:{self.component.id}",
                )

    def astray(self) -> int:
        """Controls that are bound to nothing, and so may have been meant for what is missing."""
        known = set(self.place.attributes if self.place else ())
        return sum(bool(control.bind) and control.bind not in known for control in self.component.controls)

    def given(self, bo: str) -> set[str]:
        """Attributes of an object that a user can fill in: here, on the other steps of a wizard, and for an object
        that is not the component's own anywhere on the screen."""
        frontend, own = self.index.artifacts.frontend, self.component
        found: set[str] = set()
        for other in frontend.components if frontend else ():
            beside = other.screen == own.screen and (own.kind == "wizard" or bo != own.bo)
            if other.bo == bo and (other.id == own.id or beside):
                found |= {control.bind for control in other.controls if control.bind and not control.ro}
        return found

    def op(self, path: str, ref: str, name: str, text: Text) -> Iterator[Draft]:
        """An operation that a control or component uses: it exists, and someone on the screen may call it."""
        if self.index.artifacts.backend is None:
            return
        place = self.index.ops.get(name)
        if place is None:
            own = [op.id for op in self.place.bo.ops] if self.place else []
            likely = (*nearest(name, own), *own, *nearest(name, self.index.ops))
            yield self.draft(path, ref, text, {"name": name}, tuple(dict.fromkeys(likely))[:5])
            return
        roles = set(self.screen.roles) if self.screen else set[str]()
        if roles and "*" not in roles and "*" not in place.op.roles and not roles & set(place.op.roles):
            values = {"screen": self.component.screen, "roles": ", ".join(sorted(roles)), "op": name}
            yield self.draft(path, ref, _DENIED, values, place.op.roles, topic=f"denied:{self.component.id}.{name}")

    def draft(
        self,
        path: str,
        ref: str,
        text: Text,
        values: dict[str, str],
        candidates: Iterable[str] = (),
        *,
        severity: Severity = "critical",
        topic: str = "",
        cause: str = "",
        patch: tuple[Change, ...] = (),
    ) -> Draft:
        """A finding on the component."""
        found = _draft(f"{self.path}{path}", ref, text, values, candidates, severity=severity, topic=topic, cause=cause)
        return replace(found, patch=patch)


def _bare_screens(index: Index, used: set[str]) -> Iterator[Draft]:
    for screen in index.screens.values():
        if screen.id not in used:
            yield _draft(
                "/components",
                screen.id,
                _NO_COMPONENT,
                {"name": screen.name},
                topic=f"no-component:{screen.id}",
                cause=f"bare:{screen.id}",
            )


def _services(index: Index) -> Iterator[Draft]:
    frontend = index.artifacts.frontend
    if frontend is None or index.artifacts.backend is None:
        return
    served: set[str] = set()
    astray: list[str] = []
    for number, service in enumerate(frontend.services):
        for place, name in enumerate(service.ops):
            served.add(name)
            if name not in index.ops:
                astray.append(service.id)
                path, mark = f"/services/{number}/ops/{place}", f"service:{service.id}"
                yield _draft(path, service.id, _SERVICE_OP, {"name": name}, nearest(name, index.ops), topic=mark)
    services = {name: service.id for service in frontend.services for name in service.ops}
    for place in index.ops.values():
        if place.op.id not in served:
            own = f"SV-{place.bo.id.removeprefix('BO-')}"
            siblings = list(dict.fromkeys(services[op.id] for op in place.bo.ops if op.id in services))
            likely = [each for each in (*siblings, own) if each in astray] or astray
            cause = f"service:{likely[0]}" if likely else ""
            yield _draft("/services", place.op.id, _SERVICE, {}, siblings, severity="major", cause=cause)


def _draft(
    path: str,
    ref: str,
    text: Text,
    values: dict[str, str],
    candidates: Iterable[str] = (),
    *,
    severity: Severity = "critical",
    topic: str = "",
    cause: str = "",
) -> Draft:
    values_right = tuple(candidates)
    return Draft(
        severity=severity,
        stage="frontend",
        path=path,
        ref=ref,
        text=text,
        values=values,
        expected=values_right[0] if values_right else "",
        candidates=values_right,
        topic=topic,
        cause=cause,
    )
