"""A recursive advisor: an answer that cannot be used is asked for again, with what was wrong with it."""

from dataclasses import dataclass, replace

from dure.advisors.again import with_more_room, with_note
from dure.advisors.base import Chain
from dure.advisors.order import EVALUATION
from dure.chat import ChatRequest, ChatResponse
from dure.errors import OutputInvalid
from dure.events import Restarted
from dure_spec.agents.question import AnswerRefused, Check


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCheckAdvisor:
    """Hands a usable answer on; refuses the rest at most `max_retries` times.

    A text cut at the token limit is never looked at: it gets twice the room. An answer that is
    refused twice in the same words is not asked for a third time.
    """

    check: Check
    note: str
    """Sentence around the fault, with `$fault`, in the language of the prompt."""
    max_retries: int = 2
    name: str = "answer check"
    order: int = EVALUATION

    async def advise(self, request: ChatRequest, chain: Chain) -> ChatResponse:
        """Answer with the first usable text.

        Raises:
            OutputInvalid: none came; it carries the last text and its fault.
        """
        asked, room, refused, text = request, request, set[str](), ""
        fault = ""
        for retry in range(self.max_retries + 1):
            response = await chain.next(asked)
            if response.message.tool_calls:
                return response
            text, fault = response.text, self._fault(response)
            if not fault:
                return response
            if retry == self.max_retries or text in refused:
                break
            refused.add(text)
            chain.run.emit(Restarted(reason=fault))
            if response.finish_reason == "length":
                asked = room = with_more_room(room, response) or room
            else:
                asked = _livelier(with_note(room, self.note.replace("$fault", fault)), retry)
        raise OutputInvalid(f"no usable answer after {retry + 1} attempts: {fault}", raw_text=text)

    def _fault(self, response: ChatResponse) -> str:
        if response.finish_reason == "length":
            return "the answer was cut at the token limit"
        try:
            self.check(response.text)
        except AnswerRefused as refusal:
            return str(refusal)
        return ""


def _livelier(request: ChatRequest, retry: int) -> ChatRequest:
    """The same request at a higher temperature, so that the same answer is not all there is to give."""
    base = request.options.temperature or 0.0
    return request.with_options(replace(request.options, temperature=min(1.0, base + 0.2 * (retry + 1))))
