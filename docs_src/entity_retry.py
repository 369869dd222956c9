"""An invalid answer is asked for again with what is wrong; one that stays invalid is an error with its text."""

from typing import Annotated

from pydantic import BaseModel, Field

from dure import ChatClient, Event, Restarted, RunContext, StructuredOutputAdvisor, open_model, run_sync
from dure.errors import OutputInvalid


class Rating(BaseModel):
    stars: Annotated[int, Field(ge=1, le=5)]


def show(event: Event) -> None:
    if isinstance(event, Restarted):
        print("↻", event.reason)


twice = StructuredOutputAdvisor(output_type=Rating, max_retries=1)
client = ChatClient(open_model(), advisors=(twice,))


async def main() -> None:
    rate = client.prompt("이 리뷰의 별점은? 아주 만족해요!").run(RunContext(sink=show))
    print(repr(await rate.entity(Rating)))
    try:
        await rate.entity(Rating)
    except OutputInvalid as error:
        print(error)
        print("the last answer was:", error.raw_text)


run_sync(main())
