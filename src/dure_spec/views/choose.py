"""Which view fits: JSON and plain lines on request, the live table on a terminal, plain lines elsewhere."""

import os
from collections.abc import Mapping
from typing import Literal, TextIO

from dure.errors import ConfigError
from dure_spec.artifacts.shared import Language
from dure_spec.views.base import GuardedView, View
from dure_spec.views.json_lines import JsonLinesView
from dure_spec.views.plain import PlainView
from dure_spec.views.texts import language_of

Mode = Literal["live", "plain", "json"]


def choose_mode(stream: TextIO, *, as_json: bool, as_plain: bool, environment: Mapping[str, str] = os.environ) -> Mode:
    """The mode for this output.

    Raises:
        ConfigError: JSON and plain lines are both asked for.
    """
    if as_json and as_plain:
        raise ConfigError("--json and --plain exclude each other; give one of them")
    if as_json:
        return "json"
    if as_plain or environment.get("TERM") == "dumb" or not stream.isatty():
        return "plain"
    return "live"


def open_view(mode: Mode, stream: TextIO, *, language: Language | None, sentence: str | None = None) -> View:
    """A view that writes to `stream` and never raises; without a language it takes that of the sentence.

    Without a sentence either, it waits for the run to tell it.
    """
    spoken = language_of(sentence) if language is None and sentence is not None else language
    return GuardedView(_make(mode, stream, spoken), stream)


def _make(mode: Mode, stream: TextIO, language: Language | None) -> View:
    if mode == "json":
        return JsonLinesView(stream)
    if mode == "plain":
        return PlainView(stream, language=language)
    from dure_spec.views.live import LiveView  # rich's live display is needed on terminals only

    return LiveView(stream, language=language)
