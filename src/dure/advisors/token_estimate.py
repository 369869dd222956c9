"""How large a request will be for its model: estimated, and corrected by what the provider last counted."""

from dure.chat import ChatRequest, ChatResponse
from dure.memory.tokens import JSON_PER_TOKEN, message_tokens
from dure.run import RunContext

_CORRECTION = object()


def expected_tokens(request: ChatRequest, run: RunContext) -> int:
    """About how many tokens the request is; the texts alone are estimated, the rest is what was counted before."""
    correction = run.state.get(_CORRECTION)
    said = sum(map(message_tokens, request.messages))
    return said + (correction if isinstance(correction, int) else _tools_tokens(request))


def learn(request: ChatRequest, response: ChatResponse, run: RunContext) -> None:
    """Remember how far the estimate was off, if `response` tells the size of this one request."""
    usage = response.usage
    if usage.model_calls == 1 and usage.input:
        run.state[_CORRECTION] = usage.input - sum(map(message_tokens, request.messages))


def _tools_tokens(request: ChatRequest) -> int:
    """Definitions, which no message holds."""
    size = sum(len(tool.name) + len(tool.description) + len(str(tool.parameters)) for tool in request.tools)
    return round(size / JSON_PER_TOKEN)
