"""Words of names: the cases of identifiers, English plurals, and Korean particles."""

import re
from functools import lru_cache
from typing import Literal

Josa = Literal["을/를", "이/가", "은/는", "와/과", "(으)로", "(이)나"]

_PLURALS = {
    one: many
    for one, _, many in (
        pair.partition(":")
        for pair in """
    alias:aliases analysis:analyses appendix:appendices atlas:atlases axis:axes basis:bases bias:biases bonus:bonuses
    bus:buses cache:caches calorie:calories campus:campuses canvas:canvases cargo:cargoes census:censuses child:children
    consensus:consensuses cookie:cookies corpus:corpora crisis:crises criterion:criteria curriculum:curricula
    diagnosis:diagnoses echo:echoes foot:feet gas:gases goose:geese half:halves headache:headaches hero:heroes
    hypothesis:hypotheses index:indexes knife:knives leave:leaves lens:lenses life:lives loaf:loaves man:men
    matrix:matrices medium:media menu:menus mouse:mice movie:movies niche:niches person:people phenomenon:phenomena
    potato:potatoes quiz:quizzes rookie:rookies selfie:selfies shelf:shelves shoe:shoes sku:skus status:statuses
    stimulus:stimuli synopsis:synopses thesis:theses thief:thieves tie:ties tomato:tomatoes tooth:teeth vertex:vertices
    virus:viruses volcano:volcanoes wife:wives wolf:wolves woman:women zombie:zombies
    """.split()
    )
}
_SINGULARS = {plural: singular for singular, plural in _PLURALS.items()} | {"indices": "index"}
_SAME = frozenset(
    """
    advice aircraft analytics apparatus athletics chaos cosmetics data demographics earnings economics electronics
    equipment ethics feedback fish furniture goods hardware headquarters information knowledge logistics luggage
    mathematics means metadata money music news offspring physics politics premises proceeds series settings sheep
    software species staff statistics stock_terms terms traffic aws dns gps pos sms
    """.split()
)
_BOUNDARY = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z0-9]+")
_KNOWN = 20_000
"""Names whose words are remembered: validators ask for the same ones again and again."""
_NAME_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-zß-öø-ÿ]+|[^\W\d_A-Za-zß-öø-ÿ]+|\d+")


def parts(name: str) -> list[str]:
    """The lower-case words of an identifier in any case style."""
    return [part.lower() for part in _BOUNDARY.split(name) if part]


def name_words(name: str) -> list[str]:
    """The lower-case words of a name in any script and case style, numbers as words of their own."""
    return list(_words_of(name))


@lru_cache(maxsize=_KNOWN)
def _words_of(name: str) -> tuple[str, ...]:
    return tuple(word.lower() for word in _NAME_WORD.findall(name))


def snake(name: str) -> str:
    return "_".join(parts(name))


def kebab(name: str) -> str:
    return "-".join(parts(name))


def camel(name: str) -> str:
    first, *rest = parts(name) or [""]
    return first + "".join(part.capitalize() for part in rest)


def constant(name: str) -> str:
    return snake(name).upper()


def plural(name: str) -> str:
    """The plural of the last word of a snake_case name; a plural stays as it is."""
    head, word = _last(name)
    if word in _SAME or word in _SINGULARS or singular(word) != word:
        return name
    return head + (_PLURALS.get(word) or _regular_plural(word))


@lru_cache(maxsize=_KNOWN)
def singular(name: str) -> str:
    """The singular of the last word of a snake_case name; a singular stays as it is."""
    head, word = _last(name)
    if word in _SAME or word in _PLURALS:
        return name
    return head + (_SINGULARS.get(word) or _regular_singular(word))


def _last(name: str) -> tuple[str, str]:
    cut = max(name.rfind("_"), name.rfind("-")) + 1
    return name[:cut], name[cut:]


def _regular_plural(word: str) -> str:
    if re.search(r"[^aeiou]y$", word):
        return word[:-1] + "ies"
    if re.search(r"(s|x|z|ch|sh)$", word):
        return word + "es"
    return word + "s"


def _regular_singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if re.search(r"(ss|x|ch|sh|zz)es$", word):
        return word[:-2]
    if len(word) > 2 and word.endswith("s") and not re.search(r"(ss|us|is)$", word):
        return word[:-1]
    return word


def josa(word: str, pair: Josa) -> str:
    """The word with the particle that its last sound asks for (`주문을`, `상품을`, `메모로`)."""
    final = _final_sound(word)
    if pair == "(으)로":
        return word + ("으로" if final not in ("", "ㄹ") else "로")
    if pair == "(이)나":
        return word + ("이나" if final else "나")
    if pair == "와/과":
        return word + ("과" if final else "와")
    closed, opened = pair.split("/")
    return word + (closed if final else opened)


def _final_sound(word: str) -> str:
    """ "": open, "ㄹ": closed by ㄹ, "ㄱ": closed by anything else."""
    letters = re.sub(r"[^0-9A-Za-z가-힣]", "", word)
    if not letters:
        return ""
    last = letters[-1]
    if "가" <= last <= "힣":
        code = (ord(last) - ord("가")) % 28
        return "" if code == 0 else "ㄹ" if code == 8 else "ㄱ"
    if last in "178lLrR":
        return "ㄹ"
    return "ㄱ" if last in "036mMnN" else ""
