"""A corrected DDL text: what the program can repair, written into the text, and judged again before it is believed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from dure_spec.artifacts import Artifacts
from dure_spec.artifacts.findings import Finding, Fix, Judgement
from dure_spec.autofix.likeness import brought, hidden, key_of, may_be_hidden
from dure_spec.autofix.rounds import autofix
from dure_spec.lint.config import LintOptions
from dure_spec.lint.reading import read_source
from dure_spec.lint.rewriting import rewritten
from dure_spec.lint.rows import ClosedTables
from dure_spec.lint.source import SourceSchema
from dure_spec.validators.gate import judge
from dure_spec.validators.policy import Policy

_Spare = Callable[[Finding], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedSource:
    """The text after all repairs that held."""

    source: SourceSchema
    fixes: tuple[Fix, ...] = ()
    notes: tuple[str, ...] = ()


def fixed_source(source: SourceSchema, options: LintOptions) -> FixedSource:
    """Repair what can be and is not ignored; a repair whose text reads worse than before is left out.

    All together first; where that does harm, one validator's repairs after the other.
    """
    policy = options.policy(sourced=True, dialect=source.dialect)
    before = judge(Artifacts(erd=source.erd), "dba", policy)
    closed = ClosedTables(source.text, source.dialect)

    def spare(finding: Finding) -> bool:
        return options.ignore.covers(finding) or closed.refuse(finding)

    fixable = {finding.validator for finding in before.findings if finding.fixable and not spare(finding)}
    told = _told([finding for finding in before.findings if finding.weighs and closed.refuse(finding)])
    if not fixable:
        return FixedSource(source=source, notes=told)
    whole = _attempt(source, before, policy, spare)
    if whole is not None:
        return replace(whole, notes=(*whole.notes, *told))
    best, left_out = _one_by_one(source, before, policy, spare, fixable)
    note = f"{', '.join(sorted(left_out))}: repairs left out, the text would read worse"
    return replace(best, notes=(*best.notes, *told, note))


def _one_by_one(
    source: SourceSchema, before: Judgement, policy: Policy, spare: _Spare, validators: set[str]
) -> tuple[FixedSource, set[str]]:
    """The repairs of as many validators as do no harm together, and those of which none are made."""
    best, kept = FixedSource(source=source), set[str]()
    for validator in sorted(validators):
        chosen = {*kept, validator}
        attempt = _attempt(
            source,
            before,
            policy,
            lambda finding, chosen=chosen: finding.validator not in chosen or spare(finding),
        )
        if attempt is not None:
            best, kept = attempt, chosen
    return best, validators - kept


def _told(closed: Sequence[Finding]) -> tuple[str, ...]:
    """Why columns were not added."""
    tables = dict.fromkeys(finding.ref for finding in closed)
    return tuple(f"{table}: no column added, its rows are inserted without naming the columns" for table in tables)


def _attempt(source: SourceSchema, before: Judgement, policy: Policy, spare: _Spare) -> FixedSource | None:
    """The repairs but those that are spared; `None` where the text then has a finding that was not there."""
    fixed = autofix(Artifacts(erd=source.erd), before, "all", policy, stage="dba", spare=spare)
    erd = fixed.artifacts.erd
    if erd is None or not fixed.fixes:
        return FixedSource(source=source)
    rewrite = rewritten(source, erd)
    if rewrite.text == source.text:
        return FixedSource(source=source, notes=rewrite.notes)
    again = replace(read_source(rewrite.text, source.dialect), guessed=source.guessed)
    after = judge(Artifacts(erd=again.erd), "dba", policy)
    left = {key_of(finding) for finding in after.findings}
    keys = {(fix.stage, fix.validator, fix.severity, fix.ref) for fix in fixed.fixes}
    gone = [finding for finding in before.findings if key_of(finding) in keys - left]
    if len(again.faults) > len(source.faults) or _worse(source, before, gone, after, policy):
        return None
    done = tuple(fix for fix in fixed.fixes if (fix.stage, fix.validator, fix.severity, fix.ref) not in left)
    return FixedSource(source=again, fixes=done, notes=rewrite.notes)


def _worse(source: SourceSchema, before: Judgement, gone: Sequence[Finding], after: Judgement, policy: Policy) -> bool:
    """Whether something is found that was not there, be it only unsaid."""
    new = brought(before, gone, after)
    if not new or not all(map(may_be_hidden, new)):
        return bool(new)
    known = hidden(Artifacts(erd=source.erd), policy)
    return any(key_of(finding) not in known for finding in new)
