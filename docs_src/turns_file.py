"""A file of turns in the place of a model: for demonstrations, and to try an application without a key."""

from dure import ChatClient, open_model, run_sync

client = ChatClient(open_model())  # DURE_MODEL=scripted:turns.jsonl


async def main() -> None:
    for question in ("반품은 어떻게 해요?", "배송비는요?"):
        print(await client.prompt(question).text())


run_sync(main())
