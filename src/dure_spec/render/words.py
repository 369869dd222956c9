"""The fixed words of the rendered documents, one file a language."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import cast

from dure_spec.artifacts.shared import Language


@cache
def words(lang: Language) -> Mapping[str, str]:
    """All words of a language; groups are written `group.key`."""
    text = files("dure_spec.render").joinpath("templates", f"{lang}.json").read_text(encoding="utf-8")
    groups = cast(dict[str, dict[str, str]], json.loads(text))
    return MappingProxyType({f"{group}.{key}": word for group, each in groups.items() for key, word in each.items()})
