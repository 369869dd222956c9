"""What `dure models` says, in Korean and English."""

import os
from collections.abc import Mapping
from typing import Literal

Language = Literal["ko", "en"]

KO: Mapping[str, str] = {
    "title": "이 컴퓨터에서 쓸 수 있는 모델",
    "model": "모델",
    "usable": "사용",
    "reason": "상태",
    "yes": "가능",
    "no": "불가",
    "ready": "{detail}",
    "no_key": "환경 변수가 없습니다: {detail}",
    "no_server": "응답이 없습니다: {detail}",
    "no_model": "대화 모델이 없습니다: {detail}",
    "no_runtime": "실행기가 없습니다. {detail}",
    "no_weights": "모델 파일이 없습니다: {detail} (받으려면 dure models pull)",
    "needs_path": "대본 파일의 경로를 적어야 합니다: {detail}",
    "bad_setting": "설정이 잘못되었습니다. {detail}",
    "chosen": "→ 사용할 모델: {model} (바꾸려면 DURE_MODEL=제공자:모델)",
    "none": "쓸 모델이 없습니다. dure models pull을 실행하거나 OPENAI_API_KEY 또는 ANTHROPIC_API_KEY를 설정하세요.",
    "unusable": "→ DURE_MODEL에 적힌 모델을 지금은 쓸 수 없습니다: {model}",
    "fetch": "{source}에서 받는 중",
    "check": "내용을 확인하는 중",
    "pulled": "모델 파일이 준비되었습니다: {path}",
    "interrupted": "중단했습니다. 받은 부분은 남아 있으니 dure models pull을 다시 실행하면 이어 받습니다.",
}

EN: Mapping[str, str] = {
    "title": "Models usable on this machine",
    "model": "model",
    "usable": "usable",
    "reason": "state",
    "yes": "yes",
    "no": "no",
    "ready": "{detail}",
    "no_key": "{detail} is not set",
    "no_server": "nothing answers at {detail}",
    "no_model": "no chat model at {detail}",
    "no_runtime": "its runtime is missing: {detail}",
    "no_weights": "no weights in {detail}: dure models pull",
    "needs_path": "give it a file of turns: {detail}",
    "bad_setting": "a setting is wrong: {detail}",
    "chosen": "→ {model} will be used; set DURE_MODEL=provider:model for another one.",
    "none": "No model is usable. Run dure models pull, or set OPENAI_API_KEY or ANTHROPIC_API_KEY.",
    "unusable": "→ {model}, which DURE_MODEL names, is not usable now.",
    "fetch": "fetching from {source}",
    "check": "checking",
    "pulled": "The weights are ready: {path}",
    "interrupted": "Interrupted. What is complete is kept; dure models pull goes on from there.",
}


def language(environ: Mapping[str, str] = os.environ) -> Language:
    """DURE_LANG, else the language of the terminal."""
    for variable in ("DURE_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = environ.get(variable, "")
        if value:
            return "ko" if value.lower().startswith("ko") else "en"
    return "en"


def texts(environ: Mapping[str, str] = os.environ) -> Mapping[str, str]:
    """The words in that language."""
    return KO if language(environ) == "ko" else EN
