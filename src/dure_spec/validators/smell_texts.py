"""What is said of each kind of wording, and the pattern of a sentence that can be tested instead."""

from collections.abc import Iterable

from dure_spec.artifacts.shared import Language
from dure_spec.validators.policy import Text
from dure_spec.validators.smell_lexicon import SmellName
from dure_spec.validators.smells import Smell

_KIND: dict[SmellName, Text] = {
    "unverifiable": Text("측정할 수 없음", "unverifiable"),
    "subjective": Text("사람마다 다름", "subjective"),
    "vague": Text("모호함", "vague"),
    "weak": Text("지키지 않아도 되는 말", "weak"),
    "tbd": Text("아직 정하지 않음", "to be decided"),
    "open_list": Text("끝이 없는 목록", "open list"),
    "ambiguous_pronoun": Text("가리키는 것이 불분명", "ambiguous pronoun"),
}
_REWRITE: dict[SmellName, Text] = {
    "unverifiable": Text(
        "수치로 쓰기: p95 N초 이하(데이터 M건 기준), 또는 metric·target·unit이 있는 NFR로 옮기기",
        "a number (p95 at most N s with M rows), or an NFR with metric, target and unit",
    ),
    "subjective": Text(
        "확인할 수 있는 행동으로 쓰기: N번의 클릭 안에 끝난다, 처음 쓰는 사용자의 N%가 M분 안에 마친다",
        "an observable fact: done within N clicks, N % of first-time users finish within M minutes",
    ),
    "vague": Text(
        "조건과 값을 그대로 적기: 값 목록, 기준값 N 이상, 대상의 이름",
        "the exact condition: the values, a limit of N, the name of the thing",
    ),
    "weak": Text(
        "언제 하는지 조건을 적어 단정하기: [조건]이면 시스템은 …한다. 아니면 우선순위 C로 낮추기",
        "an unconditional duty: when [condition], the system shall …; or lower the priority to C",
    ),
    "tbd": Text(
        "지금 값을 정하거나 기본값이 있는 질문(Q)으로 옮기기", "the decision itself, or a question (Q) with a default"
    ),
    "open_list": Text("항목을 빠짐없이 나열하기: A, B, C", "every item by name: A, B and C"),
    "ambiguous_pronoun": Text("대명사 대신 대상의 이름 쓰기", "the name of the thing instead of the pronoun"),
}
_SHORT = 300


def listed(smells: Iterable[Smell], lang: Language) -> str:
    """The words, each with what is wrong with it: `"빠르게"(측정할 수 없음)`."""
    words: dict[str, SmellName] = {smell.word: smell.name for smell in smells}
    gap = "" if lang == "ko" else " "
    return ", ".join(f'"{word}"{gap}({_KIND[name].write(lang, {})})' for word, name in words.items())


def rewrites(smells: Iterable[Smell], lang: Language) -> tuple[str, ...]:
    """How to say it testably, one pattern for each kind."""
    return tuple(dict.fromkeys(_REWRITE[smell.name].write(lang, {}) for smell in smells))


def shown(text: str) -> str:
    """A sentence for a message: one line, cut where nobody would read on."""
    line = " ".join(text.split())
    return line if len(line) <= _SHORT else f"{line[: _SHORT - 1]}…"
