"""Why a run ends before its report, what the user can do, and the exit code that says so to programs."""

import errno
from collections.abc import Mapping
from dataclasses import dataclass, replace

from dure.errors import ModelError
from dure_spec.artifacts.shared import Language, Stage
from dure_spec.intake import Intake
from dure_spec.pipeline.events import Way
from dure_spec.pipeline.records import StageRecord
from dure_spec.pipeline.stage_run import StageFailed

GATE = 3
NO_MODEL = 4
INTERRUPTED = 130
FAILED = 1

_OTHER_MODEL: dict[Language, str] = {
    "ko": "`dure models`로 쓸 수 있는 모델을 확인하고 --model provider:model로 다시 시작하세요.",
    "en": "See `dure models` for what is usable here, and begin again with --model provider:model.",
}
_NAMED = 6
"""Findings in the command that waives them; a person leaves out or adds some."""
_WAYS: dict[Language, tuple[str, str, str]] = {
    "ko": ("산출물을 직접 고치기", "이유를 적고 지적을 넘어가기", "다른 모델로 이어서 하기"),
    "en": ("change the artifact by hand", "let findings stay, with a reason", "go on with another model"),
}
_TOO: dict[Language, str] = {
    "ko": "{stage}: {score:.1f}점에서 함께 멈췄습니다",
    "en": "{stage}: stopped too, at {score:.1f}",
}
_ABREAST: tuple[Stage, ...] = ("planner", "dba")
"""Stages that may wait at the same time, each with a `V02-1` of its own."""
_INTERRUPTED: dict[Language, str] = {
    "ko": "중단했습니다. 끝난 단계는 저장되어 있습니다.",
    "en": "Interrupted. Finished stages are kept.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """An end."""

    reason: str
    next_step: str
    exit_code: int
    ways: tuple[Way, ...] = ()
    """Where a person has to choose: each leads on."""


def refused(intake: Intake) -> Stop:
    """The wish itself is the problem."""
    step = "다른 문장으로 다시 시작하세요." if intake.lang == "ko" else "Begin again with another sentence."
    return Stop(reason=intake.reason, next_step=step, exit_code=GATE)


def no_model(lang: Language, failure: BaseException) -> Stop:
    """The model cannot be used at all, and nothing was kept."""
    return Stop(reason=_model_reason(lang, failure), next_step=_OTHER_MODEL[lang], exit_code=NO_MODEL)


def stop_for(lang: Language, run_id: str, failure: BaseException) -> Stop:
    """The end of a run that can go on later."""
    resume = f"dure design --resume {run_id}"
    match failure:
        case ModelError():
            hint = "" if failure.retryable else " --model provider:model"
            return Stop(reason=_model_reason(lang, failure), next_step=resume + hint, exit_code=NO_MODEL)
        case OSError() if failure.errno == errno.ENOSPC:
            reason = "디스크에 자리가 없습니다" if lang == "ko" else "The disk is full"
            room = "자리를 만든 뒤" if lang == "ko" else "make room, then"
            return Stop(
                reason=f"{reason}: {failure.filename or ''}".rstrip(": "),
                next_step=f"{room} {resume}",
                exit_code=FAILED,
            )
        case OSError():
            reason = f"파일을 쓸 수 없습니다: {failure}" if lang == "ko" else f"Cannot write files: {failure}"
            return Stop(reason=reason, next_step=resume, exit_code=FAILED)
        case Exception():
            reason = f"검증 문을 통과하지 못했습니다: {failure}" if lang == "ko" else f"Stopped at a gate: {failure}"
            again = "다른 모델로 이어서 하기" if lang == "ko" else "go on with another model"
            return Stop(reason=reason, next_step=f"{again}: {resume} --model provider:model", exit_code=GATE)
        case _:
            return Stop(reason=_INTERRUPTED[lang], next_step=resume, exit_code=INTERRUPTED)


def gate_stop(lang: Language, run_id: str, failure: StageFailed, stopped: Mapping[Stage, StageRecord]) -> Stop:
    """The end at a gate: what a person can do about the attempts that are kept."""
    stop = stop_for(lang, run_id, failure)
    too = [_TOO[lang].format(stage=s, score=record.score) for s, record in stopped.items() if s != failure.stage]
    stop = replace(stop, reason="; ".join((stop.reason, *too)))
    ways = [way for record in stopped.values() for way in ways_on(lang, run_id, record)]
    last = Way(about=_WAYS[lang][2], command=f"dure design --resume {run_id} --model provider:model")
    return replace(stop, ways=(*ways, last) if ways else ())


def ways_on(lang: Language, run_id: str, record: StageRecord) -> tuple[Way, ...]:
    """How a person opens the gate of a stage; the report follows from the rest and is not edited."""
    weighing = [each.id for each in record.findings if each.weighs and each.severity != "minor"]
    weighing = weighing or [each.id for each in record.findings if each.weighs]
    if record.stage in _ABREAST:
        weighing = [f"{record.stage}:{name}" for name in weighing]
    reason = "이유" if lang == "ko" else "why"
    edit = Way(about=_WAYS[lang][0], command=f"dure edit {run_id} {record.stage}")
    waive = Way(about=_WAYS[lang][1], command=f'dure waive {run_id} {" ".join(weighing[:_NAMED])} --reason "{reason}"')
    return (waive,) if record.stage == "supervisor" else (edit, waive)


def _model_reason(lang: Language, failure: BaseException) -> str:
    return f"모델을 쓸 수 없습니다: {failure}" if lang == "ko" else f"The model failed: {failure}"
