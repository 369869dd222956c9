"""How a request is asked again: always the original, plus one note."""

from dure.chat import ChatRequest
from dure.messages import UserMessage


def with_note(request: ChatRequest, note: str) -> ChatRequest:
    """The request with `note` at the end of what the user says.

    It joins the last message if that is the user's, since some models refuse two in a row.
    """
    *earlier, last = request.messages or (UserMessage(text=""),)
    if isinstance(last, UserMessage):
        return request.with_messages(*earlier, UserMessage(text=f"{last.text}\n\n{note}".strip()))
    return request.with_added(UserMessage(text=note))
