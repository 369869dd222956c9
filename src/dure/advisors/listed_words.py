"""Finds listed words however they are written: case, composed or not, spaced apart, with invisible letters."""

import re
import unicodedata
from collections.abc import Iterable

_INVISIBLE = re.compile("[\u00ad\u034f\u115f\u1160\u180e\u200b-\u200f\u2060-\u2064\u3164\ufe00-\ufe0f\ufeff\uffa0]")
_UNSPACED = re.compile("[\u0e00-\u0e7f\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u9fff\uac00-\ud7a3]")
_HANGUL = re.compile("[\uac00-\ud7a3]")
_LETTER = "[^\\W\uac00-\ud7a3\u3130-\u318f]"
"""What makes a Latin word longer. Hangul does not: a particle may follow the word directly."""
_PARTICLE = (
    "(?:은|는|이|가|을|를|의|에|에서|에게|도|만|로|으로|와|과|랑|이랑|하고|나|이나|까지|부터|처럼|보다|라고|이라고"
    "|이다|이야|야|입니다|인|요|좀)?(?![\uac00-\ud7a3])"
)


def folded(text: str) -> str:
    """The text as it is compared: compatible and composed letters, no case, nothing invisible."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).casefold())


def pattern_of(words: Iterable[str]) -> re.Pattern[str] | None:
    """Finds any of the words in a folded text; `None` for no words, which are never found."""
    found = [_pattern_of(folded(word).split()) for word in words]
    return re.compile("|".join(found)) if found else None


def _pattern_of(parts: list[str]) -> str:
    """A word of letters that are written apart is found as a whole, any other anywhere in the text.

    A Hangul word may also be spaced apart, if it then begins a word and ends one but for a particle:
    "비 밀 번 호를" has it, "혼자 살아요" does not have "자살".
    """
    joined = "".join(parts)
    if not _UNSPACED.search(joined):
        return f"(?<!{_LETTER})" + r"\s+".join(map(re.escape, parts)) + f"(?!{_LETTER})"
    anywhere = r"\s*".join(map(re.escape, parts))
    if not _HANGUL.search(joined) or len(joined) < 2:
        return anywhere
    spaced = r"\s*".join(map(re.escape, joined))
    return f"{anywhere}|(?<![\uac00-\ud7a3]){spaced}{_PARTICLE}"
