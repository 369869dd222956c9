"""Requests whose beginning stays the same, so that the provider charges it once."""

from dure import ChatClient, PromptCachingAdvisor, open_model, run_sync

client = ChatClient(
    open_model(),
    system="You know the whole price list: …",  # long, and the same for everybody
    advisors=(PromptCachingAdvisor(keep="1h"),),
)
for question in ("A-1의 정가는?", "B-2의 정가는?"):
    answer = run_sync(client.prompt(f"(11월 20일) {question}").conversation("견적-77").call())
    print(answer.text, answer.usage.fresh_input, "fresh,", answer.usage.cache_read, "from the cache")
