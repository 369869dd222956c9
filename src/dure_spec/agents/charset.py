"""Grammar pieces that keep a model's text in the language of the run.

Small multilingual models slip into Chinese or stop half-way; a character class costs nothing.
"""

from collections.abc import Sequence

from dure_spec.artifacts.shared import Language
from dure_spec.wire.grammars import choice_grammar, text_literal

_TEXT = {"ko": "[가-힣0-9A-Za-z ,.·()~%/-]", "en": "[A-Za-z0-9 ,.()'%/-]"}
_FIRST = {"ko": "[가-힣A-Z0-9]", "en": "[A-Za-z0-9]"}
_NAME_FIRST = {"ko": "[가-힣]", "en": "[A-Za-z]"}
_NAME = {"ko": "[가-힣 ]", "en": "[A-Za-z ]"}
_END = {"ko": '"다."', "en": '"."'}


def words(lang: Language, *, shortest: int, longest: int) -> str:
    """A run of words in the language; lengths in characters."""
    return f"{_FIRST[lang]} {_TEXT[lang]}{{{shortest - 1},{longest - 1}}}"


def name(lang: Language, longest: int) -> str:
    """A name in the language."""
    return f"{_NAME_FIRST[lang]} {_NAME[lang]}{{0,{longest - 1}}}"


def sentence(lang: Language, *, shortest: int, longest: int) -> str:
    """A sentence (or the rest of one) with the end that sentences have in the language."""
    inner = _TEXT[lang].replace(".", "", 1)
    return f"{_FIRST[lang]} {inner}{{{shortest - 1},{longest - 3}}} {_END[lang]}"


def consequence(lang: Language) -> str:
    """What someone does, and what the system then does: the rest of a requirement that begins with who acts."""
    text = _TEXT[lang].replace(".", "", 1)
    if lang == "ko":
        plain = text.replace(",", "").replace("()", "")
        return f'{_FIRST[lang]} {plain}{{4,36}} "면 시스템은 " {_FIRST[lang]} {text}{{6,44}} "다."'
    return f'{_FIRST[lang]} {text}{{6,70}} ", the system shall " [a-z] {text}{{8,80}} "."'


def action(lang: Language, *, shortest: int, longest: int) -> str:
    """A sentence that says what to do."""
    if lang == "ko":
        return f'{_FIRST[lang]} {_TEXT[lang].replace(".", "", 1)}{{{shortest - 1},{longest - 4}}} "한다."'
    return sentence(lang, shortest=shortest, longest=longest)


def begun(beginnings: Sequence[str], rule: str) -> str:
    """One line for each beginning, in order; `rule` goes on where it ends."""
    lines = ' "\\n" '.join(f"{text_literal(beginning)} rest" for beginning in beginnings)
    return f"root ::= {lines}\nrest ::= {rule}"


def choices(rows: Sequence[tuple[str, Sequence[str]]]) -> str:
    """Lines `label: option`, each label once and in order."""
    return choice_grammar([(f"{label}:", options) for label, options in rows])
