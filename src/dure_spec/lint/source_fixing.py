"""A corrected DDL text: what the program can repair, written into the text, and judged again before it is believed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dure_spec.artifacts import Artifacts
from dure_spec.artifacts.findings import Finding, Fix, Judgement
from dure_spec.autofix.likeness import brought, hidden, key_of, may_be_hidden
from dure_spec.autofix.rounds import autofix
from dure_spec.lint.config import LintOptions
from dure_spec.lint.ignoring import waiver_of
from dure_spec.lint.reading import read_source
from dure_spec.lint.rewriting import rewritten
from dure_spec.lint.rows import breaking
from dure_spec.lint.source import SourceSchema
from dure_spec.validators.gate import judge
from dure_spec.validators.policy import Policy


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedSource:
    """The text after all repairs that held."""

    source: SourceSchema
    fixes: tuple[Fix, ...] = ()
    notes: tuple[str, ...] = ()


def fixed_source(source: SourceSchema, options: LintOptions) -> FixedSource:
    """Repair what can be; a repair whose text reads worse than before is left out.

    All together first; where that does harm, one validator's repairs after the other.
    """
    policy = options.policy(sourced=True, dialect=source.dialect)
    before = judge(Artifacts(erd=source.erd), "dba", policy)
    policy = replace(policy, waivers=options.ignore.waivers(before.findings))
    closed = breaking(before.findings, source.text, source.dialect)
    fixable = [finding for finding in before.findings if finding.fixable and finding not in closed]
    if not fixable:
        return FixedSource(source=source, notes=_told(closed))
    whole = _attempt(source, before, policy, closed)
    if whole is not None:
        return replace(whole, notes=(*whole.notes, *_told(closed)))
    best, left_out = FixedSource(source=source), {finding.validator for finding in fixable}
    for validator in sorted(left_out):
        others = [finding for finding in fixable if finding.validator in left_out - {validator}]
        attempt = _attempt(source, before, policy, (*others, *closed))
        if attempt is not None:
            best, left_out = attempt, left_out - {validator}
    note = f"{', '.join(sorted(left_out))}: repairs left out, the text would read worse"
    return replace(best, notes=(*best.notes, *_told(closed), note))


def _told(closed: Sequence[Finding]) -> tuple[str, ...]:
    """Why columns were not added."""
    tables = dict.fromkeys(finding.ref for finding in closed)
    return tuple(f"{table}: no column added, its rows are inserted without naming the columns" for table in tables)


def _attempt(
    source: SourceSchema, before: Judgement, policy: Policy, left_out: Sequence[Finding]
) -> FixedSource | None:
    """The repairs without those of some findings; `None` where the text has a finding that was not there."""
    waivers = (*policy.waivers, *(waiver_of(finding, by="-") for finding in left_out))
    spared = {(waiver.validator, waiver.ref, waiver.message) for waiver in waivers}
    marked = tuple(
        finding.model_copy(update={"waived_by": "-"})
        if (finding.validator, finding.ref, finding.message) in spared
        else finding
        for finding in before.findings
    )
    judgement = before.model_copy(update={"findings": marked})
    fixed = autofix(Artifacts(erd=source.erd), judgement, "all", replace(policy, waivers=waivers), stage="dba")
    erd = fixed.artifacts.erd
    if erd is None or not fixed.fixes:
        return FixedSource(source=source)
    rewrite = rewritten(source, erd)
    if rewrite.text == source.text:
        return FixedSource(source=source, notes=rewrite.notes)
    again = read_source(rewrite.text, source.dialect)
    again = replace(again, guessed=source.guessed)
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
