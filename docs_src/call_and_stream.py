"""The whole response of one prompt, and the text of another as it comes."""

from dure import ChatClient, Finished, TextDelta, open_model, run_sync

client = ChatClient(open_model())


async def main() -> None:
    response = await client.prompt("재주문점을 한 문장으로 설명해 줘.").call()
    print(response.text)
    print(response.finish_reason, response.usage.input, response.usage.output)

    async for event in client.prompt("리드타임은?").stream():
        match event:
            case TextDelta(text=text):
                print(text, end="", flush=True)
            case Finished(finish_reason=reason):
                print(f"\n{reason}")
            case _:
                pass


run_sync(main())
