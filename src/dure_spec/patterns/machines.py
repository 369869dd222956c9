"""State machines of a proposal: united over patterns, and only what chosen features can reach."""

from dure_spec.patterns.model import Pattern, PatternFeature, PatternStates


def united(patterns: tuple[Pattern, ...], features: tuple[PatternFeature, ...]) -> tuple[PatternStates, ...]:
    """One machine an entity; machines of two patterns join when they begin with the same state."""
    titles = {feature.en for feature in features}
    by_entity: dict[str, list[PatternStates]] = {}
    for machine in (machine for pattern in patterns for machine in pattern.states):
        first = by_entity.setdefault(machine.entity, [machine])[0]
        if machine is not first and machine.values[0] == first.values[0]:
            by_entity[machine.entity].append(machine)
    return tuple(left for machines in by_entity.values() if (left := _reachable(machines, titles)))


def without_dead_ends(
    features: tuple[PatternFeature, ...], machines: tuple[PatternStates, ...]
) -> tuple[PatternFeature, ...]:
    """The features less the transitions that no machine has."""
    living = {row[2] for machine in machines for row in machine.transitions}
    return tuple(feature for feature in features if feature.action != "transition" or feature.en in living)


def _reachable(machines: list[PatternStates], titles: set[str]) -> PatternStates | None:
    first = machines[0]
    reached = {first.values[0]}
    rows = tuple(dict.fromkeys(row for machine in machines for row in machine.transitions if row[2] in titles))
    for _ in rows:
        reached |= {after for before, after, _ in rows if before in reached}
    rows = tuple(row for row in rows if row[0] in reached)
    if not rows:
        return None
    values = dict.fromkeys(value for machine in machines for value in machine.values if value in reached)
    return first.model_copy(update={"values": tuple(values), "transitions": rows})
