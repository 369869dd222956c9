"""How a request's options go over the Messages API, and what of them a model does not take.

Nothing is dropped in silence: what cannot be sent is said in the prompt where words can do it, and told to the log.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from dure.chat import ChatOptions
from dure.errors import ConfigError
from dure.messages import Json
from dure.models.anthropic_schema import enforceable
from dure.models.anthropic_traits import Traits
from dure.models.openai_messages import encode

_OWN = frozenset({"model", "messages", "system", "tools", "stream"})
_BUDGETS: Mapping[str, int] = {"low": 2_048, "medium": 8_192, "high": 16_000}
"""Tokens of thinking for models that are told a number."""
_SMALLEST_BUDGET = 1_024
_LEAST_TOP_P = 0.95
"""What a model that thinks still takes."""
BINDING: Json = {"prefix_mismatch_behavior": "drop_block"}
"""Thinking whose beginning of the conversation changed (a tool was found, memory was shortened) is left out."""

CALL_NOTE = "(Call at least one of the tools now; do not answer in text.)"
SCHEMA_NOTE = "Answer with one JSON value of this JSON Schema and nothing else, no code fence:\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The fields of a body that come from options."""

    fields: Mapping[str, Json]
    words: str = ""
    """Said to the model instead of what no field can say."""
    losses: tuple[str, ...] = ()
    """What the model does not take, for the operator."""


def plan(options: ChatOptions, traits: Traits, *, tools: bool, thinking_began: bool) -> Plan:
    """The fields for these options; `thinking_began` is false in a turn whose first answer came without thinking.

    Raises:
        ConfigError: `options.extra` tries to replace the model, messages, system, tools or streaming.
    """
    taken = _OWN.intersection(options.extra)
    if taken:
        raise ConfigError(f"ChatOptions.extra may not set {', '.join(sorted(taken))}; these come from the request")
    words: list[str] = []
    losses: list[str] = []
    limit = options.max_tokens or traits.usual_output
    forced = tools and options.tool_choice == "required"
    fields: dict[str, Json] = {"max_tokens": limit, "stream": True}
    if options.stop:
        fields["stop_sequences"] = list(options.stop)
    if tools and options.tool_choice is not None:
        fields["tool_choice"] = {"type": options.tool_choice}
    if forced and traits.forced_calls:
        fields["tool_choice"] = {"type": "any"}
    elif forced:
        fields["tool_choice"] = {"type": "auto"}
        words.append(CALL_NOTE)
        losses.append("tool_choice 'required' is asked for in words, since the model refuses it as a setting")
    _add_thinking(fields, options, traits, losses, off=forced and traits.forced_calls, began=thinking_began)
    _add_sampling(fields, options, traits, losses)
    if options.json_schema is not None:
        _add_schema(fields, options.json_schema, traits, words)
    fields.update(options.extra)
    if not tools:
        fields.pop("tool_choice", None)  # refused where there is nothing to choose
    sent = {name: value for name, value in fields.items() if value is not None}
    return Plan(fields=sent, words="\n\n".join(words), losses=tuple(losses))


def _add_thinking(
    fields: dict[str, Json], options: ChatOptions, traits: Traits, losses: list[str], *, off: bool, began: bool
) -> None:
    wanted = options.reasoning
    if off and (wanted in _BUDGETS or traits.thinks_unasked):
        if wanted in _BUDGETS:
            losses.append("reasoning is off in calls with tool_choice 'required', since the API takes one of the two")
        wanted = "off"
    if wanted is not None and wanted != "off" and traits.thinking == "budget":
        _add_budget(fields, wanted, losses, began=began)
    elif wanted is not None and wanted != "off" and traits.thinking == "none":
        losses.append("reasoning is left out, since the model does not think")
    elif wanted == "off":
        _turn_off(fields, traits, losses)
    elif traits.binds_thinking or wanted is not None:
        fields["thinking"] = {"type": "adaptive"}
        if wanted is not None:
            fields["thinking"]["display"] = "summarized"
            fields["output_config"] = {"effort": wanted}
    if traits.binds_thinking and fields.get("thinking", {}).get("type") == "adaptive":
        fields["thinking"]["block_binding"] = BINDING


def _add_budget(fields: dict[str, Json], wanted: str, losses: list[str], *, began: bool) -> None:
    budget = min(_BUDGETS[wanted], fields["max_tokens"] // 2)
    if budget < _SMALLEST_BUDGET:
        losses.append(f"reasoning is left out, since it takes a max_tokens of at least {2 * _SMALLEST_BUDGET:,}")
    elif not began:
        losses.append("reasoning is left out until the next user turn, since the answers of this one began without")
    else:
        fields["thinking"] = {"type": "enabled", "budget_tokens": budget}


def _turn_off(fields: dict[str, Json], traits: Traits, losses: list[str]) -> None:
    if not traits.thinks_unasked:
        return
    if traits.without_thinking is not None:
        fields["thinking"] = {"type": traits.without_thinking}
        return
    fields["thinking"] = {"type": "adaptive"}
    fields["output_config"] = {"effort": "low"}
    losses.append("reasoning 'off' becomes the lowest effort, since the model always thinks")


def _add_sampling(fields: dict[str, Json], options: ChatOptions, traits: Traits, losses: list[str]) -> None:
    if options.seed is not None:
        losses.append("seed is left out, since the API has none")
    if options.temperature is None and options.top_p is None:
        return
    thinks = fields.get("thinking", {}).get("type") in ("enabled", "adaptive")
    if not traits.sampling:
        losses.append("temperature and top_p are left out, since the model refuses them")
    elif thinks:
        losses.append("temperature is left out while the model thinks, since the API refuses it then")
        if options.top_p is not None and options.top_p >= _LEAST_TOP_P:
            fields["top_p"] = options.top_p
    elif options.temperature is not None:
        fields["temperature"] = options.temperature
        if options.top_p is not None:
            losses.append("top_p is left out, since the API takes it or temperature")
    else:
        fields["top_p"] = options.top_p


def _add_schema(fields: dict[str, Json], schema: Mapping[str, Json], traits: Traits, words: list[str]) -> None:
    fitted = enforceable(schema) if traits.enforces_schema else None
    if fitted is None:
        words.append(SCHEMA_NOTE + encode(schema).decode())
    else:
        fields["output_config"] = {
            **fields.get("output_config", {}),
            "format": {"type": "json_schema", "schema": fitted},
        }
