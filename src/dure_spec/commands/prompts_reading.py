"""What the prompts commands look at: the set in use, one text, two texts, a history, a refresh."""

import os
from collections.abc import Mapping
from typing import NamedTuple, get_args

from dure.console.models_texts import language
from dure.errors import ConfigError
from dure.prompts import PromptKey, PromptSource, PromptStore
from dure.prompts.keys import is_version, normalised
from dure_spec.agents.prompt_files import open_source, open_store
from dure_spec.artifacts.shared import STAGES, Language
from dure_spec.config import PACKAGED, design_config
from dure_spec.service.answers import HistoryAnswer, RefreshOutcome, VersionRow, refresh_outcome

LANGUAGES: tuple[str, ...] = get_args(Language)
_STAGES: tuple[str, ...] = STAGES


class Pair(NamedTuple):
    """Two texts of one prompt and what they are called."""

    key: PromptKey
    older: str
    newer: str
    older_name: str
    newer_name: str


def where_from(source: str | None) -> str | None:
    """The source that is asked for, or the one of the environment or the configuration."""
    return source if source is not None else design_config().prompts


async def loaded(source: str | None) -> PromptStore:
    """The store of a source, with the set in use.

    Raises:
        ConfigError: the source is faulty or away, and nothing is kept of it.
    """
    store = open_store(where_from(source))
    await store.load()
    return store


async def refreshed(source: str | None) -> RefreshOutcome:
    """A refresh against what was good before."""
    store = open_store(where_from(source))
    store.restore()
    return refresh_outcome(await store.refresh())


async def text_of(name: str, lang: str | None, source: str | None, version: str | None) -> str:
    """One text.

    Raises:
        ConfigError: there is no such prompt or version.
    """
    key = key_of(name, lang)
    if version is None:
        return (await loaded(source)).current.templates[key].text
    return await _version(key, version, open_source(where_from(source)))


async def pairs(
    name: str | None, lang: str | None, source: str | None, older: str | None, newer: str | None
) -> tuple[Pair, ...]:
    """The texts to compare, of one prompt or of all.

    Raises:
        ConfigError: there is no such prompt or version, or a version is asked of all prompts.
    """
    if name is None and (older or newer):
        raise ConfigError("a version belongs to one prompt: dure prompts diff NAME --from … --to …")
    check_lang(lang)
    store = await loaded(source)
    keys = [key_of(name, lang)] if name else [key for key in store.current.templates if lang in (None, key.lang)]
    found: list[Pair] = []
    for key in sorted(keys):
        before, after = store.package.templates[key].text, store.current.templates[key].text
        if older is not None:
            before = await _version(key, older, open_source(where_from(source)))
        if newer is not None:
            after = await _version(key, newer, open_source(where_from(source)))
        found.append(Pair(key, before, after, older or PACKAGED, newer or store.current.origin(key)))
    return tuple(found)


async def history_of(name: str, lang: str | None, source: str | None) -> HistoryAnswer:
    """The versions of a prompt; of one that the source does not have, the packaged one."""
    key, asked = key_of(name, lang), open_source(where_from(source))
    entries, holder = await asked.history(key), asked
    if not entries:
        holder = open_source(PACKAGED)
        entries = await holder.history(key)
    (packaged,) = [entry.version for entry in await open_source(PACKAGED).history(key)]
    rows = (
        VersionRow(
            version=entry.version,
            added_at=None if entry.added_at is None else entry.added_at.isoformat(timespec="seconds"),
            current=entry.current,
            packaged=entry.version == packaged,
        )
        for entry in entries
    )
    return HistoryAnswer(prompt=str(key), source=holder.name, versions=tuple(rows))


def key_of(name: str, lang: str | None, environ: Mapping[str, str] = os.environ) -> PromptKey:
    """The prompt that a user names; where no language is said, in that of the environment.

    Raises:
        ConfigError: there is none of this name.
    """
    check_lang(lang)
    before, _, stage = name.rpartition("/")
    if stage not in _STAGES or (before and before not in LANGUAGES):
        raise ConfigError(f"no prompt {name!r}; there are: {', '.join(STAGES)}, or with a language: ko/{STAGES[0]}")
    if before and lang and before != lang:
        raise ConfigError(f"{name!r} and --lang {lang} are two languages; give one")
    return PromptKey(before or lang or language(environ), stage)


def check_lang(lang: str | None) -> None:
    """Refuse a language that is none of ours.

    Raises:
        ConfigError: it is not.
    """
    if lang is not None and lang not in LANGUAGES:
        raise ConfigError(f"--lang is {lang!r}; give {' or '.join(LANGUAGES)}")


async def _version(key: PromptKey, version: str, source: PromptSource) -> str:
    """A version that the source keeps, or the packaged one."""
    package = open_source(PACKAGED)
    if version == PACKAGED:
        return normalised((await package.read())[key])
    if not is_version(version):
        raise ConfigError(f"{version!r} is no version; give the 12 digits that dure prompts history shows")
    for place in (source, package):
        found = await place.read_version(key, version)
        if found is not None:
            return _as_text(key, found)
    raise ConfigError(f"{source.name} keeps no version {version} of {key}; dure prompts history {key} lists them")


def _as_text(key: PromptKey, raw: bytes) -> str:
    try:
        return normalised(raw)
    except UnicodeDecodeError as error:
        raise ConfigError(f"that version of {key} is not UTF-8 and cannot be shown") from error
