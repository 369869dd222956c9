"""The readable documents, one a stage, in the language of the run."""

import re
from functools import partial

from dure_spec.derive.er_edges import er_edges
from dure_spec.derive.mermaid import er_diagram, navigation_flow
from dure_spec.render.html import component_ops
from dure_spec.render.templating import markdown_environment, wording
from dure_spec.render.view import View


def markdown_documents(view: View) -> dict[str, str]:
    """File names and texts of the stages that exist, and always `report.md`."""
    artifacts = view.artifacts
    there = {
        "prd.md": artifacts.prd,
        "ia.md": artifacts.ia,
        "erd.md": artifacts.erd,
        "backend.md": artifacts.backend,
        "frontend.md": artifacts.frontend,
        "report.md": view,
    }
    return {name: _document(view, name) for name, held in there.items() if held}


def _document(view: View, name: str) -> str:
    environment = markdown_environment().overlay()
    environment.filters = {**environment.filters, "name_of": partial(_name_of, view)}
    artifacts = view.artifacts
    text = environment.get_template(f"markdown/{name}.j2").render(
        v=view,
        **wording(view),
        ops_of=component_ops,
        navigation=navigation_flow(artifacts.ia).rstrip(),
        diagram=er_diagram(artifacts.erd, lang=view.lang).rstrip(),
        edges=er_edges(artifacts.erd) if artifacts.erd else (),
    )
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def _name_of(view: View, key: str) -> str:
    return view.words["doc.all_users"] if key == "*" else view.name(key)
