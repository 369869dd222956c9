"""V11 EntityHygiene: tables that belong to nothing, exist twice, or lack what every table has."""

from collections.abc import Iterator, Mapping, Sequence

from dure_spec.artifacts.erd import Column, Dialect
from dure_spec.derive.keys import split_reference
from dure_spec.derive.labels import column_label, glossary_words
from dure_spec.derive.types import parse_type, write_type
from dure_spec.derive.words import name_words, singular, snake
from dure_spec.validators.audit_names import is_audit
from dure_spec.validators.clones import families
from dure_spec.validators.implied_references import check_implied_references
from dure_spec.validators.index import Index, TablePlace
from dure_spec.validators.name_style import in_style
from dure_spec.validators.patches import Patch, replaced, with_columns
from dure_spec.validators.policy import Draft, Policy, Text
from dure_spec.validators.shared_words import plain_words, shared_prefix
from dure_spec.validators.table_number import pair_topic

_ORPHAN = Text(
    "어떤 테이블과도 외래키로 이어져 있지 않습니다{hint}",
    "no foreign key leads in or out, so nothing is connected with it{hint}",
)
_HINT = Text(
    " (요구사항 {reqs}의 {tables}와(과) 이어질 것으로 보입니다)", " (requirement {reqs} also speaks of {tables})"
)
_CLONE = Text(
    "{original}과 컬럼이 {share}% 같은 테이블입니다: {clones}. 하나로 합치고 구분은 컬럼이나 파티션으로 하십시오",
    "has {share} % of its columns in common with {original}: {clones}; merge them and tell rows apart by a column",
)
_PAIR = Text(
    "같은 낱말의 단수·복수 테이블이 둘 다 있습니다: {first}, {second}",
    "the singular and the plural of one word are both tables: {first}, {second}",
)
_SINGLE = Text("컬럼이 하나뿐인 테이블입니다", "a table with a single column")
_NO_AUDIT = Text(
    "언제 생기고 바뀐 행인지 알 수 있는 컬럼이 없습니다", "no column says when a row was made or last changed"
)
_NO_LOGICAL = Text("논리명이 없습니다", "no logical name")
_EXEMPT = frozenset(["code", "config", "log", "history"])
_SMALL = 4
"""Somebody else's table with fewer columns is no entity."""
_SHOWN = 8


def check_hygiene(index: Index, policy: Policy) -> Iterator[Draft]:
    """Orphans, clones, and tables without what belongs to every one."""
    if index.artifacts.erd is None:
        return
    clones = _Clones(index)
    yield from clones.drafts()
    yield from _orphans(index, policy, clones.of)
    for place in index.tables.values():
        if len(place.table.columns) == 1 and place.table.kind not in _EXEMPT:
            yield _draft(place, _SINGLE, path=f"{place.path}/columns")
        yield from _without_audit(index, policy, place, clones.of)
    if policy.origin == "design":
        yield from _without_logical(index, policy)


class _Clones:
    """Families of tables with the same columns, and pairs of the singular and the plural of a word."""

    def __init__(self, index: Index) -> None:
        self._index = index
        candidates = {
            name: place for name, place in index.tables.items() if place.table.kind not in (*_EXEMPT, "junction")
        }
        self._families = families(candidates)
        self.of: Mapping[str, str] = {
            each.table.name.lower(): f"clone:{family.original.table.name.lower()}"
            for family in self._families
            for each in family.clones
        }
        """Topics by the names of the tables that are superfluous."""

    def drafts(self) -> Iterator[Draft]:
        for family in self._families:
            names = [clone.table.name for clone in family.clones]
            more = f", +{len(names) - _SHOWN}" if len(names) > _SHOWN else ""
            original = family.original.table.name
            yield _draft(
                family.clones[0],
                _CLONE,
                ref="~".join([original, *names[:_SHOWN]]),
                values={
                    "original": original,
                    "share": str(int(family.likeness * 100)),
                    "clones": ", ".join(names[:_SHOWN]) + more,
                },
                expected=original,
                major=True,
                topic=f"clone:{original.lower()}",
            )
        yield from self._pairs()

    def _pairs(self) -> Iterator[Draft]:
        words: dict[str, TablePlace] = {}
        for place in self._index.tables.values():
            word = singular("_".join(name_words(place.table.name)))
            first = words.setdefault(word, place)
            if first is not place:
                names = {"first": first.table.name, "second": place.table.name}
                lower = [place.table.name.lower(), first.table.name.lower()]
                cause = next((self.of[name] for name in lower if name in self.of), "")
                ref = f"{first.table.name}~{place.table.name}"
                yield _draft(
                    place,
                    _PAIR,
                    path=f"{place.path}/name",
                    ref=ref,
                    values=names,
                    major=True,
                    topic=pair_topic(place.table.name),
                    cause=cause,
                )


def _orphans(index: Index, policy: Policy, clones: Mapping[str, str]) -> Iterator[Draft]:
    if len(index.tables) < 2:
        return
    linked = {name for name, place in index.tables.items() if place.keys}
    linked |= {key.target.lower() for place in index.tables.values() for key in place.keys}
    linked |= {end for name, place in index.tables.items() for end in _malformed(name, place)}
    alone = {name: place for name, place in index.tables.items() if name not in linked}
    if not alone:
        return
    causes = _causes(index, policy, alone)
    for name, place in alone.items():
        if place.table.kind in _EXEMPT or _has_password(place):
            continue
        hint = _meant(index, place)
        yield _draft(
            place,
            _ORPHAN,
            values={"hint": _HINT.write(policy.lang, hint) if hint else ""},
            major=True,
            cause=clones.get(name) or causes.get(name, ""),
        )


def _malformed(name: str, place: TablePlace) -> Iterator[str]:
    """Both ends of references that say a table without its column: connected, if badly."""
    for column in place.table.columns:
        if column.fk and split_reference(column.fk) is None:
            yield from (name, column.fk.strip().lower())


def _has_password(place: TablePlace) -> bool:
    """Whether people log in with it: accounts are reached by their names, from outside."""
    return any("passw" in column.name.lower() or "비밀번호" in column.name for column in place.table.columns)


def _causes(index: Index, policy: Policy, alone: Mapping[str, TablePlace]) -> dict[str, str]:
    """What else explains that a table is alone: references that are not declared, or that lead nowhere."""
    causes: dict[str, str] = {}
    for draft in check_implied_references(index, policy):
        _, child, target = draft.topic.split(":", 2)
        causes.setdefault(child, draft.topic)
        causes.setdefault(target, draft.topic)
    words = {singular(snake(place.table.name)): name for name, place in alone.items()}
    for place in index.tables.values():
        for key in place.keys:
            meant = words.get(snake(key.columns[0]).removesuffix("_id")) if key.columns else None
            if meant and key.target.lower() not in index.tables:
                causes.setdefault(meant, f"table:{key.target.lower()}")
    erd = index.artifacts.erd
    for relation in erd.relations if erd else ():
        ends = (relation.from_.lower(), relation.to.lower())
        for name in ends:
            topic = f"junction:{relation.via.lower()}" if relation.via else f"relation:{ends[0]}:{ends[1]}"
            causes.setdefault(name, topic)
    return causes


def _meant(index: Index, place: TablePlace) -> dict[str, str]:
    """The requirements of a table, and the other tables of the same ones."""
    wanted = set(place.table.reqs)
    near = [
        other.table.name
        for other in index.tables.values()
        if other is not place and other.table.kind == "entity" and wanted & set(other.table.reqs)
    ]
    return {"reqs": ", ".join(place.table.reqs), "tables": ", ".join(near[:3])} if near else {}


def _without_audit(index: Index, policy: Policy, place: TablePlace, clones: Mapping[str, str]) -> Iterator[Draft]:
    table = place.table
    sourced = policy.origin == "source"
    if table.kind != "entity" or (sourced and len(table.columns) < _SMALL):
        return
    columns = list(place.columns.values())
    prefix = shared_prefix([name_words(column.name) for column in table.columns])
    if any(is_audit(_bare(column.name, prefix), column.logical) for column in columns):
        return
    names = tuple(in_style(name, policy.names.style) for name in policy.names.audit)
    yield _draft(
        place,
        _NO_AUDIT,
        path=f"{place.path}/columns",
        expected=", ".join(names),
        cause=clones.get(table.name.lower(), ""),
        patch=_with_audit(index, policy, place, names),
    )


def _bare(name: str, prefix: Sequence[str]) -> str:
    return "_".join(plain_words(name_words(name), prefix))


def _with_audit(index: Index, policy: Policy, place: TablePlace, names: Sequence[str]) -> Patch:
    erd = index.artifacts.erd
    if erd is None or not names or any(name.lower() in place.columns for name in names):
        return ()
    if policy.origin == "design":
        return replaced("dba", "/meta/audit", list(erd.meta.audit), [*erd.meta.audit, *names])
    kind = _moment(policy.dialect or erd.meta.dialect)
    return with_columns(place, *(Column(name=name, logical="", type=kind, default="now()") for name in names))


def _moment(dialect: Dialect) -> str:
    parsed = parse_type("timestamptz")
    return write_type(parsed, dialect) if parsed else "timestamp"


def _without_logical(index: Index, policy: Policy) -> Iterator[Draft]:
    """Tables and columns that only have a physical name."""
    prd = index.artifacts.prd
    words = glossary_words(prd) if prd else {}
    for place in index.tables.values():
        table = place.table
        term = index.terms.get(singular(snake(table.name))) or index.terms.get(table.name.lower())
        if _says_nothing(table.logical, table.name, policy):
            path = f"{place.path}/logical"
            patch = replaced("dba", path, table.logical, term.term) if term else ()
            yield _draft(place, _NO_LOGICAL, path=path, expected=term.term if term else "", patch=patch)
        for column in table.columns:
            if _says_nothing(column.logical, column.name, policy):
                own = term.term if term else None
                label = column_label(column.name, lang=policy.lang, glossary=words, own=own)
                path = f"{place.column_path(column.name)}/logical"
                patch = replaced("dba", path, column.logical, label.text) if label.known else ()
                ref = f"{table.name}.{column.name}"
                yield _draft(place, _NO_LOGICAL, path=path, ref=ref, expected=label.text, patch=patch)


def _says_nothing(logical: str, name: str, policy: Policy) -> bool:
    return not logical.strip() or (policy.lang == "ko" and "_" in name and logical.strip() == name)


def _draft(
    place: TablePlace,
    text: Text,
    *,
    path: str = "",
    ref: str = "",
    values: dict[str, str] | None = None,
    expected: str = "",
    major: bool = False,
    topic: str = "",
    cause: str = "",
    patch: Patch = (),
) -> Draft:
    return Draft(
        severity="major" if major else "minor",
        stage="dba",
        path=path or place.path,
        ref=ref or place.table.name,
        text=text,
        values=values or {},
        expected=expected,
        candidates=(expected,) if expected else (),
        topic=topic,
        cause=cause,
        patch=patch,
    )
