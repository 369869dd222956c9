"""One proposal from all patterns of a sentence: merged by English name, capped, what the user named first."""

from collections.abc import Iterable

from dure_spec.patterns.align import aligned
from dure_spec.patterns.catalogue import match, suite_of
from dure_spec.patterns.loader import Library, shipped
from dure_spec.patterns.machines import united, without_dead_ends
from dure_spec.patterns.model import (
    Pattern,
    PatternEntity,
    PatternFeature,
    PatternRelation,
    PatternRole,
    PatternRule,
    Proposal,
)
from dure_spec.patterns.words import Sentence

MAX_ENTITIES = 9
MAX_FEATURES = 10
MAX_ROLES = 4
_TINY_ENTITIES = 2
_MAX_PATTERNS = 3
_MAX_MODULES = 4
_LATER = 2.5
"""How many places an entity of the next pattern stands behind its peer of the one before."""
_OPTIONAL = 20.0
_PRIORITIES = "MSC"


def propose(sentence: str, *, library: Library | None = None) -> Proposal:
    """What to put before the model; empty when no pattern fits."""
    library = library or shipped()
    suite = suite_of(sentence, library=library)
    patterns = aligned(match(sentence, _MAX_MODULES if suite else _MAX_PATTERNS, library=library))
    entities = _entities(patterns, Sentence.of(sentence), spread=suite is not None)
    kept = {entity.en for entity in entities}
    features = _features(patterns, kept)
    states = united(patterns, features)
    features = without_dead_ends(features, states)
    roles = _roles(patterns, features)
    features = tuple(_with_roles(feature, roles) for feature in features)
    return Proposal(
        patterns=tuple(pattern.id for pattern in patterns),
        entities=entities,
        roles=roles,
        features=features,
        states=states,
        rules=_rules(patterns, kept),
        relations=_relations(patterns, kept),
    )


def named(entity: PatternEntity, text: Sentence) -> bool:
    """Whether the sentence itself speaks of the entity."""
    words = (entity.ko, *entity.synonyms_ko, entity.en.replace("_", " "), *entity.synonyms_en)
    return any(text.has(word.replace("_", " ")) for word in words)


def _entities(patterns: tuple[Pattern, ...], text: Sentence, *, spread: bool) -> tuple[PatternEntity, ...]:
    merged: dict[str, PatternEntity] = {}
    places: dict[str, float] = {}
    for rank, pattern in enumerate(patterns):
        for position, entity in enumerate(pattern.entities):
            place = position + (0.1 if spread else _LATER) * rank + (0.0 if entity.core else _OPTIONAL)
            if named(entity, text):
                place -= 2 * _OPTIONAL
            known = merged.get(entity.en)
            merged[entity.en] = _joined(known, entity) if known else entity
            places[entity.en] = min(place, places.get(entity.en, place))
    ordered = sorted(merged.values(), key=lambda entity: places[entity.en])
    return _with_parents(ordered, _limit(patterns, merged.values(), text))


def _limit(patterns: tuple[Pattern, ...], entities: Iterable[PatternEntity], text: Sentence) -> int:
    if not all(pattern.tiny for pattern in patterns):
        return MAX_ENTITIES
    return max(_TINY_ENTITIES, sum(named(entity, text) for entity in entities))


def _with_parents(ordered: list[PatternEntity], limit: int) -> tuple[PatternEntity, ...]:
    """The first entities up to the limit, none without the entity that it belongs to."""
    by_name = {entity.en: entity for entity in ordered}
    kept: dict[str, PatternEntity] = {}
    for entity in ordered:
        family = [entity]
        while (parent := family[-1].of) and parent in by_name and by_name[parent] not in family:
            family.append(by_name[parent])
        new = {member.en: member for member in reversed(family) if member.en not in kept}
        if len(kept) + len(new) <= limit:
            kept |= new
    return tuple(kept.values())


def _joined(first: PatternEntity, second: PatternEntity) -> PatternEntity:
    """The first pattern's entity that also answers to the names the second one has for it."""
    ko = dict.fromkeys((*first.synonyms_ko, second.ko, *second.synonyms_ko))
    en = dict.fromkeys((*first.synonyms_en, *second.synonyms_en))
    update = {
        "core": first.core or second.core,
        "synonyms_ko": tuple(word for word in ko if word != first.ko),
        "synonyms_en": tuple(en),
    }
    return first.model_copy(update=update)


def _features(patterns: tuple[Pattern, ...], kept: set[str]) -> tuple[PatternFeature, ...]:
    """Features over kept entities: Must first, then what reaches an entity that no other feature reaches yet."""
    pool: dict[str, PatternFeature] = {}
    for pattern in patterns:
        for feature in pattern.features:
            if feature.entities[0] in kept:
                left = tuple(name for name in feature.entities if name in kept)
                pool.setdefault(feature.en, feature.model_copy(update={"entities": left}))
    unique: dict[str, PatternFeature] = {}
    for feature in pool.values():
        unique.setdefault(feature.ko, feature)
    chosen: list[PatternFeature] = []
    reached: set[str] = set()
    rest = list(unique.values())
    while rest and len(chosen) < MAX_FEATURES:
        best = min(rest, key=lambda feature: (not set(feature.entities) - reached, _PRIORITIES.index(feature.pri)))
        rest.remove(best)
        chosen.append(best)
        reached |= set(best.entities)
    return tuple(sorted(chosen, key=lambda feature: _PRIORITIES.index(feature.pri)))


def _roles(patterns: tuple[Pattern, ...], features: tuple[PatternFeature, ...]) -> tuple[PatternRole, ...]:
    """Roles that have something to do, one of each pattern before a pattern's second."""
    busy = {role for feature in features for role in feature.roles}
    columns = [[role for role in pattern.roles if role.en in busy] for pattern in patterns]
    turns = [column[turn] for turn in range(MAX_ROLES) for column in columns if turn < len(column)]
    by_en: dict[str, PatternRole] = {}
    by_ko: dict[str, PatternRole] = {}
    for role in turns:
        if role.en not in by_en and role.ko not in by_ko and len(by_en) < MAX_ROLES:
            by_en[role.en] = by_ko[role.ko] = role
    return tuple(by_en.values())


def _with_roles(feature: PatternFeature, roles: tuple[PatternRole, ...]) -> PatternFeature:
    left = tuple(role.en for role in roles if role.en in feature.roles)
    return feature.model_copy(update={"roles": left or (roles[0].en,)})


def _rules(patterns: tuple[Pattern, ...], kept: set[str]) -> tuple[PatternRule, ...]:
    rows = {rule.en: rule for pattern in patterns for rule in pattern.rules if set(rule.entities) <= kept}
    return tuple(rows.values())


def _relations(patterns: tuple[Pattern, ...], kept: set[str]) -> tuple[PatternRelation, ...]:
    rows: dict[tuple[str, str, str | None], PatternRelation] = {}
    for pattern in patterns:
        for row in pattern.relations:
            ends = {row.from_, row.to} | ({row.via} if row.via else set[str]())
            if ends <= kept:
                rows.setdefault((row.from_, row.to, row.via), row)
    bridges = _bridges(patterns, kept, tuple(rows.values()))
    return (*rows.values(), *bridges)


def _bridges(
    patterns: tuple[Pattern, ...], kept: set[str], rows: tuple[PatternRelation, ...]
) -> tuple[PatternRelation, ...]:
    """Relations of entities that only one that is left out joined to the others: from both its parents, directly."""
    joined = {end for row in rows for end in (row.from_, row.to, row.via) if end}
    joined |= {name for pattern in patterns for one in pattern.entities if one.of in kept for name in (one.en, one.of)}
    alone = kept - joined if len(kept) > 1 else set[str]()
    found: dict[str, PatternRelation] = {}
    for row in (row for pattern in patterns for row in pattern.relations):
        if row.from_ not in alone or row.to in kept or row.via:
            continue
        others = (other for pattern in patterns for other in pattern.relations if other.to == row.to and not other.via)
        end = next((other.from_ for other in others if other.from_ in kept - {row.from_}), None)
        if end:
            found.setdefault(row.from_, row.model_copy(update={"to": end}))
    return tuple(found.values())
