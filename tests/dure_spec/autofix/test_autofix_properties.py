"""Whatever is wrong with a design: no repair makes anything worse, and doing it again does nothing."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mutated_gold import MUTATIONS, mutated

from dure_spec.artifacts import Artifacts, Stage
from dure_spec.autofix.likeness import may_be_hidden
from dure_spec.autofix.rounds import autofix
from dure_spec.config import Autofix
from dure_spec.validators import Policy, judge

POLICY = Policy()


def names_in(artifacts: Artifacts) -> set[str]:
    """Names of tables, columns, attributes, operations and components."""
    found = {table.name for table in artifacts.erd.tables} if artifacts.erd else set[str]()
    found |= {column.name for table in artifacts.erd.tables for column in table.columns} if artifacts.erd else set()
    if artifacts.backend:
        found |= {attribute.name for bo in artifacts.backend.bos for attribute in bo.attrs}
        found |= {op.id for bo in artifacts.backend.bos for op in bo.ops}
    if artifacts.frontend:
        found |= {component.id for component in artifacts.frontend.components}
    return found


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
@given(
    chosen=st.lists(st.integers(0, len(MUTATIONS) - 1), max_size=4, unique=True),
    renames=st.lists(st.tuples(st.integers(0, 7), st.integers(0, 9)), max_size=3, unique=True),
    stage=st.sampled_from(("ba", "planner", "dba", "backend", "frontend", "supervisor")),
    mode=st.sampled_from(("minor", "all")),
)
def test_no_repair_brings_a_finding_or_changes_a_name_that_no_finding_spoke_of(
    chosen: list[int], renames: list[tuple[int, int]], stage: Stage, mode: Autofix
) -> None:
    artifacts = mutated(chosen, renames, stage)
    if artifacts is None:
        return
    before = judge(artifacts, stage, POLICY)
    fixed = autofix(artifacts, before, mode, POLICY, stage=stage)

    assert fixed.judgement == judge(fixed.artifacts, stage, POLICY)
    assert fixed.judgement.score >= before.score
    told = [[each for each in one.findings if not may_be_hidden(each)] for one in (before, fixed.judgement)]
    assert len(told[1]) <= len(told[0]) - sum(fix.validator != "V12" for fix in fixed.fixes)
    if mode == "minor":
        assert {fix.severity for fix in fixed.fixes} <= {"minor"}
    gone = names_in(artifacts) - names_in(fixed.artifacts)
    said = " ".join(f"{fix.ref} {fix.message} {fix.done}" for fix in fixed.fixes)
    assert {name for name in gone if name not in said} == set()

    again = autofix(fixed.artifacts, fixed.judgement, mode, POLICY, stage=stage)
    assert again.fixes == ()
    assert again.artifacts == fixed.artifacts
