"""What the model decides about a sentence, before code makes a PRD of it."""

import re
from collections.abc import Iterable, Mapping

from dure_spec.artifacts.shared import Language, Part
from dure_spec.derive.identifiers import reserved_words
from dure_spec.derive.words import plural, singular, snake
from dure_spec.intake.asked import is_named, things
from dure_spec.patterns import ColumnHint, PatternEntity, PatternFeature, PatternRole, Proposal
from dure_spec.patterns.model import EntityKind

SLOTS: dict[Language, dict[str, EntityKind]] = {
    "ko": {"사람": "party", "물건": "thing", "일": "event", "항목": "line", "돈": "money", "기록": "log"},
    "en": {
        "people": "party",
        "things": "thing",
        "events": "event",
        "lines": "line",
        "money": "money",
        "records": "log",
    },
}
MOST_ENTITIES = 9
_PAIR = re.compile(r'"([^"=]+)=([a-z_]+)"')
_NOT_DATA = ("상태", "취소", "완료", "승인", "관리", "정보", "내용", "추가", "삭제", "수정", "조회", "화면", "버튼")
_NOT_DATA_EN = frozenset("status state info information management screen button list detail content".split())
_HINTS: dict[EntityKind, tuple[tuple[str, str, str], ...]] = {
    "party": (("name", "varchar(100)", "이름"), ("phone", "varchar(20)", "연락처")),
    "thing": (("name", "varchar(200)", "이름"), ("description", "varchar(1000)", "설명")),
    "event": (("occurred_at", "timestamptz", "일시"), ("note", "varchar(500)", "비고")),
    "line": (("quantity", "integer", "수량"), ("note", "varchar(500)", "비고")),
    "money": (("amount", "numeric(14,2)", "금액"), ("paid_at", "timestamptz", "결제일시")),
    "log": (("recorded_at", "timestamptz", "기록일시"), ("note", "varchar(500)", "비고")),
    "code": (("name", "varchar(100)", "이름"),),
}


class Decisions(Part):
    """Everything the BA's model answered, checked."""

    name: str = ""
    summary: str = ""
    dropped: tuple[str, ...] = ()
    """English names of proposed entities that the model found unrelated."""
    own: tuple[PatternEntity, ...] = ()
    roles: tuple[PatternRole, ...] = ()
    titles: tuple[str, ...] = ()
    """What one does with a system that stores nothing."""
    sentences: tuple[str, ...] = ()
    """One for each feature, in order; empty where the model gave none."""


def own_entities(slots: dict[str, list[str]], lang: Language, known: set[str]) -> tuple[PatternEntity, ...]:
    """Entities of the slots, cleaned: no states, no screens, nothing twice, no reserved word."""
    found: dict[str, PatternEntity] = {}
    for slot, kind in SLOTS[lang].items():
        for value in slots.get(slot, []):
            local, _, english = value.partition("=")
            local, english = local.strip(), singular(snake(english.strip() or local.strip()))
            if not _is_data(local, english) or english in found or english in known:
                continue
            found[english] = _entity(local, english, kind, first_event=_first_event(found))
    return tuple(found.values())


def names_in(answers: Iterable[str]) -> dict[str, str]:
    """The English names in worked answers, with what each of them names there."""
    return {english: local for answer in answers for local, english in _PAIR.findall(answer)}


def is_copied(pair: str, shown: Mapping[str, str]) -> bool:
    """Whether an English name was taken over from the worked example for something else."""
    local, _, english = pair.partition("=")
    return english.strip() in shown and shown[english.strip()] != local.strip()


def features_for(entities: tuple[PatternEntity, ...], roles: tuple[PatternRole, ...]) -> tuple[PatternFeature, ...]:
    """What one surely does with entities that no pattern knows."""
    names = tuple(role.en for role in roles)
    rows: list[PatternFeature] = []
    for entity in entities:
        if entity.kind in ("line", "log"):
            continue
        related = (entity.en, *(other.en for other in entities if other.of == entity.en))
        label = entity.en.replace("_", " ")
        if entity.kind in ("event", "money"):
            rows.append(_feature(f"{entity.ko} 등록", f"Register a {label}", "workflow", "create", related, names))
            rows.append(_feature(f"{entity.ko} 조회", f"Search {plural(label)}", "query", "list", related[:1], names))
        else:
            rows.append(_feature(f"{entity.ko} 관리", f"Manage {plural(label)}", "crud", "update", related, names[:1]))
    return tuple(rows)


def merged(proposal: Proposal, decisions: Decisions) -> tuple[tuple[PatternEntity, ...], tuple[PatternFeature, ...]]:
    """The entities of the design and what is done with them: proposed and kept first, then the model's own."""
    kept = [entity for entity in proposal.entities if entity.en not in decisions.dropped]
    names = {entity.en for entity in kept}
    kept = [entity for entity in kept if entity.of is None or entity.of in names]
    own = decisions.own[: max(0, MOST_ENTITIES - len(kept))]
    names = {entity.en for entity in kept}
    features = [
        feature.model_copy(update={"entities": tuple(name for name in feature.entities if name in names)})
        for feature in proposal.features
        if feature.entities[0] in names
    ]
    features += features_for(own, decisions.roles or proposal.roles)
    return (*kept, *own), _distinct(features)


def _distinct(features: list[PatternFeature]) -> tuple[PatternFeature, ...]:
    """No entity is looked after twice, whatever the patterns that met here call it."""
    kept: dict[object, PatternFeature] = {}
    for feature in features:
        key = (feature.kind, feature.action, feature.entities[0]) if feature.kind == "crud" else feature.en
        kept.setdefault(key, feature)
    return tuple(kept.values())


def _is_data(local: str, english: str) -> bool:
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", english) or len(english) > 40:
        return False
    return not local.endswith(_NOT_DATA) and english.rpartition("_")[2] not in _NOT_DATA_EN


def _entity(local: str, english: str, kind: EntityKind, *, first_event: str | None) -> PatternEntity:
    name = f"{english}_item" if english in reserved_words("postgresql") else english
    columns = tuple(ColumnHint(name=column, ddl=ddl, ko=ko) for column, ddl, ko in _HINTS[kind])
    korean = local if re.search("[가-힣]", local) else f"{local}(항목)"
    parent = first_event if kind in ("line", "log") else None
    return PatternEntity(en=name, ko=korean, kind=kind, of=parent, core=True, columns=columns)


def _first_event(found: dict[str, PatternEntity]) -> str | None:
    for kind in ("event", "thing", "party"):
        for entity in found.values():
            if entity.kind == kind:
                return entity.en
    return None


def _feature(
    ko: str, en: str, kind: str, action: str, entities: tuple[str, ...], roles: tuple[str, ...]
) -> PatternFeature:
    # not validated as the catalogue is: roles may be named in Korean alone, or not at all
    return PatternFeature.model_construct(
        ko=ko, en=en, kind=kind, action=action, pri="M", entities=entities, roles=roles
    )


def unproposed(sentence: str, proposal: Proposal, lang: Language) -> tuple[str, ...]:
    """Things of the sentence that no proposed entity or feature stands for."""
    words = [word for one in proposal.entities for word in (one.ko, one.en, *one.synonyms_ko, *one.synonyms_en)]
    proposed = "\n".join((*words, *(word for one in proposal.features for word in (one.ko, one.en))))
    return tuple(thing for thing in things(sentence, lang) if not is_named(thing, proposed))
