"""Screening of a sentence by code alone: refuse harm, turn unsafe wishes into questions, bound the scope."""

import re

from dure_spec.artifacts.shared import Language
from dure_spec.intake.model import Intake, Scope, ScopeQuestion, Substitution
from dure_spec.intake.rulebook import HarmRule, SubstitutionRule, harm_book, size_book, substitution_book
from dure_spec.intake.sentence import checked, language
from dure_spec.patterns import Pattern, match, shipped, suite_of
from dure_spec.patterns.words import Sentence, fires

_CLAUSE = re.compile(r"[.!?;\n]+")
_FIRST_MODULES = 4


def screen(sentence: str, *, lang: Language | None = None) -> Intake:
    """What can be said about the sentence before any model call; `lang` where the user names one.

    Raises:
        ConfigError: the sentence cannot be read; the message says in both languages what to do.
    """
    text = checked(sentence)
    lang = lang or language(text)
    harm = _harm(text)
    if harm is not None:
        reason = harm.ko if lang == "ko" else harm.en
        return Intake(sentence=text, lang=lang, verdict="refused", reason=reason)
    needs_database = _needs_database(text)
    first, later = _modules(text)
    return Intake(
        sentence=text,
        lang=lang,
        scope=_scope(text, broad=bool(first), needs_database=needs_database),
        substitutions=_substitutions(text, lang),
        scope_question=_scope_question(first, later, lang) if first else None,
        out_of_scope=tuple(size_book().later.in_(lang).format(_name(pattern, lang)) for pattern in later),
        needs_database=needs_database,
    )


def _harm(text: str) -> HarmRule | None:
    """The rule that one clause, or the whole, breaks without a word of defence beside it."""
    book = harm_book()
    for part in (*_CLAUSE.split(text), text):
        words = Sentence.of(part)
        if _any(words, book.defence) and not _any(words, book.evasion):
            continue
        for rule in book.rule:
            if _any(words.without(rule.not_within), rule.triggers):
                return rule
    return None


def _any(words: Sentence, triggers: tuple[str, ...]) -> bool:
    return any(fires(words, trigger) for trigger in triggers)


def _substitutions(text: str, lang: Language) -> tuple[Substitution, ...]:
    words = Sentence.of(text)
    hit = [rule for rule in substitution_book().rule if _any(words, rule.triggers) and not _any(words, rule.unless)]
    ids = {rule.id for rule in hit}
    return tuple(_substitution(rule, lang) for rule in hit if not ids & set(rule.yields_to))


def _substitution(rule: SubstitutionRule, lang: Language) -> Substitution:
    options = rule.options.in_(lang)
    return Substitution(
        id=rule.id,
        asked=rule.asked.in_(lang),
        instead=rule.instead.in_(lang),
        question_text=rule.question.in_(lang),
        options=options,
        default=options[0],
    )


def _modules(text: str) -> tuple[tuple[Pattern, ...], tuple[Pattern, ...]]:
    """Patterns to begin with and patterns for later; both empty when one design is enough."""
    suite = suite_of(text)
    if suite is not None:
        by_id = {pattern.id: pattern for pattern in shipped().patterns}
        return tuple(by_id[key] for key in suite.modules), tuple(by_id[key] for key in suite.later)
    many = match(text, limit=len(shipped().patterns))
    if len(many) < size_book().many_modules:
        return (), ()
    return many[:_FIRST_MODULES], many[_FIRST_MODULES:]


def _scope_question(first: tuple[Pattern, ...], later: tuple[Pattern, ...], lang: Language) -> ScopeQuestion:
    groups = (first, first[:2], later) if later else (first, first[:2])
    options = tuple(", ".join(_name(pattern, lang) for pattern in group) for group in groups)
    return ScopeQuestion(
        text=size_book().question.in_(lang),
        options=options,
        default=options[0],
        modules=tuple(pattern.id for pattern in first),
    )


def _name(pattern: Pattern, lang: Language) -> str:
    return pattern.ko if lang == "ko" else pattern.en


def _needs_database(text: str) -> bool:
    words, book = Sentence.of(text), size_book()
    if not _any(words, book.no_tables) or _any(words, book.keeps_data):
        return True
    return any(not pattern.tiny for pattern in match(text))


def _scope(text: str, *, broad: bool, needs_database: bool) -> Scope:
    if broad:
        return "broad"
    found = match(text)
    tiny = bool(found) and all(pattern.tiny for pattern in found)
    return "small" if tiny or not needs_database or _any(Sentence.of(text), size_book().personal) else "normal"
