"""V10 NormalizationSmell on columns that repeat what the referenced row says already."""

import difflib
import re
from collections.abc import Iterator, Mapping

from dure_spec.artifacts.erd import Column
from dure_spec.derive.words import name_words, singular, snake
from dure_spec.validators.audit_names import is_audit
from dure_spec.validators.index import Index, TablePlace
from dure_spec.validators.policy import Draft, Policy, Text

_COPIED = Text(
    "{parent}의 값을 복사한 컬럼입니다: 원본이 바뀌면 서로 달라집니다. 조인으로 읽거나, 그때의 값을 남기려면 derived나 "
    "고유한 논리명(예: 주문시…)으로 밝히십시오",
    "copies {parent}: the two differ as soon as the original changes; read it by a join, or say by `derived` or a "
    "logical name of its own that it keeps the value of that moment",
)
# what many tables have each for themselves
_GENERIC = frozenset(
    """
    id uuid guid rowguid name nm title subject label description desc content contents body text summary note notes memo
    remark remarks comment comments status state type kind category class grade level role code no number seq sequence
    order sort position rank version revision active enabled deleted use used visible public flag yn is has date time at
    on start end begin due from to until first last middle full short display nick email mail phone mobile tel fax
    address addr addr1 addr2 street city district county region province country zip postal postcode location latitude
    longitude lat lng lon language lang locale currency unit color colour size weight height width length image photo
    picture icon url link path file homepage website password hash salt token gender sex birth age count total sum
    quantity qty amount price cost rate fee tax discount value score rating year month day week hour duration period
    reason result priority parent created updated modified by
    """.split()
)
_PRICE = re.compile(r"(price|cost|rate|fee|단가|가격|요금)$")
_MEASURE = re.compile(r"(amount|tax|salary|wage|balance|total|qty|quantity|discount|date|quota|금액|수량)$")
_COUNTED = frozenset("quantity qty count units hours days nights pieces 수량 개수".split())
_OF_THAT_MOMENT = re.compile(
    r"당시|시점|[가-힣]시\s*[가-힣]|(?i:snapshot|\bat (the )?(time|order|payment|purchase|booking)\b)"
)
_ALIKE = 0.75
Described = Mapping[tuple[str, ...], Column]


def check_copies(index: Index, policy: Policy) -> Iterator[Draft]:
    """Columns that copy a descriptive column of a referenced table; histories copy by their nature."""
    described = {name: _described(place) for name, place in index.tables.items()}
    for name, place in index.tables.items():
        if place.table.kind in ("history", "log"):
            continue
        own = _may_be_copies(described[name])
        parents = dict.fromkeys(key.target.lower() for key in place.keys)
        told: set[str] = set()
        for parent in parents:
            if parent == name or parent not in described:
                continue
            owner = index.tables[parent]
            for words, column in own.items():
                original = _original(owner, described[parent], words, column)
                if original is not None and column.name not in told:
                    told.add(column.name)
                    yield _draft(place, column, f"{owner.table.name}.{original.name}")


def _described(place: TablePlace) -> dict[tuple[str, ...], Column]:
    """Columns that are no key and no audit column, by the words of their names."""
    bound = {name.lower() for key in place.keys for name in key.columns}
    return {
        tuple(name_words(column.name)): column
        for name, column in place.columns.items()
        if not (column.pk or column.fk or column.uq or name in bound or is_audit(column.name, column.logical))
    }


def _may_be_copies(columns: Described) -> Described:
    """Those that are not derived or measured; a line keeps the price at which so many were ordered."""
    line = any(_COUNTED & set(words) for words in columns)
    return {
        words: column
        for words, column in columns.items()
        if column.derived is None
        and not _MEASURE.search(column.name.lower())
        and not (line and _PRICE.search(column.name.lower()))
    }


def _original(parent: TablePlace, columns: Described, words: tuple[str, ...], column: Column) -> Column | None:
    """The parent's column that says the same; `None` where the name alone does not tell."""
    same = columns.get(words)
    if same is not None and (_PRICE.search(column.name.lower()) or not _GENERIC.issuperset(words)):
        return same if _says_the_same(column, same, "") else None
    stem = tuple(name_words(singular(snake(parent.table.name))))
    for length in range(len(stem), 0, -1):
        inner = columns.get(words[length:]) if words[:length] == stem[-length:] else None
        if inner is not None and _says_the_same(column, inner, parent.table.logical):
            return inner
    return None


def _says_the_same(column: Column, original: Column, owner: str) -> bool:
    """By the logical names; `owner` is the parent's, where the column's name is that of the parent and its column's."""
    own, other = _logical(column), _logical(original)
    if not own and not other:
        return not _PRICE.search(column.name.lower())
    if not own or not other:
        return False
    wanted = {other, _plain(owner) + other} - {""}
    if own in wanted:
        return True
    if _PRICE.search(column.name.lower()) or _OF_THAT_MOMENT.search(column.logical):
        return False
    return any(difflib.SequenceMatcher(None, own, each).ratio() >= _ALIKE for each in wanted)


def _logical(column: Column) -> str:
    """What its logical name adds to its name."""
    told = _plain(column.logical)
    return "" if told == column.name.lower() else told


def _plain(logical: str) -> str:
    return "".join(logical.split()).lower()


def _draft(place: TablePlace, column: Column, original: str) -> Draft:
    return Draft(
        severity="major",
        stage="dba",
        path=place.column_path(column.name),
        ref=f"{place.table.name}.{column.name}",
        text=_COPIED,
        values={"parent": original},
        candidates=(f"join {original}", "derived=BR-…"),
    )
