"""From what was given to a client or a prompt to the links of its chain."""

from collections.abc import Sequence
from typing import cast

from dure.advisors.base import Advisor, ToolAdvisor
from dure.advisors.chain import arranged
from dure.advisors.retry import RetryAdvisor
from dure.advisors.tool_search import ToolSearchAdvisor, auto_tool_advisor
from dure.tools.base import Tool

_RETRY = RetryAdvisor()


def assembled(
    advisors: Sequence[Advisor], tools: Sequence[Tool], *, search: ToolSearchAdvisor | None, search_from: int
) -> tuple[Advisor, ...]:
    """The advisors in their order, the tools joined to the tool loop, a retry in any case.

    Without a tool loop among the advisors, `search` is the loop from `search_from` tools on.

    Raises:
        ConfigError: two tools have the same name, or the advisors cannot be one chain.
    """
    links: list[Advisor] = []
    for advisor in advisors:
        if tools and getattr(advisor, "runs_tools", False) and not isinstance(advisor, type):
            advisor = cast(ToolAdvisor, advisor).with_tools(*tools)
            tools = ()
        links.append(advisor)
    if tools:
        links.append(auto_tool_advisor(tools, searching=search, threshold=search_from))
    if not any(isinstance(advisor, RetryAdvisor) for advisor in links):
        links.append(_RETRY)
    return arranged(links)
