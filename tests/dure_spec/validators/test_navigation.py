"""Navigation, one change of the gold design at a time."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from dure_spec.artifacts import Artifacts, Ia
from dure_spec.artifacts.findings import Finding
from dure_spec.autofix.rounds import autofix
from dure_spec.validators import Policy, judge
from dure_spec.validators.routes import route_shape

Mutate = Callable[[str, list[dict[str, Any]]], Artifacts]
_Found = tuple[str, str, str]
_ENGLISH = Policy(lang="en")


def _set(path: str, value: object) -> dict[str, Any]:
    return {"op": "replace", "path": path, "value": value}


def _add(path: str, value: object) -> dict[str, Any]:
    return {"op": "add", "path": f"{path}/-", "value": value}


def _screen(**changes: object) -> dict[str, Any]:
    base = {"id": "SC-011", "name": "반품", "route": "/returns/:id", "type": "detail", "roles": ["A1", "A3"]}
    return {**base, "reqs": ["FR-002"], "actions": [], "links": ["SC-006"], **changes}


def _findings(artifacts: Artifacts) -> list[Finding]:
    return [each for each in judge(artifacts, "planner", _ENGLISH).findings if each.validator == "V03"]


def _roots(artifacts: Artifacts) -> list[_Found]:
    return [(each.severity, each.path, each.ref) for each in _findings(artifacts) if each.caused_by is None]


_FAULTS: dict[str, tuple[list[dict[str, Any]], _Found]] = {
    "parameter of another name": (
        [_set("/screens/5/route", "/products/:pid")],
        ("critical", "/screens/7/route", "SC-009"),
    ),
    "braces for a parameter": (
        [_set("/screens/7/route", "/customers/{id}")],
        ("critical", "/screens/7/route", "SC-009"),
    ),
    "slash at the end": ([_set("/screens/6/route", "/customers/")], ("critical", "/screens/6/route", "SC-008")),
    "upper case": ([_set("/screens/6/route", "/Customers")], ("critical", "/screens/6/route", "SC-008")),
    "dead link": (
        [_set("/screens/2/links", ["SC-005", "SC-099"])],
        ("critical", "/screens/2/links/1", "SC-004:SC-099"),
    ),
    "role that nobody has": (
        [_set("/screens/4/roles", ["A1", "A3", "A9"])],
        ("critical", "/screens/4/roles/2", "SC-006:A9"),
    ),
    "role of the menu that nobody has": (
        [_set("/menu/3/roles", ["A2", "A7"])],
        ("critical", "/menu/3/roles/1", "M-4:A7"),
    ),
    "menu to nowhere": ([_set("/menu/2/screen", "SC-088")], ("critical", "/menu/2/screen", "M-3")),
    "two screens of one id": (
        [_add("/screens", _screen(id="SC-009")), _set("/screens/4/links", ["SC-007", "SC-009"])],
        ("critical", "/screens/9/id", "SC-009"),
    ),
    "two menu entries of one id": ([_set("/menu/3/id", "M-3")], ("critical", "/menu/3/id", "M-3")),
    "two flows of one id": (
        [_add("/flows", {"id": "FL-1", "name": "다시", "steps": ["SC-001", "SC-003"]})],
        ("critical", "/flows/1/id", "FL-1"),
    ),
    "parent that is no entry": ([_set("/menu/1/parent", "M-9")], ("critical", "/menu/1/parent", "M-2")),
    "entry under itself": ([_set("/menu/1/parent", "M-2")], ("critical", "/menu/1/parent", "M-2")),
    "step to nowhere": ([_set("/flows/0/steps/3", "SC-077")], ("critical", "/flows/0/steps/3", "FL-1")),
    "step that no link leads to": (
        [_set("/flows/0/steps", ["SC-001", "SC-003", "SC-007"])],
        ("minor", "/flows/0/steps/2", "FL-1"),
    ),
    "screen without a way to it": ([_set("/screens/6/links", [])], ("major", "/screens/7", "SC-009")),
    "dialog without a way to it": (
        [_add("/screens", _screen(type="modal", route="/customers/:id/notes"))],
        ("major", "/screens/9", "SC-011"),
    ),
    "screen that its role cannot get to": ([_set("/screens/7/roles", ["A2"])], ("major", "/screens/7", "SC-009")),
    "menu for whom the screen is closed": ([_set("/screens/6/roles", ["A1"])], ("major", "/menu/2/roles", "M-3")),
    "list that opens nothing": (
        [
            _add("/screens", _screen(type="list", route="/logs", reqs=["FR-007"], links=[])),
            _set("/screens/3/reqs", ["FR-005", "FR-006"]),
            _set("/screens/4/links", ["SC-007", "SC-011"]),
        ],
        ("minor", "/screens/9/links", "SC-011"),
    ),
}


@pytest.mark.parametrize("fault", _FAULTS)
def test_fault_of_the_navigation_is_found(fault: str, mutate: Mutate) -> None:
    patch, finding = _FAULTS[fault]
    roots = _roots(mutate("ia", patch))
    if fault == "menu for whom the screen is closed":  # and then its form is locked for the one who could use it
        roots = [root for root in roots if root[1] != "/screens/7"]
    assert roots == [finding]


_SOUND: dict[str, list[dict[str, Any]]] = {
    "fixed part beside a parameter": [_set("/screens/5/route", "/customers/edit")],
    "dialog over the page that opens it": [
        _add("/screens", _screen(type="modal", route="/customers/")),
        _set("/screens/4/links", ["SC-007", "SC-011"]),
    ],
    "dashboard that nobody links to": [_add("/screens", _screen(type="dashboard", route="/home"))],
    "root that nobody links to": [_add("/screens", _screen(type="report", route="/"))],
    "menu entry under another": [_set("/menu/1/parent", "M-1")],
    "step back to a screen of the flow": [_set("/flows/0/steps", ["SC-001", "SC-003", "SC-005", "SC-003"])],
    "step over a screen in between": [_set("/flows/0/steps", ["SC-003", "SC-004", "SC-003", "SC-005"])],
    "step that another person takes over": [
        _add("/screens", _screen(route="/stock/:id", roles=["A2"])),
        _set("/screens/8/links", ["SC-005", "SC-011"]),
        _set("/flows/0/steps", ["SC-001", "SC-003", "SC-004", "SC-011"]),
    ],
    "list that is changed in its place": [
        _add(
            "/screens",
            _screen(
                type="list", route="/codes", reqs=["FR-007"], links=[],
                actions=[{"kind": "create", "label": "추가", "req": "FR-007"}],
            ),
        ),
        _set("/screens/4/links", ["SC-007", "SC-011"]),
    ],
    "screen that is open to all": [_set("/screens/0/roles", [])],
    "link to itself": [_set("/screens/4/links", ["SC-006", "SC-007"])],
}  # fmt: skip


@pytest.mark.parametrize("shape", _SOUND)
def test_sound_navigation_is_not_flagged(shape: str, mutate: Mutate) -> None:
    assert _findings(mutate("ia", _SOUND[shape])) == []


def test_app_of_one_screen_needs_neither_menu_nor_links(gold: Artifacts) -> None:
    assert gold.ia is not None
    alone = gold.ia.screens[1].model_copy(update={"links": (), "actions": gold.ia.screens[2].actions})
    small = gold.model_copy(update={"ia": Ia(menu=(), screens=(alone,))})
    assert _findings(small) == []


def test_links_to_one_missing_screen_and_the_screen_they_mean_are_one_mistake(mutate: Mutate) -> None:
    judgement = judge(mutate("ia", [_set("/screens/7/id", "SC-019")]), "planner", _ENGLISH)
    dead, lost = judgement.findings
    assert (dead.ref, dead.severity, dead.expected) == ("SC-008:SC-009", "critical", "SC-019")
    assert (lost.ref, lost.caused_by) == ("SC-019", dead.id)
    assert judgement.score == 7.0


def test_what_only_a_lost_screen_leads_to_follows_from_it(mutate: Mutate) -> None:
    artifacts = mutate("ia", [{"op": "remove", "path": "/menu/1"}])
    first, second = _findings(artifacts)
    assert (first.ref, first.caused_by, second.ref, second.caused_by) == ("SC-006", None, "SC-007", first.id)
    assert "linked from: SC-007" in first.message


def test_missing_menu_entry_explains_the_screen_that_it_should_open(mutate: Mutate) -> None:
    judgement = judge(mutate("ia", [_set("/menu/2/screen", "SC-088")]), "planner", _ENGLISH)
    assert [finding.caused_by is None for finding in judgement.findings] == [True, False, False]
    assert judgement.score == 7.0


def test_lost_screen_names_the_screens_that_should_lead_to_it(mutate: Mutate) -> None:
    finding = _findings(mutate("ia", [_set("/screens/6/links", [])]))[0]
    assert finding.expected == "SC-008"


def test_taken_route_comes_with_a_free_one(mutate: Mutate) -> None:
    artifacts = mutate("ia", [_set("/screens/7/route", "/customers/:cid")])
    finding = _findings(artifacts)[0]
    assert finding.expected == "/products/:id"
    assert artifacts.ia is not None
    taken = {route_shape(screen.route) for screen in artifacts.ia.screens}
    assert all(route_shape(route) not in taken for route in finding.candidates)


def test_dead_link_goes_only_where_another_path_exists(mutate: Mutate) -> None:
    spare = mutate("ia", [_set("/screens/1/links", ["SC-099", "SC-004", "SC-005"])])
    fixed = autofix(spare, judge(spare, "planner"), "all", Policy(), stage="planner")
    assert fixed.judgement.findings == ()
    assert fixed.artifacts.ia is not None
    assert fixed.artifacts.ia.screens[1].links == ("SC-004", "SC-005")
    needed = mutate("ia", [_set("/screens/6/links", ["SC-099"])])
    assert autofix(needed, judge(needed, "planner"), "all", Policy(), stage="planner").fixes == ()


def test_a_thousand_screens_in_a_ring_are_one_mistake() -> None:
    screens = [
        _screen(id=f"SC-{number % 1000:03d}", route=f"/r{number}/:id", reqs=[], links=[f"SC-{(number + 1) % 1000:03d}"])
        for number in range(1000)
    ]
    home = _screen(id="SC-000", type="dashboard", route="/home", reqs=[], links=[])
    ia = Ia.model_validate_json(json.dumps({"menu": [], "screens": [home, *screens[1:]]}))
    findings = [each for each in judge(Artifacts(ia=ia), "planner").findings if each.validator == "V03"]
    assert len(findings) == 999
    assert [finding.ref for finding in findings if finding.caused_by is None] == ["SC-001"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/a/:id", "/a/{key}"),
        ("/a/[id]", "/a/:x"),
        ("/A/b/", "a//b"),
        ("/a/:id?", "/a/:id"),
        ("/a?tab=1", "/a#top"),
        ("", "/"),
    ],
)
def test_routes_of_one_shape_are_one_route(one: str, other: str) -> None:
    assert route_shape(one) == route_shape(other)


@pytest.mark.parametrize(("one", "other"), [("/a/:id", "/a/new"), ("/a", "/a/:id"), ("/a/:id/b", "/a/b/:id")])
def test_routes_of_two_shapes_are_two_routes(one: str, other: str) -> None:
    assert route_shape(one) != route_shape(other)
