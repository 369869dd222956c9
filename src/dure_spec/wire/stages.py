"""The wire formats by stage: write some items of an artifact, and read replacements for them."""

from collections.abc import Iterable

from dure_spec.artifacts import Artifacts, Backend, Erd, Frontend, Ia, Part, Prd
from dure_spec.artifacts.shared import Language
from dure_spec.derive.ddl import create_statements
from dure_spec.wire import backend, erd, frontend, ia, prd
from dure_spec.wire.ddl_erd import parse_ddl
from dure_spec.wire.parsed import Parsed


def items(artifact: Part, ids: Iterable[str], upstream: Artifacts, *, as_sql: bool = False) -> str:
    """The named items in wire form; nothing for an artifact that has no wire form.

    `as_sql` writes tables as CREATE TABLE, which small models read better than lines of our own.
    """
    wanted = frozenset(ids)
    if as_sql and isinstance(artifact, Erd):
        names = {name.partition(".")[0] for name in wanted}
        tables = tuple(table for table in artifact.tables if table.name in names)
        part = artifact.model_copy(update={"tables": tables, "relations": ()})
        return "\n".join(statement for statement in create_statements(part, "sqlite") if "CREATE TABLE" in statement)
    match artifact:
        case Prd():
            return prd.items(artifact, wanted)
        case Ia():
            return ia.items(artifact, wanted)
        case Erd():
            return erd.items(artifact, wanted)
        case Backend() if upstream.erd:
            return backend.items(artifact, upstream.erd, wanted)
        case Frontend() if upstream.erd and upstream.backend:
            return frontend.items(artifact, upstream.erd, upstream.backend, wanted)
        case _:
            return ""


def patch(artifact: Part, text: str, upstream: Artifacts) -> Parsed[Part]:
    """The artifact with the replacements in `text` taken in."""
    lang: Language = upstream.prd.project.lang if upstream.prd else "ko"
    match artifact:
        case Prd():
            return prd.patch(artifact, text)
        case Ia():
            return ia.patch(artifact, text, upstream.prd)
        case Erd():
            return _patch_erd(artifact, text, upstream)
        case Backend() if upstream.erd:
            return backend.patch(artifact, text, upstream.erd)
        case Frontend() if upstream.erd and upstream.backend:
            return frontend.patch(artifact, text, upstream.erd, upstream.backend, lang=lang)
        case _:
            return Parsed(artifact=artifact)


def _patch_erd(artifact: Erd, text: str, upstream: Artifacts) -> Parsed[Erd]:
    """Replacement tables as lines, or as SQL where the model fell back to it."""
    if "create table" not in text.lower() or upstream.prd is None:
        return erd.patch(artifact, text, upstream.prd)
    parsed = parse_ddl(text, upstream.prd)
    lines = erd.write(parsed.artifact) if parsed.artifact.tables else ""
    return Parsed(artifact=erd.patch(artifact, lines, upstream.prd).artifact, faults=parsed.faults)
