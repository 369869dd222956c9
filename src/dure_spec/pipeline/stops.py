"""Why a run ends before its report, what the user can do, and the exit code that says so to programs."""

from dataclasses import dataclass

from dure.errors import ModelError
from dure_spec.artifacts.shared import Language
from dure_spec.intake import Intake

GATE = 3
NO_MODEL = 4
INTERRUPTED = 130
FAILED = 1


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


def interrupted(lang: Language, run_id: str) -> Stop:
    """Somebody asked the run to stop."""
    reason = (
        "중단했습니다. 끝난 단계는 저장되어 있습니다." if lang == "ko" else "Interrupted. Finished stages are kept."
    )
    return Stop(reason=reason, next_step=_resume(run_id), exit_code=INTERRUPTED)


def stage_failed(lang: Language, run_id: str, failure: Exception) -> Stop:
    """The gate stays shut."""
    reason = f"검증 문을 통과하지 못했습니다: {failure}" if lang == "ko" else f"Stopped at a gate: {failure}"
    again = "다른 모델로 이어서 하기" if lang == "ko" else "go on with another model"
    return Stop(reason=reason, next_step=f"{again}: {_resume(run_id)} --model provider:model", exit_code=GATE)


def model_failed(lang: Language, run_id: str, failure: ModelError) -> Stop:
    """The model does not answer."""
    reason = f"모델을 쓸 수 없습니다: {failure}" if lang == "ko" else f"The model failed: {failure}"
    return Stop(reason=reason, next_step=_resume(run_id), exit_code=NO_MODEL)


def unwritable(lang: Language, run_id: str, failure: OSError) -> Stop:
    """The disk does not take the files."""
    reason = f"파일을 쓸 수 없습니다: {failure}" if lang == "ko" else f"Cannot write files: {failure}"
    return Stop(reason=reason, next_step=_resume(run_id), exit_code=FAILED)


def _resume(run_id: str) -> str:
    return f"dure design --resume {run_id}"
