"""An answer that was cut at the token limit: named before anything reads it, asked for once more with more room."""

from collections.abc import Callable
from dataclasses import replace

from dure.advisors.base import Chain
from dure.chat import ChatRequest, ChatResponse
from dure.errors import InvalidRequest, OutputTruncated
from dure.events import Restarted


async def ask_uncut(
    request: ChatRequest, chain: Chain, *, cut: Callable[[ChatResponse], bool]
) -> tuple[ChatResponse, ChatRequest]:
    """An answer for which `cut` is false, and the request that had the room for it.

    Nothing of a cut answer goes back to the model.

    Raises:
        OutputTruncated: it was cut again, or there is no telling how much more room to ask for.
    """
    response = await chain.next(request)
    if not cut(response):
        return response, request
    return await once_more(request, chain, response, cut=cut)


async def once_more(
    request: ChatRequest, chain: Chain, response: ChatResponse, *, cut: Callable[[ChatResponse], bool]
) -> tuple[ChatResponse, ChatRequest]:
    """The same as `ask_uncut`, for an answer that is here already and was cut.

    Raises:
        OutputTruncated: it was cut again, or there is no telling how much more room to ask for.
    """
    limit = request.options.max_tokens or response.usage.output
    if not limit:
        raise _truncated(response)
    roomier = request.with_options(replace(request.options, max_tokens=2 * limit))
    chain.run.emit(Restarted(reason=f"cut at the token limit; once more with {2 * limit} tokens"))
    try:
        again = await chain.next(roomier)
    except InvalidRequest as error:
        raise _truncated(response) from error
    if cut(again):
        raise _truncated(again)
    return again, roomier


def _truncated(response: ChatResponse) -> OutputTruncated:
    message = "the answer was cut at the token limit; raise max_tokens or ask for less at once"
    return OutputTruncated(message, raw_text=response.text)
