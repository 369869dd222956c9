"""V04 NamingConvention on what programs see: attributes in camelCase, paths in kebab-case."""

import re
from collections.abc import Iterator

from dure_spec.derive.words import camel, kebab
from dure_spec.validators.index import BoPlace, Index
from dure_spec.validators.patches import Patch, in_order, replaced
from dure_spec.validators.policy import Draft, Policy, Text

_CAMEL = Text("속성 이름은 camelCase로 씁니다", "attribute is not camelCase")
_KEBAB = Text("경로는 kebab-case로 씁니다: {segment}", "path segment is not kebab-case: {segment}")
_CAMEL_CASE = re.compile(r"[a-z][A-Za-z0-9]*")


def check_interface_naming(index: Index, policy: Policy) -> Iterator[Draft]:
    """Attributes of the business objects, then paths of their operations."""
    for place in index.bos.values():
        for number, attribute in enumerate(place.bo.attrs):
            if not _CAMEL_CASE.fullmatch(attribute.name):
                new = camel(attribute.name)
                free = bool(new) and new not in place.attributes and _CAMEL_CASE.fullmatch(new) is not None
                yield Draft(
                    severity="minor",
                    stage="backend",
                    path=f"{place.path}/attrs/{number}/name",
                    ref=f"{place.bo.id}.{attribute.name}",
                    text=_CAMEL,
                    expected=new,
                    patch=_rename(index, place, attribute.name, new) if free else (),
                )
    yield from _paths(index)


def _rename(index: Index, place: BoPlace, old: str, new: str) -> Patch:
    """An attribute's new name, also where operations take it and controls show it."""
    steps: list[Patch] = []
    for number, attribute in enumerate(place.bo.attrs):
        if attribute.name == old:
            steps.append(replaced("backend", f"{place.path}/attrs/{number}/name", old, new))
    for number, op in enumerate(place.bo.ops):
        for position, name in enumerate(op.in_):
            if name == old:
                steps.append(replaced("backend", f"{place.path}/ops/{number}/in/{position}", old, new))
        if f"{{{old}}}" in op.path:
            path = op.path.replace(f"{{{old}}}", f"{{{new}}}")
            steps.append(replaced("backend", f"{place.path}/ops/{number}/path", op.path, path))
    frontend = index.artifacts.frontend
    for number, component in enumerate(frontend.components if frontend else ()):
        for position, control in enumerate(component.controls):
            if component.bo == place.bo.id and control.bind == old:
                steps.append(replaced("frontend", f"/components/{number}/controls/{position}/bind", old, new))
    return in_order(*steps)


def _paths(index: Index) -> Iterator[Draft]:
    taken = {(place.op.method, place.op.path) for place in index.all_ops()}
    for place in index.all_ops():
        segments = place.op.path.split("/")
        off = [segment for segment in segments if "_" in segment and not segment.startswith(("{", ":"))]
        if not off:
            continue
        path = "/".join(kebab(segment) if segment in off else segment for segment in segments)
        yield Draft(
            severity="minor",
            stage="backend",
            path=f"{place.path}/path",
            ref=place.op.id,
            text=_KEBAB,
            values={"segment": off[0]},
            expected=kebab(off[0]),
            patch=()
            if (place.op.method, path) in taken
            else replaced("backend", f"{place.path}/path", place.op.path, path),
        )
