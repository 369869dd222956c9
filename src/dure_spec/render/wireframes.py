"""Screens as they will look: components with their controls, filled with sample rows where a schema exists."""

from collections.abc import Sequence
from dataclasses import dataclass

from dure_spec.artifacts import Artifacts
from dure_spec.artifacts.backend import Attribute, Bo
from dure_spec.artifacts.erd import Column
from dure_spec.artifacts.frontend import Component, Control
from dure_spec.artifacts.ia import Screen
from dure_spec.derive.op_labels import language_of
from dure_spec.render.operations import columns_of
from dure_spec.render.samples import ROWS, Samples


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A small table: heads and rows of text."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Widget:
    """A control with what stands in it."""

    control: Control
    sample: str
    options: tuple[str, ...] = ()
    lines: Grid | None = None
    numeric: bool = False
    """It holds an amount, not the name of something else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """A component of a screen."""

    component: Component
    title: str
    widgets: tuple[Widget, ...]
    buttons: tuple[Control, ...]
    """The main one is last where buttons stand at the end of a form."""
    primary: Control | None
    grid: Grid


@dataclass(frozen=True, slots=True, kw_only=True)
class Sketch:
    """A screen with its panels; a screen without components shows its planned actions."""

    screen: Screen
    panels: tuple[Panel, ...]


def sketches(artifacts: Artifacts) -> tuple[Sketch, ...]:
    """All screens in the order of the menu artifact; none without one."""
    if artifacts.ia is None:
        return ()
    maker = _Maker(artifacts)
    components = artifacts.frontend.components if artifacts.frontend else ()
    return tuple(
        Sketch(
            screen=screen,
            panels=tuple(
                maker.panel(each, existing=":" in screen.route) for each in components if each.screen == screen.id
            ),
        )
        for screen in artifacts.ia.screens
    )


class _Maker:
    """Fills controls from the samples of the tables behind them."""

    def __init__(self, artifacts: Artifacts) -> None:
        self._bos = {bo.id: bo for bo in (artifacts.backend.bos if artifacts.backend else ())}
        self._columns = columns_of(artifacts)
        self._kinds = {op.id: op.kind for bo in self._bos.values() for op in bo.ops}
        self._samples = Samples(artifacts.erd, lang=language_of(artifacts))

    def panel(self, component: Component, *, existing: bool) -> Panel:
        """One component; `existing` when its screen shows one record that is there already."""
        bo = self._bos.get(component.bo)
        fields = [control for control in component.controls if control.kind != "button"]
        buttons = [control for control in component.controls if control.kind == "button"]
        primary = self._primary(buttons, existing=existing)
        return Panel(
            component=component,
            title=bo.name if bo else component.id,
            widgets=tuple(self._widget(control, bo) for control in fields),
            buttons=tuple(sorted(buttons, key=lambda each: (each is primary, each.call is not None))),
            primary=primary,
            grid=Grid(
                heads=tuple(control.label for control in fields),
                rows=tuple(
                    tuple(self._value(control, bo, row) for control in fields) for row in range(self._height(bo))
                ),
            ),
        )

    def _primary(self, buttons: Sequence[Control], *, existing: bool) -> Control | None:
        """The button that does what the component is for; without calls the first one."""
        calls = [each for each in buttons if each.call]
        wanted = ("update", "login") if existing else ("create", "login")
        fitting = [each for each in calls if self._kinds.get(each.call or "") in wanted]
        return next(iter((*fitting, *calls, *buttons)), None)

    def _height(self, bo: Bo | None) -> int:
        return (self._samples.count(bo.table) if bo else 0) or ROWS

    def _widget(self, control: Control, bo: Bo | None) -> Widget:
        attr = _attribute(control, bo)
        column = self._column(attr)
        options = column.enum if column and column.enum and control.kind in ("select", "radio") else ()
        lines = self._lines(attr) if control.kind == "lines" else None
        return Widget(
            control=control,
            sample=self._value(control, bo, 0),
            options=options or (),
            lines=lines,
            numeric=control.kind in ("money", "number") and not (column and column.fk),
        )

    def _value(self, control: Control, bo: Bo | None, row: int) -> str:
        attr = _attribute(control, bo)
        column = self._column(attr)
        if attr is None or column is None or control.kind == "password":
            return ""
        table = (attr.col or attr.join or "").rpartition(".")[0]
        return self._samples.value(table, column, row, kind=control.kind)

    def _lines(self, attr: Attribute | None) -> Grid | None:
        child = self._bos.get((attr.type or "").removesuffix("[]")) if attr else None
        if child is None:
            return None
        shown = [column for each in child.attrs if not each.ro and (column := self._column(each))]
        count = min(2, self._samples.count(child.table))
        return Grid(
            heads=tuple(self._samples.head(column) for column in shown),
            rows=tuple(
                tuple(self._samples.value(child.table, column, row, kind="text") for column in shown)
                for row in range(count)
            ),
        )

    def _column(self, attr: Attribute | None) -> Column | None:
        return self._columns.get(attr.col or attr.join or "") if attr else None


def _attribute(control: Control, bo: Bo | None) -> Attribute | None:
    return next((attr for attr in bo.attrs if attr.name == control.bind), None) if bo else None
