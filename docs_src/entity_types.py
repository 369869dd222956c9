"""Other things an answer may be: lists, unions, typed dictionaries, one of some words, plain JSON by a schema."""

from typing import Literal, TypedDict

from pydantic import BaseModel, Field

from dure import ChatClient, open_model, run_sync


class Refund(BaseModel):
    kind: Literal["refund"]
    amount: int = Field(gt=0, description="In won.")


class Exchange(BaseModel):
    kind: Literal["exchange"]
    sku: str


class Contact(TypedDict):
    name: str
    phone: str


client = ChatClient(open_model())


async def main() -> None:
    print(await client.prompt("색상 이름 세 개").entity(list[str]))
    print(repr(await client.prompt("3만 원 환불해 주세요.").entity(Refund | Exchange)))
    print(await client.prompt("담당자: 김하나 010-1234-5678").entity(Contact))
    print(await client.prompt("배송이 너무 늦어요!").entity(Literal["칭찬", "불만", "문의"]))
    schema = {"type": "object", "properties": {"score": {"type": "integer"}}, "required": ["score"]}
    print(await client.prompt("5점 만점에 4점입니다.").entity(schema))


run_sync(main())
