"""Prompts outside the code: sources, versions, and a store that only ever swaps in a set that is whole."""

from dure.prompts.catalog import PromptCatalog
from dure.prompts.contract import CheckedPrompts, PromptContract
from dure.prompts.faults import PromptFault
from dure.prompts.folder import FolderPrompts
from dure.prompts.kept import KeptPrompts
from dure.prompts.keys import PromptKey
from dure.prompts.opening import open_source
from dure.prompts.packaged import PackagedPrompts
from dure.prompts.source import PromptSource, PromptVersion, SourceAway
from dure.prompts.store import PromptChange, PromptStore, Refreshed
from dure.prompts.template import PromptTemplate

__all__ = [
    "CheckedPrompts",
    "FolderPrompts",
    "KeptPrompts",
    "PackagedPrompts",
    "PromptCatalog",
    "PromptChange",
    "PromptContract",
    "PromptFault",
    "PromptKey",
    "PromptSource",
    "PromptStore",
    "PromptTemplate",
    "PromptVersion",
    "Refreshed",
    "SourceAway",
    "open_source",
]
