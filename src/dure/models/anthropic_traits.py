"""What each Claude model takes, read from its name.

Figures and refusals are those of the vendor's model pages and migration guides as of November 2026. A Claude model
that is newer than they are is taken for one of the newest kind, a model of another vendor for an easy-going one.
"""

import re
from dataclasses import dataclass
from typing import Literal

from dure.models.base import ModelCapabilities

Version = tuple[int, int]

_FAMILY = re.compile(
    r"claude[-_](?:(?P<major>\d)(?:[-.](?P<minor>\d{1,2})(?!\d))?-)?(?P<family>opus|sonnet|haiku|fable|mythos|instant)"
    r"(?:-(?P<major_after>\d)(?!\d)(?:[-.](?P<minor_after>\d{1,2})(?!\d))?)?"
)
_NEWEST: Version = (99, 0)
_BINDING_SINCE: Version = (5, 1)
_DISABLED = {("opus", (5, 0)), ("sonnet", (5, 0)), ("haiku", (5, 5))}
_PART_OF_OUTPUT = 2
"""A request without a limit gets this part of what the model can write: half, since thinking counts as output too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """What a model takes and what it refuses."""

    thinking: Literal["none", "budget", "adaptive"] = "adaptive"
    """`budget` is told a number of tokens, `adaptive` an effort."""
    thinks_unasked: bool = True
    without_thinking: str | None = None
    """The type of `thinking` that turns it off where it is on unasked; `None` if nothing does."""
    binds_thinking: bool = False
    """Refuses thinking blocks after another beginning of the conversation, unless asked to drop them."""
    sampling: bool = False
    """Takes `temperature` and `top_p`."""
    forced_calls: bool = False
    """Takes a `tool_choice` that leaves no way but a call."""
    enforces_schema: bool = True
    max_output: int = 128_000
    context: int | None = 1_000_000

    @property
    def usual_output(self) -> int:
        """The limit of a request that sets none."""
        return self.max_output if self.max_output <= 32_000 else self.max_output // _PART_OF_OUTPUT

    @property
    def capabilities(self) -> ModelCapabilities:
        """What a caller may ask for."""
        return ModelCapabilities(json_schema=self.enforces_schema, context_window=self.context)


_STRANGER = Traits(
    thinking="budget",
    thinks_unasked=False,
    sampling=True,
    forced_calls=True,
    enforces_schema=False,
    max_output=32_000,
    context=None,
)
"""A model of another vendor behind this API."""


def traits_of(model: str) -> Traits:
    """The traits of a model by its name, in the spellings of the vendor, of clouds and of gateways."""
    lowered = model.lower()
    if "claude" not in lowered:
        return _STRANGER
    found = _FAMILY.search(lowered)
    if found is None:
        return Traits()
    family = found["family"]
    version = _version(found["major"] or found["major_after"], found["minor"] or found["minor_after"])
    limit, context = _sizes(family, version)
    return Traits(
        thinking="none" if version < (3, 7) else "budget" if version < (4, 6) else "adaptive",
        thinks_unasked=version >= (5, 0),
        without_thinking=_without_thinking(family, version),
        binds_thinking=_BINDING_SINCE <= version < _NEWEST,
        sampling=version < (4, 7),
        forced_calls=version <= (5, 0),
        enforces_schema=version >= (4, 5),
        max_output=limit,
        context=context,
    )


def _version(major: str | None, minor: str | None) -> Version:
    return (int(major), int(minor or 0)) if major else _NEWEST


def _without_thinking(family: str, version: Version) -> str | None:
    if (family, version) in _DISABLED:
        return "disabled"
    return "between_tools" if (family, version) == ("sonnet", (5, 5)) else None


def _sizes(family: str, version: Version) -> tuple[int, int]:
    """Most tokens of one answer, and of the context."""
    if version >= (4, 7) or (family, version) == ("opus", (4, 6)):
        return 128_000, 1_000_000
    if version >= (4, 6):
        return 64_000, 1_000_000
    if family == "opus" and (4, 0) <= version < (4, 5):
        return 32_000, 200_000
    if version >= (3, 7):
        return 64_000, 200_000
    return (8_192 if version >= (3, 5) else 4_096), 200_000
