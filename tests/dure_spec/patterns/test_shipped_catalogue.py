"""Every shipped pattern holds together: names, references, states, and a feature for everything."""

import re
from collections import Counter

import pytest

from dure_spec.derive.identifiers import reserved_words
from dure_spec.derive.types import parse_type
from dure_spec.patterns import Pattern, faults_of, propose, shipped
from dure_spec.patterns.words import Sentence, strength

RESERVED = reserved_words("postgresql") | reserved_words("sqlite") | reserved_words("mysql")
PATTERNS = shipped().patterns
every_pattern = pytest.mark.parametrize("pattern", PATTERNS, ids=[pattern.id for pattern in PATTERNS])


def test_the_catalogue_covers_at_least_forty_five_kinds_of_business() -> None:
    assert len(PATTERNS) >= 45
    assert len({pattern.en for pattern in PATTERNS}) == len({pattern.ko for pattern in PATTERNS}) == len(PATTERNS)


@every_pattern
def test_references_resolve(pattern: Pattern) -> None:
    assert list(faults_of(pattern)) == []


@every_pattern
def test_names_are_legal_bare_and_unique(pattern: Pattern) -> None:
    entities = [entity.en for entity in pattern.entities]
    assert len(set(entities)) == len(entities)
    for entity in pattern.entities:
        columns = [column.name for column in entity.columns]
        assert len(set(columns)) == len(columns), entity.en
        assert {entity.en, *columns}.isdisjoint(RESERVED)
        assert len({column.ko for column in entity.columns}) == len(columns), entity.en


@every_pattern
def test_column_types_are_types(pattern: Pattern) -> None:
    for entity in pattern.entities:
        for column in entity.columns:
            assert parse_type(column.ddl.removesuffix(" unique")), (entity.en, column.text)
            assert "unique" not in column.name


@every_pattern
def test_titles_are_unique_in_both_languages(pattern: Pattern) -> None:
    for titles in ([row.en for row in pattern.features], [row.ko for row in pattern.features]):
        assert [title for title, times in Counter(titles).items() if times > 1] == []
    assert len({role.en for role in pattern.roles}) == len({role.ko for role in pattern.roles}) == len(pattern.roles)


@every_pattern
def test_texts_are_free_of_foreign_scripts(pattern: Pattern) -> None:
    texts = [feature.ko for feature in pattern.features] + [rule.ko for rule in pattern.rules]
    texts += [entity.ko for entity in pattern.entities] + [role.goal_ko for role in pattern.roles]
    assert [text for text in texts if not re.fullmatch(r"(?:[가-힣0-9 ,·()]|argon2id)+", text)] == []


@every_pattern
def test_every_transition_can_be_reached_and_has_its_feature(pattern: Pattern) -> None:
    titles = {feature.en: feature for feature in pattern.features}
    for machine in pattern.states:
        reached = {machine.values[0]}
        for _ in machine.transitions:
            reached |= {after for before, after, _ in machine.transitions if before in reached}
        assert set(machine.values) == reached, machine.entity
        for _, after, title in machine.transitions:
            assert titles[title].to_state == after
            assert titles[title].entities[0] == machine.entity
        entity = next(entity for entity in pattern.entities if entity.en == machine.entity)
        assert any(column.name in ("status", "is_done") for column in entity.columns), machine.entity


@every_pattern
def test_every_core_event_can_come_into_being(pattern: Pattern) -> None:
    """By a feature that creates it, or beside the step of another entity (shipping an order makes the shipment)."""
    created = {name for row in pattern.features if row.action == "create" for name in row.entities}
    created |= {name for row in pattern.features if row.action == "transition" for name in row.entities[1:]}
    events = {entity.en for entity in pattern.entities if entity.core and entity.kind == "event"}
    assert events <= created


@every_pattern
def test_every_entity_and_every_role_has_something_to_do(pattern: Pattern) -> None:
    used = {name for feature in pattern.features for name in feature.entities}
    assert {entity.en for entity in pattern.entities} - used == set()
    busy = {role for feature in pattern.features for role in feature.roles}
    assert {role.en for role in pattern.roles} <= busy
    assert any(feature.pri == "M" for feature in pattern.features)


@every_pattern
def test_every_entity_is_tied_to_another(pattern: Pattern) -> None:
    tied = {name for row in pattern.relations for name in (row.from_, row.to, row.via)}
    tied |= {name for entity in pattern.entities if entity.of for name in (entity.en, entity.of)}
    loose = {entity.en for entity in pattern.entities} - tied
    assert len(pattern.entities) == 1 or loose == set()


@every_pattern
def test_each_of_its_triggers_fires(pattern: Pattern) -> None:
    """None is blanked out by the pattern's own list of look-alikes."""
    for trigger in (*pattern.triggers.ko, *pattern.triggers.en):
        words = " ".join(part.split("|")[0] for part in trigger.replace("*", "").split("+"))
        assert strength(Sentence.of(words), pattern.triggers) > 0, trigger


@every_pattern
def test_what_it_proposes_alone_is_whole(pattern: Pattern) -> None:
    trigger = max((*pattern.triggers.ko, *pattern.triggers.en), key=len)
    proposal = propose(" ".join(part.split("|")[0] for part in trigger.replace("*", "").split("+")))
    entities = {entity.en for entity in proposal.entities}
    assert 1 <= len(entities) <= 9
    assert len(proposal.features) <= 10
    assert len(proposal.roles) <= 4
    roles = {role.en for role in proposal.roles}
    titles = {feature.en for feature in proposal.features}
    for feature in proposal.features:
        assert set(feature.entities) <= entities
        assert feature.roles
        assert set(feature.roles) <= roles
    assert all(set(rule.entities) <= entities for rule in proposal.rules)
    assert all({row.from_, row.to} <= entities for row in proposal.relations)
    assert all(row[2] in titles for machine in proposal.states for row in machine.transitions)
    assert all(entity.of is None or entity.of in entities for entity in proposal.entities)
