"""Paths of operations: nouns in small letters, and what a path with a verb in it should be instead."""

import re
from collections.abc import Container, Iterator

from dure_spec.artifacts.backend import OpKind
from dure_spec.derive.words import kebab, parts, plural, singular, snake
from dure_spec.validators.index import Index, OpPlace

PARAMETER = re.compile(r"\{[^{}]*\}|(?<=/):\w+")
_VERBS = frozenset(
    "get fetch find retrieve create add insert update edit modify delete remove save register list".split()
)
_TARGETED: frozenset[OpKind] = frozenset({"read", "update", "delete"})
_STEPS: frozenset[OpKind] = frozenset({"transition", "action", "login"})
_ACCOUNT = frozenset({"auth", "account", "accounts"})
"""Under these the usual names are verbs: `/auth/register`."""


def known_nouns(index: Index) -> frozenset[str]:
    """Kebab-case names of tables, objects and glossary terms, in both numbers: `list-items` is a thing, no order."""
    names = [place.table.name for place in index.tables.values()]
    names += [name.removeprefix("BO-") for name in index.bos]
    names += [term.en for term in index.terms.values()]
    single = {singular(snake(name)) for name in names}
    return frozenset(kebab(form) for name in single for form in (name, plural(name)))


def taken_spots(index: Index) -> frozenset[str]:
    """Every method and path that some operation has."""
    return frozenset(spot_of(place.op.method, place.op.path) for place in index.all_ops())


def spot_of(method: str, path: str) -> str:
    """Method and path as a server tells them apart: parameters are alike, a query and the last slash say nothing."""
    bare = re.split(r"[?#]", path.strip(), maxsplit=1)[0].strip("/")
    return f"{method} {PARAMETER.sub('{}', '/' + bare)}"


def wrong_segment(path: str, nouns: Container[str]) -> str | None:
    """The first fixed segment that begins with a verb or has an upper-case letter."""
    before = ""
    for segment in _fixed(path):
        if segment != segment.lower() or (before not in _ACCOUNT and _verb_of(segment, nouns)):
            return segment
        before = segment
    return None


def noun_path(place: OpPlace, nouns: Container[str]) -> str:
    """The path with its verbs taken away and its words in kebab-case; a reading or change of one item names it."""
    found: list[str] = []
    for segment in place.op.path.strip().split("/"):
        if not segment or segment.startswith(("{", ":")):
            found += [segment] if segment else []
            continue
        found += _without_verb(segment, place, nouns)
    deduplicated = [each for at, each in enumerate(found) if at == 0 or each != found[at - 1]]
    if place.op.kind in _TARGETED and not any(each.startswith(("{", ":")) for each in deduplicated):
        deduplicated.append("{id}")
    return "/" + "/".join(deduplicated)


def free_path(place: OpPlace, path: str, spots: Container[str]) -> str:
    """The path where no operation stands on it with the same method; empty where there is no such luck."""
    return "" if path == "/" or spot_of(place.op.method, path) in spots else path


def usual_path(place: OpPlace) -> str:
    """The conventional path of the operation's kind."""
    collection = "/" + kebab(plural(singular(snake(place.bo.id.removeprefix("BO-")))))
    if place.op.kind in ("list", "create"):
        return collection
    if place.op.kind == "login":
        return "/auth/login"
    action = place.op.id.rpartition(".")[2]
    return f"{collection}/{{id}}" if place.op.kind in _TARGETED else f"{collection}/{{id}}/{action}"


def _fixed(path: str) -> Iterator[str]:
    for segment in re.split(r"[?#]", path, maxsplit=1)[0].split("/"):
        if segment and not segment.startswith(("{", ":")):
            yield segment


def _verb_of(segment: str, nouns: Container[str]) -> str:
    """The verb that a segment begins with: `create`, `createCustomer`, `get-orders`, `getorders`; empty without one."""
    if kebab(segment) in nouns:
        return ""
    words = parts(segment)
    if words and words[0] in _VERBS and words[1:] != ["ons"]:
        return words[0]
    whole = "".join(words)
    glued = (verb for verb in _VERBS if whole.startswith(verb) and len(words) == 1)
    return next((verb for verb in glued if whole.removeprefix(verb) in nouns), "")


def _without_verb(segment: str, place: OpPlace, nouns: Container[str]) -> list[str]:
    verb = _verb_of(segment, nouns)
    if not verb:
        return [kebab(segment)]
    words = parts(segment)
    rest = words[1:] if words[0] == verb else [words[0].removeprefix(verb)]
    rest = [word for word in rest if word not in ("by", "all", "id", "new")]
    if not rest:
        return []
    noun = kebab("_".join(rest))
    return [noun if place.op.kind in _STEPS else kebab(plural(singular(snake(noun))))]
