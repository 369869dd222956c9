"""Answers that must be JSON of a type or a schema: asked for, checked, asked for again."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from dure.advisors import settings
from dure.advisors.again import with_note
from dure.advisors.base import Chain
from dure.advisors.order import STRUCTURED_OUTPUT
from dure.advisors.truncation import ask_uncut
from dure.chat import ChatRequest, ChatResponse
from dure.errors import ConfigError, OutputInvalid
from dure.events import Restarted
from dure.messages import Json
from dure.schema import OutputFormat, SchemaFormat, UnusableType, schema_faults, type_format, unchecked_patterns

FAULT_NOTE = "Your last answer was not valid:\n{faults}\nAnswer again with the whole corrected JSON and nothing else."

_FINAL = {
    "content_filter": "the provider withheld the answer",
    "limit": "the run reached a limit before it had an answer",
    "blocked": "the answer was blocked",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class StructuredOutputAdvisor:
    """Gives back an answer whose text is JSON of `output_type` or of `json_schema`.

    A tool call is handed straight on. A retry sends the original request and the latest fault only.
    What is checked of a schema, and how much work it may cost: see `dure.schema`.
    """

    output_type: Any = None
    """Anything pydantic can read; give this or `json_schema`."""
    json_schema: Mapping[str, Json] | None = None
    max_retries: int = 3
    on_exhausted: Literal["raise", "return"] = "raise"
    """`return` hands the last invalid answer to the caller as it is."""
    name: str = "structured output"
    order: int = STRUCTURED_OUTPUT
    format: OutputFormat[Any] = field(init=False, compare=False, repr=False)
    """What the model is asked for, and what reads its answers."""

    def __post_init__(self) -> None:
        if (self.output_type is None) == (self.json_schema is None):
            raise ConfigError(f"{self.name}: give output_type or json_schema, one of the two")
        settings.whole(self.name, "max_retries", self.max_retries)
        settings.word(self.name, "on_exhausted", self.on_exhausted, ("raise", "return"))
        object.__setattr__(self, "format", self._of_type() if self.json_schema is None else self._of_schema())

    def _of_type(self) -> OutputFormat[Any]:
        try:
            return type_format(self.output_type)
        except UnusableType as error:
            raise ConfigError(f"{self.name}: {error}") from error

    def _of_schema(self) -> OutputFormat[Any]:
        schema = self.json_schema
        if not isinstance(schema, Mapping):
            raise ConfigError(f"{self.name}: json_schema must be a mapping, not {schema!r}")
        faults = schema_faults(schema)
        patterns = () if faults else unchecked_patterns(schema)
        if patterns:
            named = ", ".join(map(repr, patterns))
            faults = (f"{named} needs look-around or back-references, or is no pattern; write it without",)
        if faults:
            raise ConfigError(f"{self.name}: the JSON Schema cannot be used: {'; '.join(faults)}")
        return SchemaFormat(schema)

    async def advise(self, request: ChatRequest, chain: Chain) -> ChatResponse:
        """Answer with valid JSON, or with a tool call.

        Raises:
            OutputTruncated: the answer was cut at the token limit, also with more room.
            OutputInvalid: the answer was still invalid after all retries.
        """
        asking = request.with_options(replace(request.options, json_schema=self.format.schema))
        faults: tuple[str, ...] = ()
        left = self.max_retries
        while True:
            asked = with_note(asking, FAULT_NOTE.format(faults="\n".join(faults))) if faults else asking
            response, roomy = await ask_uncut(asked, chain, cut=_cut)
            asking = asking.with_options(roomy.options)
            if response.message.tool_calls:
                return response
            final = _FINAL.get(response.finish_reason)
            faults = (final,) if final else self.format.read(response.text).faults
            if not faults:
                return response
            if left == 0 or final:
                return self._exhausted(response, faults)
            left -= 1
            chain.run.emit(Restarted(reason=f"invalid answer: {'; '.join(faults)}"))

    def _exhausted(self, response: ChatResponse, faults: tuple[str, ...]) -> ChatResponse:
        if self.on_exhausted == "return":
            return response
        raise OutputInvalid(f"the answer stayed invalid: {'; '.join(faults)}", raw_text=response.text)


def _cut(response: ChatResponse) -> bool:
    """A tool call that was cut is the tool loop's to judge."""
    return response.finish_reason == "length" and not response.message.tool_calls
