"""Texts as vectors whose dot product says how alike they are."""

from dure import run_sync
from dure.models.embedding_registry import open_embedder

embedder = open_embedder("scripted:bigrams")  # without a name: Ollama's, else the one of the extra `embeddings`
articles = ["스테인리스 텀블러 500ml", "유리 물병 1L", "볼펜 0.5mm"]


async def main() -> None:
    (question,) = await embedder.embed(["보온 텀블러"], kind="query")
    vectors = await embedder.embed(articles, kind="document")
    alike = [sum(a * b for a, b in zip(question, vector, strict=True)) for vector in vectors]
    print(max(zip(alike, articles, strict=True))[1])
    await embedder.close()


run_sync(main())
