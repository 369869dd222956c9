"""Logical names of columns: from the glossary first, then from the dictionary, word by word."""

from collections.abc import Mapping
from dataclasses import dataclass

from dure_spec.artifacts.prd import Prd
from dure_spec.artifacts.shared import Language
from dure_spec.derive.label_words import WHOLE, WORDS
from dure_spec.derive.words import parts, plural, singular, snake

_KO_SUFFIX = {"id": "ID", "at": "일시", "on": "일", "date": "일", "no": "번호", "name": "명", "count": "수", "by": "자"}
_OWN_KO = {"id": "ID", "name": "명", "status": "상태", "no": "번호", "code": "코드", "type": "유형"}
_OWN_EN = ("id", "name", "status", "no", "code", "type")
_EN_UPPER = {"id": "ID", "url": "URL", "sku": "SKU", "isbn": "ISBN", "no": "no."}


@dataclass(frozen=True, kw_only=True, slots=True)
class Label:
    """A logical name; `known` is false where a word had to stay English in a Korean label."""

    text: str
    known: bool


def glossary_words(prd: Prd) -> dict[str, str]:
    """`en` (singular and plural) of every glossary entry to its term; the last word too, where it is only one's."""
    heads = [singular(snake(term.en)).rpartition("_")[2] for term in prd.glossary]
    words = {head: term.term for head, term in zip(heads, prd.glossary, strict=True) if heads.count(head) == 1}
    for term in prd.glossary:
        name = snake(term.en)
        words.setdefault(plural(name), term.term)
        words[singular(name)] = term.term
        words[name] = term.term
    return words


def column_label(
    name: str,
    *,
    lang: Language,
    glossary: Mapping[str, str] | None = None,
    own: str | None = None,
) -> Label:
    """The label of a column; `own` is the term of its table (`name` of 고객 is 고객명)."""
    words = parts(name)
    terms = glossary or {}
    if not words:
        return Label(text=name, known=False)
    if lang == "en":
        return Label(text=_english(words, own), known=True)
    if own and len(words) == 1 and words[0] in _OWN_KO:
        return Label(text=own + _OWN_KO[words[0]], known=True)
    return _korean(words, terms)


def _english(words: list[str], own: str | None) -> str:
    shown = [_EN_UPPER.get(word, word) for word in words if word not in ("is", "has")] or words
    if shown[-1] == "at" and len(shown) > 1:
        shown[-1] = "time" if shown[-2].endswith(("start", "end", "due")) else "at"
    text = " ".join(shown)
    if own and len(words) == 1 and words[0] in _OWN_EN:
        return f"{own[:1].upper()}{own[1:]} {text}"
    return text[:1].upper() + text[1:]


def _korean(words: list[str], terms: Mapping[str, str]) -> Label:
    joined = "_".join(words)
    whole = terms.get(joined) or WHOLE.get(joined) or WORDS.get(joined)
    if whole:
        return Label(text=whole, known=True)
    if words[0] in ("is", "has", "can") and len(words) > 1:
        inner = _korean(words[1:], terms)
        return Label(text=f"{inner.text}여부", known=inner.known)
    suffix = _KO_SUFFIX.get(words[-1]) if len(words) > 1 else None
    if suffix is not None:
        inner = _korean(words[:-1], terms)
        return Label(text=inner.text + suffix, known=inner.known)
    return _composed(words, terms)


def _composed(words: list[str], terms: Mapping[str, str]) -> Label:
    """The longest known pieces from the left; what is left over stays English."""
    pieces: list[str] = []
    known = True
    at = 0
    while at < len(words):
        for end in range(len(words), at, -1):
            piece = "_".join(words[at:end])
            korean = terms.get(piece) or WHOLE.get(piece) or WORDS.get(piece) or WORDS.get(singular(piece))
            if korean:
                pieces.append(korean)
                at = end
                break
        else:
            pieces.append(words[at].capitalize())
            known = False
            at += 1
    return Label(text="".join(pieces), known=known)
