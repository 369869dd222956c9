"""One DDL text judged: the validators of tables, its syntax, and its own engine where that can be had."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dure_spec.artifacts import Artifacts
from dure_spec.artifacts.erd import Erd
from dure_spec.artifacts.findings import Finding
from dure_spec.engines.engine import EngineAway, Refusal
from dure_spec.engines.scripts import try_script
from dure_spec.lint.config import LintOptions
from dure_spec.lint.positions import Region, SourcePlaces
from dure_spec.lint.report import Judged, LintFinding, Place, in_order
from dure_spec.lint.rows import ClosedTables
from dure_spec.lint.source import SourceSchema, SyntaxFault
from dure_spec.validators.gate import judge
from dure_spec.validators.score import score_of, size_of

_log = logging.getLogger(__name__)
_ENGINE = "V12"
_ENGINE_NAME = "DdlExecution"
_LOST_TABLE = "V07"
_SHOWN = 300
_CUT = "the file breaks off in the middle of this statement, so nothing else is judged; lint the whole file"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFindings:
    """All findings of a text; `lines` has those that stand at a line of it and at no part of the schema."""

    findings: tuple[Finding, ...]
    lines: Mapping[str, int]
    """Line by number of the finding."""


def findings_of(source: SourceSchema, options: LintOptions) -> SourceFindings:
    """What is wrong with the text; an engine is asked only where nothing else is critical."""
    cut = next((fault for fault in source.faults if fault.cut), None)
    if cut is not None:
        return _broken_off(cut, options)
    policy = options.policy(sourced=True, dialect=source.dialect)
    found = options.ignore.marked(judge(Artifacts(erd=source.erd), "dba", policy).findings)
    engine = [finding for finding in found if finding.validator == _ENGINE]
    faults = [(fault.line, fault.table, fault.message) for fault in source.faults]
    if not faults and not any(finding.severity == "critical" and finding.weighs for finding in found):
        faults = [(line, "", _said(refusal)) for line, refusal in _refusals(source, options)]
    lines: dict[str, int] = {}
    extra: list[Finding] = []
    for number, (line, table, message) in enumerate(faults, len(engine) + 1):
        finding = _fault(number, table or f"line {line}", message)
        extra.append(finding)
        lines[finding.id] = line
    lost = {table.lower(): finding.id for (_, table, _), finding in zip(faults, extra, strict=True) if table}
    unread = extra[0].id if source.faults else ""
    followed = (_following(source.erd, finding, lost, unread) for finding in found)
    return SourceFindings(findings=(*followed, *options.ignore.marked(extra)), lines=lines)


def _broken_off(cut: SyntaxFault, options: LintOptions) -> SourceFindings:
    """The end of half a file: whatever else could be said of it, the missing half may answer."""
    finding = _fault(1, cut.table or f"line {cut.line}", _CUT)
    return SourceFindings(findings=options.ignore.marked([finding]), lines={finding.id: cut.line})


def judged_source(name: str, source: SourceSchema, options: LintOptions) -> Judged:
    """One file's findings at their places, and its score."""
    found = findings_of(source, options)
    places = SourcePlaces(source)
    closed = ClosedTables(source.text, source.dialect)
    told: list[LintFinding] = []
    for finding in found.findings:
        if finding.waived_by is None:
            line = found.lines.get(finding.id)
            region = Region.of_line(line) if line is not None else places.region(finding.path)
            told.append(as_told(finding, Place(file=name, region=region), fixable=not closed.refuse(finding)))
    return Judged(
        files=(name,),
        kind="schema",
        dialect=source.dialect,
        guessed=source.guessed,
        items=len(source.erd.tables),
        score=score_of(found.findings, size_of(Artifacts(erd=source.erd), "dba")),
        findings=in_order(told),
        ignored=len(found.findings) - len(told),
    )


def as_told(finding: Finding, place: Place, *, fixable: bool = True) -> LintFinding:
    """A validator's finding at its place in a file."""
    return LintFinding(
        number=finding.id,
        rule=finding.validator,
        name=finding.name,
        severity=finding.severity,
        place=place,
        ref=finding.ref,
        message=finding.message,
        expected=finding.expected,
        candidates=finding.candidates,
        caused_by=finding.caused_by,
        fixable=fixable and finding.fixable and finding.weighs,
    )


def _fault(number: int, ref: str, message: str) -> Finding:
    return Finding(
        id=f"{_ENGINE}-{number}",
        validator=_ENGINE,
        name=_ENGINE_NAME,
        severity="critical",
        stage="dba",
        path="",
        ref=ref,
        message=message,
    )


def _refusals(source: SourceSchema, options: LintOptions) -> Sequence[tuple[int, Refusal]]:
    """What the engine of the text's own dialect says: SQLite always, PostgreSQL where a server is named."""
    if source.dialect == "sqlite":
        return try_script(source.text)
    if source.dialect == "postgresql" and options.postgresql is not None:
        try:
            return try_script(source.text, url=options.postgresql)
        except EngineAway as error:
            _log.warning("%s; the schema was not tried", error)
    return ()


def _said(refusal: Refusal) -> str:
    state = f" ({refusal.sqlstate})" if refusal.sqlstate else ""
    sql = " ".join(refusal.statement.split())
    return f"{refusal.message}{state} — {sql if len(sql) <= _SHOWN else sql[:_SHOWN] + '…'}"


def _following(erd: Erd, finding: Finding, lost: Mapping[str, str], unread: str) -> Finding:
    """The finding, caused by a statement that could not be read where that may be what it misses."""
    if finding.caused_by is not None:
        return finding
    if finding.validator == _LOST_TABLE:
        cause = next((lost[name] for name in _targets(erd, finding.path) if name in lost), None)
    else:
        cause = unread if _is_orphan(finding) else None
    return finding.model_copy(update={"caused_by": cause}) if cause else finding


def _is_orphan(finding: Finding) -> bool:
    """Whether it says that a table is connected with nothing."""
    whole = finding.path.count("/") == 2 and "~" not in finding.ref
    return finding.validator == "V11" and finding.severity == "major" and whole


def _targets(erd: Erd, path: str) -> Iterator[str]:
    """The table that the reference at a pointer goes to, in lower case."""
    match path.split("/"):
        case ["", "tables", table, "columns", column, "fk", *_]:
            fk = erd.tables[int(table)].columns[int(column)].fk or ""
            yield fk.rpartition(".")[0].lower()
        case ["", "tables", table, "refs", number, *_]:
            yield erd.tables[int(table)].refs[int(number)].table.lower()
        case _:
            return
