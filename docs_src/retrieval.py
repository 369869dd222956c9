"""Answers from documents, with what was found for them."""

from dure import ChatClient, RetrievalAdvisor, RunContext, open_model, run_sync
from dure.advisors.retrieval import found_documents
from dure.rag import Document, KeywordRetriever, split_document

HANDBOOK = """# 반품 규정
## 기한
받은 날부터 7일 안에 반품할 수 있습니다.
## 배송비
단순 변심이면 왕복 배송비 6,000원을 고객이 냅니다.
# 적립금
구매 금액의 1%를 적립합니다.
"""


async def main() -> None:
    document = Document(id="handbook", text=HANDBOOK, metadata={"team": "cs"})
    retriever = await KeywordRetriever.build(split_document(document, size=80))
    client = ChatClient(open_model(), advisors=(RetrievalAdvisor(retriever=retriever, limit=2),))

    run = RunContext()
    print(await client.prompt("변심으로 반품하면 배송비는 누가 내?").run(run).text())
    for found in found_documents(run):
        print(found.document.id, found.document.metadata["title"])


run_sync(main())
