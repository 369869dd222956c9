"""Drawings: boxes apart, lines that reach their boxes without passing through others."""

import re
from itertools import pairwise

from dure_spec.artifacts import Artifacts
from dure_spec.artifacts.erd import Column, Erd, Meta, Table
from dure_spec.artifacts.ia import Ia, Screen
from dure_spec.artifacts.prd import StateMachine
from dure_spec.render.drawing import erd_svg, navigation_svg, states_svg
from dure_spec.render.drawing.graph import Box, Drawing, Link, Point
from dure_spec.render.drawing.layout import layout


def box(name: str, height: float = 100.0) -> Box:
    return Box(id=name, width=200.0, height=height)


def link(start: str, end: str, start_port: float = 20.0, end_port: float = 40.0) -> Link:
    return Link(start=start, end=end, start_port=start_port, end_port=end_port)


def shop() -> tuple[list[Box], list[Link]]:
    """Fifteen boxes as of a shop: a hub with many children, long lines, a circle, and two alone."""
    names = "user role product category order item payment shipment log review cart coupon stock memo setting".split()
    pairs = (
        "user-order role-user category-product product-item order-item order-payment order-shipment order-log "
        "user-log user-review product-review user-cart product-cart coupon-order product-stock log-user"
    )
    ends = [pair.split("-") for pair in pairs.split()]
    links = [link(start, end, end_port=30.0 + 17 * place % 60) for place, (start, end) in enumerate(ends)]
    return [box(name, 90.0 + 37 * place % 130) for place, name in enumerate(names)], links


def overlaps(drawing: Drawing, boxes: list[Box]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for place, a in enumerate(boxes):
        ax, ay = drawing.corners[a.id]
        for b in boxes[place + 1 :]:
            bx, by = drawing.corners[b.id]
            if ax < bx + b.width and bx < ax + a.width and ay < by + b.height and by < ay + a.height:
                found.append((a.id, b.id))
    return found


def crosses(start: Point, end: Point, low: Point, high: Point) -> bool:
    """Whether a piece of a line, which runs level or upright, comes inside a rectangle."""
    return (
        max(start[0], end[0]) > low[0]
        and min(start[0], end[0]) < high[0]
        and max(start[1], end[1]) > low[1]
        and min(start[1], end[1]) < high[1]
    )


def pierced(drawing: Drawing, boxes: list[Box]) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    for index, points in enumerate(drawing.paths):
        for each in boxes:
            x, y = drawing.corners[each.id]
            far = (x + each.width, y + each.height)
            if any(crosses(start, end, (x, y), far) for start, end in pairwise(points)):
                found.append((index, each.id))
    return found


def test_fifteen_boxes_stand_apart_and_no_line_passes_through_one() -> None:
    boxes, links = shop()
    drawing = layout(boxes, links, max_height=600.0)
    assert overlaps(drawing, boxes) == []
    assert pierced(drawing, boxes) == []


def test_lines_are_right_angled_and_join_their_boxes() -> None:
    boxes, links = shop()
    drawing = layout(boxes, links, max_height=600.0)
    sizes = {each.id: each for each in boxes}
    for each, points in zip(links, drawing.paths, strict=True):
        for (x1, y1), (x2, y2) in pairwise(points):
            assert x1 == x2 or abs(y1 - y2) < 1.0
        for name, (x, y) in ((each.start, points[0]), (each.end, points[-1])):
            left, top = drawing.corners[name]
            assert x in (left, left + sizes[name].width)
            assert top <= y <= top + sizes[name].height


def test_columns_stay_below_the_allowed_height() -> None:
    boxes = [box("hub"), *(box(f"child{place}") for place in range(12))]
    links = [link("hub", f"child{place}") for place in range(12)]
    drawing = layout(boxes, links, max_height=520.0)
    lefts = [drawing.corners[f"child{place}"][0] for place in range(12)]
    assert max(lefts.count(left) for left in lefts) <= 4
    assert pierced(drawing, boxes) == []


def test_same_input_gives_the_same_drawing() -> None:
    boxes, links = shop()
    assert layout(boxes, links, max_height=600.0) == layout(boxes, links, max_height=600.0)


def test_circle_and_line_to_itself_are_laid_out() -> None:
    drawing = layout([box("a"), box("b")], [link("a", "b"), link("b", "a"), link("a", "a")], max_height=500.0)
    assert [bool(points) for points in drawing.paths] == [True, True, False]
    assert drawing.paths[1][0][0] > drawing.paths[1][-1][0]


def test_nothing_to_draw_is_an_empty_drawing() -> None:
    assert layout([], [], max_height=100.0) == Drawing(corners={}, paths=(), width=0.0, height=0.0)
    empty = Erd(meta=Meta(dialect="sqlite", pk="x", audit=()), tables=(), relations=())
    assert erd_svg(empty, title="x") == ""
    assert navigation_svg(Ia(menu=(), screens=()), title="x", types={}) == ""
    assert states_svg(StateMachine(entity="x", values=(), transitions=()), title="x", requirements={}) == ""


def test_erd_draws_every_table_key_and_relation(gold: Artifacts) -> None:
    assert gold.erd is not None
    source = erd_svg(gold.erd, title="ERD")
    keys = [column for table in gold.erd.tables for column in table.columns if column.fk]
    assert source.count('class="relation"') == len(keys)
    assert source.count(">PK</text>") == len(gold.erd.tables)
    assert source.count(">FK</text>") == len(keys)
    for text in ("purchase_orders", "주문항목", "numeric(14,2)", "사업자등록번호"):
        assert f">{text}</text>" in source


def test_table_that_refers_to_itself_has_a_loop_and_a_wide_one_is_cut() -> None:
    columns = (
        Column(name="id", logical="ID", type="bigint", pk=True),
        *(Column(name=f"c{place}", logical="값", type="text") for place in range(30)),
        Column(name="parent_id", logical="상위", type="bigint", fk="nodes.id", null=True),
    )
    table = Table(name="nodes", logical="마디", kind="entity", reqs=(), columns=columns)
    source = erd_svg(Erd(meta=Meta(dialect="sqlite", pk="x", audit=()), tables=(table,), relations=()), title="x")
    assert 'class="edge optional"' in source
    assert ">parent_id</text>" in source
    assert "… +16" in source


def test_two_way_navigation_is_one_line_with_two_heads() -> None:
    def screen(name: str, *links: str) -> Screen:
        return Screen(
            id=name, name=name, route="/x", type="list", roles=("A1",), reqs=("FR-001",), actions=(), links=links
        )

    ia = Ia(menu=(), screens=(screen("SC-001", "SC-002", "SC-404"), screen("SC-002", "SC-001", "SC-002")))
    source = navigation_svg(ia, title="x", types={})
    assert source.count('class="edge"') == 1
    assert source.count('class="arrow"') == 2


def test_states_name_the_requirement_of_each_transition(gold: Artifacts) -> None:
    assert gold.prd is not None
    machine = gold.prd.states[0].model_copy(
        update={"transitions": (("A", "A", "FR-001"), ("A", "B", "FR-006"), ("A",))}
    )
    source = states_svg(machine, title="x", requirements={"FR-006": "주문 취소"})
    assert "FR-006 주문 취소" in source
    assert re.search(r'href="#FR-006"', source)
    assert source.count('class="arrow"') == 3
