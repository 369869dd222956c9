"""A recursive advisor: an answer that cannot be used is asked for again, with what was wrong with it."""

from dataclasses import dataclass, replace

from dure.advisors.again import with_note
from dure.advisors.base import Chain
from dure.advisors.order import EVALUATION
from dure.advisors.truncation import ask_uncut
from dure.chat import ChatRequest, ChatResponse
from dure.errors import OutputInvalid
from dure.events import Restarted
from dure_spec.agents.question import AnswerRefused, Check


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCheckAdvisor:
    """Hands a usable answer on; refuses the rest at most `max_retries` times.

    A text cut at the token limit is never looked at: it gets twice the room, once. An answer that
    comes back in the same words is not asked for a third time.
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
            OutputTruncated: the answer does not fit into twice its room.
        """
        asked, refused = request, list[str]()
        while True:
            response, roomy = await ask_uncut(asked, chain, cut=_is_cut)
            if response.message.tool_calls:
                return response
            fault = self._fault(response.text)
            if not fault:
                return response
            if len(refused) == self.max_retries or response.text in refused:
                message = f"no usable answer after {len(refused) + 1} attempts: {fault}"
                raise OutputInvalid(message, raw_text=response.text)
            refused.append(response.text)
            chain.run.emit(Restarted(reason=fault))
            base = request.with_options(replace(roomy.options, temperature=_livelier(request, len(refused))))
            asked = with_note(base, self.note.replace("$fault", fault))

    def _fault(self, text: str) -> str:
        try:
            self.check(text)
        except AnswerRefused as refusal:
            return str(refusal) or "it is not in the form that was asked for"
        return ""


def _is_cut(response: ChatResponse) -> bool:
    return response.finish_reason == "length"


def _livelier(request: ChatRequest, times: int) -> float:
    """A temperature at which the same answer is not all there is to give."""
    return min(1.0, (request.options.temperature or 0.0) + 0.2 * times)
