"""Two layers of tools: those that organise the work are always visible, those that do it are found by search.

A search for what the user wants rarely finds "hand a task over" or "keep a list of what to do"; so these
stay in sight, and the system message says what each is for.
"""

from dataclasses import dataclass

from dure.advisors.tool_search import ToolSearchAdvisor
from dure.advisors.tool_search_texts import menu_suffix
from dure.tools.search.search_tool import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class OrchestrationToolCallingAdvisor(ToolSearchAdvisor):
    """A searching tool loop with meta tools (`Task`, `Skill`, `TodoWrite`, `AskUserQuestion`, …).

    Give the meta tools as `always_visible` and the domain tools as `toolbox` or by `with_tools`; a domain
    tool with the name of a meta tool is left out. Without search all tools are shown.
    """

    name: str = "orchestration"

    def suffix(self, language: Language, *, searching: bool) -> str:
        """The meta tools with the first sentence of what each does, then how to find the others."""
        always = tuple(tool.definition for tool in self.always_visible)
        return menu_suffix(language, always, searching=searching)
