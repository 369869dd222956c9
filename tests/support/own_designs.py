"""Designs that the program makes of a sentence by itself, as if the model had answered nothing."""

from dure_spec.agents.accounts import with_accounts
from dure_spec.agents.ba_decisions import Decisions
from dure_spec.agents.ba_prd import assemble
from dure_spec.agents.dba_finish import finished
from dure_spec.agents.dba_plan import plan_tables
from dure_spec.artifacts import Artifacts, Erd
from dure_spec.artifacts.erd import Meta
from dure_spec.artifacts.shared import Language
from dure_spec.derive.propose_backend import propose_backend
from dure_spec.derive.propose_frontend import propose_frontend
from dure_spec.derive.propose_ia import propose_ia
from dure_spec.intake import screen
from dure_spec.patterns import propose
from dure_spec.wire.ddl_erd import parse_ddl


def own_design(sentence: str, lang: Language | None = None) -> Artifacts | None:
    """All artifacts; nothing where the sentence is refused or asks for nothing that is known."""
    intake = screen(sentence, lang=lang)
    if intake.verdict == "refused":
        return None
    proposal = with_accounts(propose(intake.sentence), intake)
    prd = assemble(intake, proposal, Decisions())
    if not prd.reqs:
        return None
    plan = plan_tables(prd, proposal)
    sql = "\n".join(planned.sql() for planned in plan)
    bare = Erd(meta=Meta(dialect="postgresql", pk="bigint identity", audit=()), tables=(), relations=())
    erd = finished(parse_ddl(sql, prd).artifact, prd, plan) if plan else bare
    ia = propose_ia(prd)
    backend = propose_backend(prd, ia, erd)
    return Artifacts(prd=prd, ia=ia, erd=erd, backend=backend, frontend=propose_frontend(prd, ia, erd, backend))
