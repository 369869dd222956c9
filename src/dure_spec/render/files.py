"""Writes everything a design gives into a folder; each file appears whole or not at all."""

import json
from collections.abc import Callable
from pathlib import Path

from dure.whole_file import READABLE_BY_ALL, write_whole
from dure_spec.artifacts import Artifacts
from dure_spec.artifacts.shared import Part
from dure_spec.derive.dbml import dbml_source
from dure_spec.derive.ddl import schema_sql
from dure_spec.derive.mermaid import er_diagram, navigation_flow, state_diagram
from dure_spec.derive.op_labels import language_of
from dure_spec.derive.openapi import openapi_document
from dure_spec.render.html import html_report
from dure_spec.render.markdown import markdown_documents
from dure_spec.render.view import build_view


def render(artifacts: Artifacts, folder: Path) -> tuple[str, ...]:
    """Write the files of all stages that exist and return their names in order.

    A file of an earlier call is replaced; files of stages that are missing now stay as they are.

    Raises:
        OSError: The folder cannot be made or written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    texts = documents(artifacts)
    for name, text in texts.items():
        write_whole(folder / name, text.encode(), mode=READABLE_BY_ALL)
    return tuple(texts)


def documents(artifacts: Artifacts) -> dict[str, str]:
    """Every file by name, without touching a disk."""
    view = build_view(artifacts)
    return {
        **_canonical(artifacts),
        **markdown_documents(view),
        **_sources(artifacts),
        "report.html": html_report(view),
    }


def canonical_json(part: Part) -> str:
    """The stored form of an artifact: names by alias, defaults left out, Hangul as it is."""
    value = part.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _canonical(artifacts: Artifacts) -> dict[str, str]:
    parts: dict[str, Part | None] = {
        "1_prd.json": artifacts.prd,
        "2_ia.json": artifacts.ia,
        "3_erd.json": artifacts.erd,
        "4_backend.json": artifacts.backend,
        "5_frontend.json": artifacts.frontend,
        "6_report.json": artifacts.report,
    }
    return {name: canonical_json(part) for name, part in parts.items() if part is not None}


def _sources(artifacts: Artifacts) -> dict[str, str]:
    """What other tools read."""
    prd, ia, erd = artifacts.prd, artifacts.ia, artifacts.erd
    makers: dict[str, tuple[object, Callable[[], str]]] = {
        "schema.sql": (erd, lambda: schema_sql(erd, "sqlite") if erd else ""),
        "schema.postgresql.sql": (erd, lambda: schema_sql(erd, "postgresql") if erd else ""),
        "openapi.json": (
            artifacts.backend,
            lambda: json.dumps(openapi_document(artifacts), ensure_ascii=False, indent=2) + "\n",
        ),
        "erd.mmd": (erd, lambda: er_diagram(erd, lang=language_of(artifacts))),
        "navigation.mmd": (ia, lambda: navigation_flow(ia)),
        "states.mmd": (prd and prd.states, lambda: state_diagram(prd.states, prd.reqs) if prd else ""),
        "schema.dbml": (erd, lambda: dbml_source(artifacts)),
    }
    return {name: make() for name, (held, make) in makers.items() if held}
