"""Two ways of searching as one: by words, and by meaning where an embedder is there."""

from dure import ChatClient, ScriptedModel, ToolSearchAdvisor, run_sync
from dure.models.embedding_registry import open_embedder
from dure.search import Entry, FusedIndexBuilder, KeywordIndexBuilder, VectorIndexBuilder
from dure.tools.search import ToolSearch

embedder = open_embedder("scripted:bigrams")
both = FusedIndexBuilder((KeywordIndexBuilder(), VectorIndexBuilder(embedder=embedder)))
client = ChatClient(ScriptedModel(), tool_search=ToolSearchAdvisor(search=ToolSearch(both)))


async def main() -> None:  # what it finds, without a model
    index = await both.build(
        [
            Entry(id="request_vacation", text="Ask for days off."),
            Entry(id="submit_expense_claim", text="Hand in a receipt to be paid back."),
        ]
    )
    for query in ("휴가 신청", "receipts"):
        print(query, [hit.id for hit in await index.search(query, limit=1)])


run_sync(main())
