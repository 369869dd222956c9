"""The wire formats by stage: write some items of an artifact, and read replacements for them."""

from collections.abc import Iterable

from dure_spec.artifacts import Artifacts, Backend, Erd, Frontend, Ia, Part, Prd
from dure_spec.wire import backend, erd, frontend, ia, prd
from dure_spec.wire.ddl_erd import parse_ddl
from dure_spec.wire.parsed import Parsed


def items(artifact: Part, ids: Iterable[str]) -> str:
    """The named items in wire form; nothing for an artifact that has no wire form."""
    wanted = frozenset(ids)
    match artifact:
        case Prd():
            return prd.items(artifact, wanted)
        case Ia():
            return ia.items(artifact, wanted)
        case Erd():
            return erd.items(artifact, wanted)
        case Backend():
            return backend.items(artifact, wanted)
        case Frontend():
            return frontend.items(artifact, wanted)
        case _:
            return ""


def patch(artifact: Part, text: str, upstream: Artifacts) -> Parsed[Part]:
    """The artifact with the replacements in `text` taken in."""
    match artifact:
        case Prd():
            return widened(prd.patch(artifact, text))
        case Ia():
            return widened(ia.patch(artifact, text, upstream.prd))
        case Erd():
            return widened(_patch_erd(artifact, text, upstream))
        case Backend():
            return widened(backend.patch(artifact, text, upstream))
        case Frontend():
            return widened(frontend.patch(artifact, text, upstream))
        case _:
            return Parsed(artifact=artifact)
