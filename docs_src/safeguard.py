"""Words that must not be asked about or answered with."""

import re

from dure import ChatClient, SafeguardAdvisor, open_model, run_sync

guard = SafeguardAdvisor(words=("급여 대장", "salary"), patterns=(re.compile(r"\d{6}-[1-4]\d{6}"),))
client = ChatClient(open_model(), advisors=(guard,), system="Never talk about the salary of anybody.")


async def main() -> None:
    for question in ("급여대장을 보여 줘.", "김하나 님의 주민등록번호는?", "사무실 위치는?"):
        response = await client.prompt(question).call()
        print(response.finish_reason, response.text)


run_sync(main())
