"""Two patterns may call one thing by two names (`item`, `product`): the later one takes the earlier one's name."""

from dure_spec.patterns.model import Pattern, PatternEntity

_STANDING = frozenset(("party", "thing", "code"))


def aligned(patterns: tuple[Pattern, ...]) -> tuple[Pattern, ...]:
    """The patterns, best first, with the same name for the same thing."""
    known: dict[str, PatternEntity] = {}
    result: list[Pattern] = []
    for pattern in patterns:
        own = {entity.en for entity in pattern.entities}
        names: dict[str, str] = {}
        for entity in pattern.entities:
            twin = None if entity.en in known else _twin(entity, known)
            if twin and twin not in own and twin not in names.values():
                names[entity.en] = twin
        result.append(_renamed(pattern, names) if names else pattern)
        known |= {entity.en: entity for entity in result[-1].entities if entity.en not in known}
    return tuple(result)


def _twin(entity: PatternEntity, known: dict[str, PatternEntity]) -> str | None:
    """The known entity with this meaning; what happens or is paid must name each other, the rest one the other."""
    for other in known.values():
        named = (other.en in entity.synonyms_en) + (entity.en in other.synonyms_en)
        if other.kind == entity.kind and named >= (1 if entity.kind in _STANDING else 2):
            return other.en
    return None


def _renamed(pattern: Pattern, names: dict[str, str]) -> Pattern:
    def new(name: str) -> str:
        return names.get(name, name)

    def all_new(old: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(new(name) for name in old))

    return pattern.model_copy(
        update={
            "entities": tuple(
                row.model_copy(update={"en": new(row.en), "of": new(row.of) if row.of else None})
                for row in pattern.entities
            ),
            "features": tuple(row.model_copy(update={"entities": all_new(row.entities)}) for row in pattern.features),
            "states": tuple(row.model_copy(update={"entity": new(row.entity)}) for row in pattern.states),
            "rules": tuple(row.model_copy(update={"entities": all_new(row.entities)}) for row in pattern.rules),
            "relations": tuple(
                row.model_copy(
                    update={"from_": new(row.from_), "to": new(row.to), "via": new(row.via) if row.via else None}
                )
                for row in pattern.relations
            ),
        }
    )
