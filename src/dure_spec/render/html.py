"""`report.html`: the whole design as one page that opens offline and can load nothing."""

from base64 import b64encode
from hashlib import sha256
from importlib.resources import files

from markupsafe import Markup

from dure_spec.artifacts.frontend import Component
from dure_spec.artifacts.prd import Prd
from dure_spec.render.drawing import erd_svg, navigation_svg, states_svg
from dure_spec.render.templating import html_environment, linked, wording
from dure_spec.render.view import View


def html_report(view: View) -> str:
    """Write the page; stages that are missing have no section.

    Scripts and styles are allowed by their hashes alone, so markup that came in with a name could not run even if it
    were not escaped.
    """
    css, script = _asset("style.css"), _asset("script.js")
    screens = view.artifacts.ia.screens if view.artifacts.ia else ()
    areas = {screen.id: screen.route.strip("/").split("/")[0] for screen in screens}

    def link_ids(text: str) -> Markup:
        return linked(text, view.known)

    def same_area(one: str, other: str) -> bool:
        return areas.get(one, one) == areas.get(other, other)

    return (
        html_environment()
        .get_template("html/report.html.j2")
        .render(
            v=view,
            **wording(view),
            css=Markup(css),
            script=Markup(script),
            policy=_policy(css, script),
            sections=_sections(view),
            linked=link_ids,
            ops_of=component_ops,
            sketched={panel.component.id for sketch in view.sketches for panel in sketch.panels},
            row_screens={screen.id for screen in screens if ":" in screen.route},
            same_area=same_area,
            **_drawings(view),
        )
    )


def _policy(css: str, script: str) -> str:
    allowed = f"style-src {_hash(css)}; script-src {_hash(script)}"
    return f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"


def _drawings(view: View) -> dict[str, object]:
    artifacts, words = view.artifacts, view.words
    types = {key.removeprefix("screentype."): word for key, word in words.items() if key.startswith("screentype.")}
    ia, erd, prd = artifacts.ia, artifacts.erd, artifacts.prd
    return {
        "navigation": navigation_svg(ia, title=words["label.navigation"], types=types) if ia else "",
        "erd_drawing": erd_svg(erd, title=words["label.erd"]) if erd else "",
        "state_drawings": _state_drawings(prd, words["label.states"]) if prd else [],
    }


def component_ops(component: Component) -> tuple[str, ...]:
    """The operations that a component calls, its source first."""
    calls = [component.source, *(call for each in component.controls for call in (each.source, each.call))]
    return tuple(dict.fromkeys(call for call in calls if call))


def _sections(view: View) -> list[str]:
    artifacts, report = view.artifacts, view.artifacts.report
    there = {
        "overview": report,
        "requirements": artifacts.prd,
        "screens": artifacts.ia and artifacts.ia.screens,
        "data": artifacts.erd and artifacts.erd.tables,
        "states": artifacts.prd and artifacts.prd.states,
        "api": view.groups,
        "permissions": view.people and (view.groups or artifacts.ia),
        "frontend": artifacts.frontend and artifacts.frontend.components,
        "trace": view.trace,
        "stages": report and report.stages,
        "open": view.open_questions or view.assumptions,
    }
    return [name for name, held in there.items() if held]


def _state_drawings(prd: Prd, title: str) -> list[tuple[str, Markup]]:
    requirements = {requirement.id: requirement.title for requirement in prd.reqs}
    return [
        (machine.entity, states_svg(machine, title=f"{machine.entity} {title}", requirements=requirements))
        for machine in prd.states
    ]


def _asset(name: str) -> str:
    return files("dure_spec.render").joinpath("templates", "html", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
