"""What came of a person's decision about a stopped run, as lines in the run's language."""

from collections.abc import Mapping
from dataclasses import dataclass

from dure.console.render import one_line
from dure_spec.artifacts.findings import Finding
from dure_spec.artifacts.shared import Language
from dure_spec.pipeline.decisions import Decided
from dure_spec.pipeline.records import RunHeader
from dure_spec.pipeline.stops import ways_on
from dure_spec.views.texts import TEXTS


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    score: str
    accepted: str
    opens: str
    shut: str
    waived: str
    loud: str
    resume: str


_WORDS: Mapping[Language, _Words] = {
    "ko": _Words(
        score="{stage}: {before:.1f}점 → {after:.1f}점",
        accepted="{stage}: 손으로 고친 산출물을 받아들였습니다 ({by})",
        opens="문이 열립니다.",
        shut="아직 8.0점에 못 미칩니다. 고친 내용은 보관했습니다.",
        waived="넘김",
        loud="주의: 치명 지적을 넘겼습니다. 보고서에 크게 표시됩니다.",
        resume="이어서 하기: dure design --resume {run}",
    ),
    "en": _Words(
        score="{stage}: {before:.1f} → {after:.1f}",
        accepted="{stage}: the artifact edited by {by} is accepted",
        opens="The gate opens.",
        shut="Still below 8.0. What was changed is kept.",
        waived="waived",
        loud="Mind: a critical finding was waived; the report marks it loudly.",
        resume="Go on with: dure design --resume {run}",
    ),
}


def edit_lines(header: RunHeader, decided: Decided) -> list[str]:
    """After an edit."""
    words, texts, record = _WORDS[header.lang], TEXTS[header.lang], decided.record
    stage = texts.stages[record.stage]
    lines = [words.score.format(stage=stage, before=decided.before, after=record.score)]
    lines += [_line(header.lang, each) for each in record.findings if each.weighs]
    if record.verdict == "failed":
        return [*lines, words.shut, *_ways(header, decided)]
    accepted = words.accepted.format(stage=stage, by=record.edited_by)
    return [*lines, accepted, words.resume.format(run=header.run_id)]


def waive_lines(header: RunHeader, decided: Decided) -> list[str]:
    """After findings of one stage were waived."""
    words, texts, record = _WORDS[header.lang], TEXTS[header.lang], decided.record
    lines = [f"{words.waived} · {_line(header.lang, each)}" for each in decided.named]
    if any(each.severity == "critical" for each in decided.named):
        lines.append(words.loud)
    score = words.score.format(stage=texts.stages[record.stage], before=decided.before, after=record.score)
    if record.verdict == "failed":
        return [*lines, score, *_ways(header, decided)]
    return [*lines, f"{score} · {words.opens}", words.resume.format(run=header.run_id)]


def _ways(header: RunHeader, decided: Decided) -> list[str]:
    return [f"{way.about}: {way.command}" for way in ways_on(header.lang, header.run_id, decided.record)]


def _line(lang: Language, finding: Finding) -> str:
    return one_line(f"{finding.id} {TEXTS[lang].severities[finding.severity]} {finding.ref}: {finding.message}")
