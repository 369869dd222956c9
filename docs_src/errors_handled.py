"""One place that handles what may go wrong, an answer for each kind of person."""

from dure import ChatClient, ConfigError, DureError, ModelError, ScriptedModel, Signal, run_sync
from dure.errors import Cancelled, LimitExceeded, OutputInvalid, RateLimited, Unauthenticated


async def answer(client: ChatClient, question: str) -> str:
    try:
        return str(await client.prompt(question).entity(int))
    except OutputInvalid as error:
        return f"이해하지 못한 답변입니다: {error.raw_text}"
    except LimitExceeded:
        return "오늘 쓸 수 있는 양을 다 썼습니다."
    except ModelError as error:
        return "잠시 뒤 다시 해 주세요." if error.retryable else f"운영자에게 알려 주세요: {error}"
    except ConfigError:
        raise  # a programmer's mistake: loud, in tests and at the start
    except DureError as error:
        return f"실패했습니다: {error}"
    except Signal:
        return "중단했습니다."


turns = ("셋", "넷", "몰라요", "모르겠습니다"), (RateLimited("busy", retry_after=300),), (Unauthenticated("no key"),)
for script in (*turns, (Cancelled("stopped"),), ("42",)):
    print(run_sync(answer(ChatClient(ScriptedModel(*script)), "재고는 몇 개야?")))
