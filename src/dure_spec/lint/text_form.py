"""The report as lines for people: one for each finding, a summary for each schema."""

from collections.abc import Iterator, Mapping

from dure.console.render import one_line
from dure_spec.artifacts.findings import Severity
from dure_spec.artifacts.shared import Language
from dure_spec.lint.report import Judged, LintFinding, LintReport

_COLOURS: Mapping[Severity, str] = {"critical": "\x1b[1;31m", "major": "\x1b[33m", "minor": "\x1b[36m"}
_DIM, _BOLD, _OFF = "\x1b[2m", "\x1b[1m", "\x1b[0m"
_WORDS: Mapping[Language, Mapping[str, str]] = {
    "ko": {
        "schema": "테이블 {count}개, {dialect}{guessed}",
        "design": "산출물 {count}개",
        "guessed": "(추정)",
        "score": "점수 {score}",
        "counts": "심각 {critical}, 주요 {major}, 경미 {minor}",
        "caused": "그중 {count}건은 다른 지적에서 비롯됨",
        "ignored": "무시 {count}",
        "fixable": "--fix로 고칠 수 있는 것 {count}",
        "cause": "{line}행에서 비롯됨",
        "fixed": "고침",
        "note": "확인",
        "clean": "지적 없음",
    },
    "en": {
        "schema": "tables: {count}, {dialect}{guessed}",
        "design": "artifacts: {count}",
        "guessed": " (guessed)",
        "score": "score {score}",
        "counts": "{critical} critical, {major} major, {minor} minor",
        "caused": "{count} of them follow from others",
        "ignored": "{count} ignored",
        "fixable": "--fix can repair {count}",
        "cause": "follows from line {line}",
        "fixed": "fixed",
        "note": "look at",
        "clean": "nothing found",
    },
}


def text_lines(report: LintReport, *, lang: Language, colours: bool) -> Iterator[str]:
    """Everything but what could not be read."""
    for number, judged in enumerate(report.judged):
        if number:
            yield ""
        words = _WORDS[lang]
        for fix in judged.fixes:
            head = f"{judged.name}:  {words['fixed']} {fix.validator} "
            yield one_line(f"{head}{fix.ref}: {fix.done}")
        for note in judged.notes:
            yield one_line(f"{judged.name}:  {words['note']} {note}")
        lines = {finding.number: finding.place.region.line for finding in judged.findings}
        for finding in judged.findings:
            yield _line(finding, lines, words, colours=colours)
        yield _summary(judged, words, colours=colours)


def _line(finding: LintFinding, lines: Mapping[str, int], words: Mapping[str, str], *, colours: bool) -> str:
    cause = lines.get(finding.caused_by) if finding.caused_by else None
    followed = f" ({words['cause'].format(line=cause)})" if cause is not None else ""
    expected = f" → {finding.expected}" if finding.expected else ""
    place = one_line(f"{finding.place.file}:{finding.place.region.line}")
    said = one_line(f"{finding.ref}: {finding.message}{expected}{followed}")
    weight = f"{finding.severity:<8}"
    if not colours:
        return f"{place}:  {finding.rule} {weight} {said}"
    if finding.caused_by:
        return f"{_DIM}{place}:  {finding.rule} {weight} {said}{_OFF}"
    return f"{_DIM}{place}:{_OFF}  {finding.rule} {_COLOURS[finding.severity]}{weight}{_OFF} {said}"


def _summary(judged: Judged, words: Mapping[str, str], *, colours: bool) -> str:
    guessed = words["guessed"] if judged.guessed else ""
    kind = words[judged.kind].format(count=judged.items, dialect=judged.dialect, guessed=guessed)
    counts = judged.counts()
    caused = sum(finding.caused_by is not None for finding in judged.findings)
    fixable = sum(finding.fixable for finding in judged.findings)
    parts = [
        words["score"].format(score=judged.score),
        words["counts"].format(**counts) if judged.findings else words["clean"],
        words["caused"].format(count=caused) if caused else "",
        words["ignored"].format(count=judged.ignored) if judged.ignored else "",
        words["fixable"].format(count=fixable) if fixable else "",
    ]
    line = one_line(f"{judged.name}: {kind}: {'; '.join(filter(None, parts))}")
    return f"{_BOLD}{line}{_OFF}" if colours else line
