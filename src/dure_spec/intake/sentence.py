"""The sentence as the user typed it: bad until checked, and its language."""

import re
import unicodedata

from dure.errors import ConfigError
from dure_spec.artifacts.shared import Language

MAX_CHARACTERS = 2000
_MAX_TYPED = 4 * MAX_CHARACTERS
"""Decomposed Hangul takes up to three characters for one; beyond this nothing needs counting."""
_KOREAN_SHARE = 0.2
_INVISIBLE = re.compile("[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
"""Copied along from web pages: they hide words from the rules or turn the text around; joiners of emoji stay."""
_JAMO = re.compile(r"[ㄱ-ㆎ]")
_HANGUL = re.compile(r"[가-힣]")


def checked(sentence: str) -> str:
    """The sentence normalised, trimmed and without invisible characters.

    Raises:
        ConfigError: nothing to read, too long, or characters that are no text.
    """
    if len(sentence) > _MAX_TYPED:
        raise _too_long(len(sentence))
    if any("\ud800" <= char <= "\udfff" for char in sentence):
        raise ConfigError("문자 인코딩이 깨졌습니다; UTF-8로 다시 입력하세요 / broken encoding: enter UTF-8 text")
    seen = _INVISIBLE.sub("", sentence.replace("\r\n", "\n"))
    text = unicodedata.normalize("NFC", seen).strip()
    if not text:
        raise ConfigError("문장이 비었습니다; 만들 시스템을 한 문장으로 쓰세요 / empty: describe the system to design")
    if len(text) > MAX_CHARACTERS:
        raise _too_long(len(text))
    bad = next((char for char in text if unicodedata.category(char) == "Cc" and char not in "\n\t"), None)
    if bad is not None:
        name = f"U+{ord(bad):04X}"
        raise ConfigError(f"제어 문자 {name}가 있습니다; 지우고 다시 입력하세요 / control character {name}: remove it")
    if not any(char.isalpha() and not _JAMO.match(char) for char in text):
        raise ConfigError("글자가 없습니다; 만들 시스템을 말로 쓰세요 / no words: say which system to design")
    return text


def language(text: str) -> Language:
    """Korean when at least a fifth of the letters are Hangul."""
    letters = sum(char.isalpha() for char in text)
    return "ko" if letters and len(_HANGUL.findall(text)) / letters >= _KOREAN_SHARE else "en"


def _too_long(length: int) -> ConfigError:
    return ConfigError(
        f"문장이 {length:,}자입니다; {MAX_CHARACTERS:,}자까지 받으니 자세한 내용은 짧은 문장으로 줄이세요 / "
        f"{length:,} characters: at most {MAX_CHARACTERS:,}, put the details in a shorter sentence"
    )
