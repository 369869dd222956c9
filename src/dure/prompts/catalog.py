"""A whole set of prompts, ready for use: the packaged ones and what a source puts in their place."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from dure.prompts.keys import PromptKey
from dure.prompts.template import PromptTemplate


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptCatalog:
    """Prompts by key. Never changed: a refresh makes another one."""

    templates: Mapping[PromptKey, PromptTemplate]
    overridden: frozenset[PromptKey] = field(default=frozenset())
    """Those that are not from the package."""
    source: str = "packaged"
    """Where those come from."""

    def origin(self, key: PromptKey) -> str:
        """Where a prompt comes from."""
        return self.source if key in self.overridden else "packaged"

    def texts(self) -> dict[PromptKey, bytes]:
        """All of them as files hold them."""
        return {key: template.text.encode() for key, template in self.templates.items()}

    def with_overrides(self, overrides: Mapping[PromptKey, PromptTemplate], source: str) -> "PromptCatalog":
        """This set with those of a source in their places."""
        return PromptCatalog(templates={**self.templates, **overrides}, overridden=frozenset(overrides), source=source)
