"""Why a run ends before its report, what the user can do, and the exit code that says so to programs."""

import errno
from dataclasses import dataclass

from dure.errors import ModelError
from dure_spec.artifacts.shared import Language
from dure_spec.intake import Intake

GATE = 3
NO_MODEL = 4
INTERRUPTED = 130
FAILED = 1

_OTHER_MODEL: dict[Language, str] = {
    "ko": "`dure models`로 쓸 수 있는 모델을 확인하고 --model provider:model로 다시 시작하세요.",
    "en": "See `dure models` for what is usable here, and begin again with --model provider:model.",
}
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


def _model_reason(lang: Language, failure: BaseException) -> str:
    return f"모델을 쓸 수 없습니다: {failure}" if lang == "ko" else f"The model failed: {failure}"
