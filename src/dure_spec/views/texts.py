"""Every word a view shows, in one table of two languages."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from dure_spec.artifacts.findings import Severity
from dure_spec.artifacts.shared import Language, Stage

Status = Literal["waiting", "working", "kept", "pass", "forced", "stopped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """The words of one language; `{…}` are filled in by the view."""

    stages: Mapping[Stage, str]
    statuses: Mapping[Status, str]
    severities: Mapping[Severity, str]
    name: str
    status: str
    attempts: str
    score: str
    tokens: str
    time: str
    started: str
    going_on: str
    folder: str
    preparing: str
    attempt: str
    asking: str
    writing: str
    again: str
    again_in: str
    judged: str
    clean: str
    findings: str
    more: str
    fixed: str
    fixed_note: str
    accepted: str
    stage_stopped: str
    totals: str
    rate: str
    stopping: str
    finished: str
    files: str
    questions: str
    forced_note: str
    waived_note: str
    ways: str
    halted: str
    next_step: str
    resume: str


KOREAN = Texts(
    stages={
        "ba": "요구사항 (BA)",
        "planner": "화면 구조 (Planner)",
        "dba": "데이터 (DBA)",
        "backend": "백엔드 (Backend)",
        "frontend": "프론트 (Frontend)",
        "supervisor": "종합 (Supervisor)",
    },
    statuses={
        "waiting": "대기",
        "working": "작업 중",
        "kept": "유지",
        "pass": "통과",
        "forced": "강제 통과",
        "stopped": "멈춤",
    },
    severities={"critical": "치명", "major": "중대", "minor": "경미"},
    name="이름",
    status="상태",
    attempts="시도",
    score="점수",
    tokens="토큰",
    time="시간",
    started="설계 시작: {sentence}",
    going_on="이어서 진행: {sentence} (끝난 단계: {stages})",
    folder="실행 {run} · 모델 {model} · 폴더 {out}",
    preparing="모델 준비 중: {model} (첫 답변은 더 걸립니다)",
    attempt="{stage}: {attempt}번째 시도",
    asking="{stage}: {about}",
    writing="{count}자 쓰는 중",
    again="{stage}: 다시 시도합니다: {reason}",
    again_in="{stage}: {delay:.0f}초 뒤 다시 시도합니다: {reason}",
    judged="{stage}: {attempt}번째 시도 {score:.1f}점, {findings}",
    clean="지적 없음",
    findings="지적 {count}건",
    more="그 밖에 {count}건",
    fixed="{stage}: 프로그램이 {count}건을 고쳐 {score:.1f}점",
    fixed_note="프로그램이 고친 것: {stages}",
    accepted="{stage}: {verdict} {score:.1f}점 (시도 {attempts}회, 토큰 {tokens}, {seconds:.1f}초)",
    stage_stopped="{stage}: 멈춤: {reason}",
    totals="토큰 입력 {input} · 출력 {output}",
    rate="초당 {rate:.1f}",
    stopping="멈추는 중입니다. 끝난 단계는 보관됩니다. 한 번 더 누르면 바로 끝납니다.",
    finished="설계 완료: {out} ({seconds}, 토큰 입력 {input} · 출력 {output})",
    files="파일",
    questions="정해야 할 것",
    forced_note="강제 통과한 단계: {stages}. 보고서에서 남은 지적을 확인하세요.",
    waived_note="사람이 넘긴 지적",
    ways="이어 갈 방법",
    halted="설계가 멈췄습니다: {reason}",
    next_step="다음에 할 일: {step}",
    resume="이어서 하기: {command}",
)

ENGLISH = Texts(
    stages={
        "ba": "Requirements (BA)",
        "planner": "Screens (Planner)",
        "dba": "Data (DBA)",
        "backend": "Backend",
        "frontend": "Frontend",
        "supervisor": "Report (Supervisor)",
    },
    statuses={
        "waiting": "waiting",
        "working": "working",
        "kept": "kept",
        "pass": "passed",
        "forced": "forced",
        "stopped": "stopped",
    },
    severities={"critical": "critical", "major": "major", "minor": "minor"},
    name="Name",
    status="Status",
    attempts="Tries",
    score="Score",
    tokens="Tokens",
    time="Time",
    started="Designing: {sentence}",
    going_on="Going on with: {sentence} (already done: {stages})",
    folder="run {run} · model {model} · folder {out}",
    preparing="Preparing the model: {model} (the first answer takes longer)",
    attempt="{stage}: attempt {attempt}",
    asking="{stage}: {about}",
    writing="writing, {count} characters",
    again="{stage}: trying again: {reason}",
    again_in="{stage}: trying again in {delay:.0f} s: {reason}",
    judged="{stage}: attempt {attempt} scores {score:.1f}, {findings}",
    clean="no findings",
    findings="findings: {count}",
    more="and {count} more",
    fixed="{stage}: fixed by the program: {count}, now {score:.1f}",
    fixed_note="Fixed by the program: {stages}",
    accepted="{stage}: {verdict} {score:.1f} (attempts {attempts}, tokens {tokens}, {seconds:.1f} s)",
    stage_stopped="{stage}: stopped: {reason}",
    totals="tokens in {input} · out {output}",
    rate="{rate:.1f} a second",
    stopping="Stopping; finished stages are kept. Once more ends at once.",
    finished="Design complete: {out} ({seconds}, tokens in {input} · out {output})",
    files="Files",
    questions="To be decided",
    forced_note="Stages passed by force: {stages}. See the report for the findings that remain.",
    waived_note="Findings that people let stay",
    ways="Ways on",
    halted="The design stopped: {reason}",
    next_step="Next: {step}",
    resume="Go on with: {command}",
)

TEXTS: Mapping[Language, Texts] = {"ko": KOREAN, "en": ENGLISH}


def language_of(sentence: str) -> Language:
    """Korean if there is any Hangul, English otherwise."""
    return "ko" if any("가" <= mark <= "힣" or "ㄱ" <= mark <= "ㆎ" for mark in sentence) else "en"
