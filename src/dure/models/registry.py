"""From `provider:model` to a model: the usual door to this package.

Other packages add a provider by the entry point group `dure.models`: the name is the provider's, the
value a function `(model: str) -> ChatModel`.
"""

import difflib
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.metadata import entry_points

from dure.errors import ConfigError, ModelUnavailable
from dure.models.base import ChatModel
from dure.models.providers import BUILT_IN, Check, Environment, Provider
from dure.models.settings import setting

VARIABLE = "DURE_MODEL"
_AUTOMATIC = ("openai", "anthropic", "ollama", "local")
_GROUP = "dure.models"


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyRow:
    """One provider as it is here and now."""

    provider: str
    check: Check
    chosen: bool
    """Whether `open_model()` would take it."""


def open_model(spec: str | None = None, *, environ: Mapping[str, str] = os.environ) -> ChatModel:
    """The model of `spec`, else of DURE_MODEL, else the first that is usable here.

    Looks at local servers for at most half a second each when it has to choose. Nothing is loaded yet.

    Raises:
        ConfigError: the spec is malformed, or the provider is unknown.
        ModelUnavailable: nothing is usable; lists what to do.
        Unauthenticated: the provider needs a key that is not set.
    """
    wanted = spec.strip() if spec is not None else setting(environ, VARIABLE)
    if not wanted:
        return _first_usable(environ).open("", environ)
    provider, model = _parsed(wanted, _providers())
    return provider.open(model, environ)


def survey(*, environ: Mapping[str, str] = os.environ) -> list[SurveyRow]:
    """Every provider, whether it is usable here and why not, and which one would be chosen.

    Raises:
        ConfigError: DURE_MODEL is malformed, or names an unknown provider.
    """
    known = _providers()
    wanted = setting(environ, VARIABLE)
    named = _parsed(wanted, known) if wanted else None
    checks = {name: _checked(provider, environ) for name, provider in known.items()}
    if named is None:
        chosen = next((name for name in _AUTOMATIC if checks[name].state == "ready"), "")
    else:
        chosen = named[0].name
        if named[1]:
            checks[chosen] = replace(checks[chosen], model=named[1])
    return [SurveyRow(provider=name, check=check, chosen=name == chosen) for name, check in checks.items()]


def _parsed(spec: str, known: Mapping[str, Provider]) -> tuple[Provider, str]:
    name, colon, model = spec.partition(":")
    if not colon or name not in known:
        raise ConfigError(_misspelt(spec, known))
    return known[name], model.strip()


def _checked(provider: Provider, environ: Environment) -> Check:
    try:
        return provider.check(environ)
    except ConfigError as error:
        return Check(state="bad_setting", detail=str(error))


def _first_usable(environ: Environment) -> Provider:
    known = {provider.name: provider for provider in BUILT_IN}
    for name in _AUTOMATIC:
        if known[name].check(environ).state == "ready":
            return known[name]
    raise ModelUnavailable(
        "no model is usable here. Do one of these: `dure models pull` for the embedded model; set OPENAI_API_KEY or "
        f"ANTHROPIC_API_KEY; start Ollama with a chat model; or set {VARIABLE}=provider:model. "
        "`dure models` says what is missing"
    )


def _providers() -> dict[str, Provider]:
    known = {provider.name: provider for provider in BUILT_IN}
    for entry in entry_points(group=_GROUP):
        known.setdefault(entry.name, _Plugin(entry.name, entry.value).provider())
    return known


@dataclass(frozen=True, slots=True)
class _Plugin:
    """A provider of another package, imported when it is opened."""

    name: str
    value: str

    def provider(self) -> Provider:
        return Provider(name=self.name, open=self.open, check=lambda environ: Check(state="ready", detail=self.value))

    def open(self, model: str, environ: Environment) -> ChatModel:
        (entry,) = entry_points(group=_GROUP, name=self.name)
        try:
            opener = entry.load()
        except (ImportError, AttributeError) as error:
            raise ConfigError(f"provider {self.name!r} ({self.value}) cannot be loaded: {error}") from error
        opened: ChatModel = opener(model)
        return opened


def _misspelt(spec: str, known: Mapping[str, Provider]) -> str:
    name, colon, model = spec.partition(":")
    near = difflib.get_close_matches(name.strip().lower(), known, n=1, cutoff=0.5)
    listed = ", ".join(sorted(known))
    if near:
        hint = f"did you mean '{near[0]}:{model}'?"
    elif not colon:
        hint = f"write provider:model, for instance 'openai:{name}'"
    else:
        hint = "write provider:model"
    return f"{spec!r} names no model; {hint} (providers: {listed})"
