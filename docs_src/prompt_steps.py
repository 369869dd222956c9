"""A prompt put together step by step; every step gives a new one."""

from dure import AssistantMessage, ChatClient, ChatOptions, UserMessage, open_model, run_sync

client = ChatClient(open_model(), system="You write product names.", options=ChatOptions(max_tokens=200))

examples = client.prompt().messages(
    UserMessage(text="볼펜 / 파랑 / 0.5mm"),
    AssistantMessage(text="슬림 볼펜 0.5 블루"),
)
careful = examples.options(ChatOptions(temperature=0.0))

print(run_sync(careful.user("노트 / A5 / 줄").text()))
print(run_sync(careful.user("가위 / 왼손용").system("You write product names in English.").text()))
print(careful.given_options.max_tokens, careful.given_options.temperature, examples.given_options.temperature)
