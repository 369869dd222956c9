"""Answers that must be JSON of a type or a schema: asked for, checked, asked for again."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from dure.advisors.again import with_note
from dure.advisors.base import Chain
from dure.advisors.order import STRUCTURED_OUTPUT
from dure.advisors.truncation import ask_uncut
from dure.chat import ChatRequest, ChatResponse
from dure.errors import ConfigError, OutputInvalid
from dure.events import Restarted
from dure.messages import Json
from dure.schema import json_schema_of, parse_as, parse_by_schema, schema_faults

FAULT_NOTE = "Your last answer was not valid:\n{faults}\nAnswer again with the whole corrected JSON and nothing else."


@dataclass(frozen=True, slots=True, kw_only=True)
class StructuredOutputAdvisor:
    """Gives back an answer whose text is JSON of `output_type` or of `json_schema`.

    A tool call is handed straight on. A retry sends the original request and the latest fault only.
    """

    output_type: Any = None
    """Anything pydantic can read; give this or `json_schema`."""
    json_schema: Mapping[str, Json] | None = None
    max_retries: int = 3
    on_exhausted: Literal["raise", "return"] = "raise"
    """`return` hands the last invalid answer to the caller as it is."""
    name: str = "structured output"
    order: int = STRUCTURED_OUTPUT
    schema: Mapping[str, Json] = field(init=False, compare=False, repr=False)
    """What the model is asked for."""

    def __post_init__(self) -> None:
        if (self.output_type is None) == (self.json_schema is None):
            raise ConfigError(f"{self.name}: give output_type or json_schema, one of the two")
        if self.max_retries < 0:
            raise ConfigError(f"{self.name}: max_retries must not be negative")
        schema = self._schema_of_type() if self.json_schema is None else self.json_schema
        faults = schema_faults(schema)
        if faults:
            raise ConfigError(f"{self.name}: the JSON Schema cannot be used: {'; '.join(faults)}")
        object.__setattr__(self, "schema", schema)

    def _schema_of_type(self) -> Mapping[str, Json]:
        from pydantic.errors import PydanticUserError

        try:
            return json_schema_of(self.output_type)
        except PydanticUserError as error:
            reason = error.message.partition("\n")[0]
            raise ConfigError(f"{self.name}: no JSON Schema can be made of {self.output_type!r}: {reason}") from error

    async def advise(self, request: ChatRequest, chain: Chain) -> ChatResponse:
        """Answer with valid JSON, or with a tool call.

        Raises:
            OutputTruncated: the answer was cut at the token limit, also with more room.
            OutputInvalid: the answer was still invalid after all retries.
        """
        asking = request.with_options(replace(request.options, json_schema=self.schema))
        faults: tuple[str, ...] = ()
        left = self.max_retries
        while True:
            asked = with_note(asking, FAULT_NOTE.format(faults="\n".join(faults))) if faults else asking
            response, roomy = await ask_uncut(asked, chain, cut=_cut)
            asking = asking.with_options(roomy.options)
            if response.message.tool_calls:
                return response
            faults = self._faults(response)
            if not faults:
                return response
            if left == 0 or response.finish_reason == "content_filter":
                return self._exhausted(response, faults)
            left -= 1
            chain.run.emit(Restarted(reason=f"invalid answer: {'; '.join(faults)}"))

    def _exhausted(self, response: ChatResponse, faults: tuple[str, ...]) -> ChatResponse:
        if self.on_exhausted == "return":
            return response
        raise OutputInvalid(f"the answer stayed invalid: {'; '.join(faults)}", raw_text=response.text)

    def _faults(self, response: ChatResponse) -> tuple[str, ...]:
        if response.finish_reason == "content_filter":
            return ("the provider withheld the answer",)
        if self.json_schema is not None:
            return parse_by_schema(response.text, self.json_schema).faults
        return parse_as(response.text, self.output_type).faults


def _cut(response: ChatResponse) -> bool:
    """A tool call that was cut is the tool loop's to judge."""
    return response.finish_reason == "length" and not response.message.tool_calls
