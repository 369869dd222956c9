"""From what was given to a client or a prompt to the links of its chain."""

from collections.abc import Sequence
from typing import cast

from dure.advisors.base import Advisor, ToolAdvisor
from dure.advisors.call_limit import CallLimitAdvisor
from dure.advisors.chain import arranged
from dure.advisors.retry import RetryAdvisor
from dure.advisors.tool_calling import ToolCallingAdvisor
from dure.tools.base import Tool
from dure.tools.toolbox import Toolbox

_ALWAYS: tuple[Advisor, ...] = (CallLimitAdvisor(), RetryAdvisor())


def assembled(advisors: Sequence[Advisor], tools: Sequence[Tool]) -> tuple[Advisor, ...]:
    """The advisors in their order, the tools joined to the tool loop, a retry and a call limit in any case.

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
        links.append(ToolCallingAdvisor(toolbox=Toolbox(tuple(tools))))
    kinds = [type(advisor) for advisor in links]
    links += [default for default in _ALWAYS if type(default) not in kinds]
    return arranged(links)
