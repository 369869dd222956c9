"""Questions answered from documents: looked up once a turn, put into the user text as data to cite."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import cast

from dure.advisors import settings
from dure.advisors.base import Chain
from dure.advisors.documents_text import TEMPLATES, Language, check_template, documents_text, filled, language_of
from dure.advisors.order import RETRIEVAL
from dure.chat import NOTHING, ChatRequest, ChatResponse, nothing
from dure.errors import ConfigError, ModelTimeout
from dure.messages import Json, UserMessage
from dure.rag.document import Found, Retriever
from dure.run import RunContext
from dure.time_limit import TimeLimit

_RETRIEVED = object()
_WHERE = object()

Query = Callable[[ChatRequest], Awaitable[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Retrieved:
    """What a run looked up."""

    where: Mapping[str, Json]
    found: tuple[Found, ...]
    own: str
    """What the user said."""
    asked: UserMessage
    """The message it came in; another advisor may have put its documents there already."""
    sent: UserMessage
    """What the model gets in its place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalAdvisor:
    """Puts what a retriever finds for the newest user text beside it, before anything repeats.

    The documents stand in a block that they cannot close, with ids to cite. The caller reads them with
    `found_documents(run)`, and narrows one run with `only_documents(run, …)`.
    """

    retriever: Retriever
    limit: int = 5
    """Documents at most."""
    min_score: float | None = None
    """Documents that score less are left out; what a score means is the retriever's to say."""
    max_characters: int = 12_000
    """Of all documents together; the last one that fits in part is cut."""
    where: Mapping[str, Json] = field(default_factory=nothing)
    """What the metadata of a document must have (see `Retriever`)."""
    allow_empty: bool = False
    """Send the question alone when nothing is found, instead of telling the model that nothing was."""
    query: Query | None = None
    """Makes the query, where the newest user text alone is none (a follow-up, another language)."""
    template: str | None = None
    """With `{documents}` and `{question}`; by default in the language of the question."""
    empty_template: str | None = None
    """With `{question}`, for when nothing is found."""
    timeout: float = 30.0
    """Seconds a look-up may take."""
    name: str = "retrieval"
    order: int = RETRIEVAL

    def __post_init__(self) -> None:
        settings.instance(self.name, "retriever", self.retriever, having="retrieve", kind="retriever")
        settings.whole(self.name, "limit", self.limit, least=1)
        settings.whole(self.name, "max_characters", self.max_characters, least=1)
        settings.number(self.name, "timeout", self.timeout)
        if self.query is not None:
            settings.function(self.name, "query", self.query)
        if not isinstance(self.where, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance] - programmers err
            raise ConfigError(f"{self.name}: where must be a mapping, not {self.where!r}")
        check_template(self.name, "template", self.template, ("documents", "question"))
        check_template(self.name, "empty_template", self.empty_template, ("question",))

    async def advise(self, request: ChatRequest, chain: Chain) -> ChatResponse:
        """Answer from what was found.

        Raises:
            ModelTimeout: the retriever took too long.
        """
        place = _newest_user(request)
        if place is None:
            return await chain.next(request)
        retrieved = await self._retrieved(request, place, chain.run)
        _records(chain.run)[id(self)] = retrieved
        if retrieved.sent is retrieved.asked:
            return await chain.next(request)
        messages = request.messages
        return await chain.next(request.with_messages(*messages[:place], retrieved.sent, *messages[place + 1 :]))

    async def _retrieved(self, request: ChatRequest, place: int, run: RunContext) -> _Retrieved:
        """What was looked up for the same message already, or a new look-up."""
        asked = cast(UserMessage, request.messages[place])
        where = {**self.where, **cast("Mapping[str, Json]", run.state.get(_WHERE, NOTHING))}
        known = _records(run).get(id(self))
        if known is not None and (asked is known.asked or asked is known.sent) and where == known.where:
            return known
        own = own_text(asked, run)
        query = own if self.query is None else await self.query(request)
        found = await self._found(query, where, run) if query.strip() else ()
        text = self._text(asked.text, language_of(own), found) if query.strip() else asked.text
        sent = asked if text == asked.text else UserMessage(text=text)
        return _Retrieved(where=where, found=found, own=own, asked=asked, sent=sent)

    async def _found(self, query: str, where: Mapping[str, Json], run: RunContext) -> tuple[Found, ...]:
        remaining = run.remaining()
        limit = TimeLimit(self.timeout if remaining is None else min(self.timeout, remaining))
        try:
            found = await limit.run(self.retriever.retrieve(query, limit=self.limit, where=where))
        except TimeoutError as error:
            if not limit.expired:
                raise
            raise ModelTimeout(f"{self.name}: the retriever found nothing within {limit.seconds:g} s") from error
        kept: dict[str, Found] = {}
        for one in found:
            if self.min_score is None or one.score >= self.min_score:
                kept.setdefault(one.document.id, one)
        return tuple(kept.values())[: self.limit]

    def _text(self, question: str, language: Language, found: tuple[Found, ...]) -> str:
        default, default_empty = TEMPLATES[language]
        if found:
            documents = documents_text([one.document for one in found], self.max_characters)
            return filled(self.template or default, question=question, documents=documents)
        return question if self.allow_empty else filled(self.empty_template or default_empty, question=question)


def found_documents(run: RunContext) -> tuple[Found, ...]:
    """What the newest turn of a run was answered from, best first; nothing before there was a look-up."""
    return tuple(found for retrieved in _records(run).values() for found in retrieved.found)


def only_documents(run: RunContext, where: Mapping[str, Json]) -> None:
    """Narrow the look-ups of one run, over what the advisor itself asks for (see `Retriever`)."""
    run.state[_WHERE] = dict(where)


def own_text(message: UserMessage, run: RunContext) -> str:
    """What the user said in a message, without the documents that were put beside it."""
    if _RETRIEVED in run.state:
        for retrieved in _records(run).values():
            if message is retrieved.sent:
                return retrieved.own
    return message.text


def _records(run: RunContext) -> dict[int, _Retrieved]:
    """What each retrieval advisor of a run looked up last."""
    return cast("dict[int, _Retrieved]", run.state.setdefault(_RETRIEVED, {}))


def _newest_user(request: ChatRequest) -> int | None:
    for place in range(len(request.messages) - 1, -1, -1):
        message = request.messages[place]
        if isinstance(message, UserMessage):
            return place if message.text.strip() else None
    return None
