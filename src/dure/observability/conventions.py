"""Every name that traces and metrics of a run carry: the only place where one is written.

After the OpenTelemetry semantic conventions for generative AI (semantic-conventions-genai, status
Development). Names under `dure.` are our own, for what the conventions have no word.
"""

SCOPE = "dure"
"""The instrumentation scope of all spans and metrics."""

# operations, the first word of a span's name
CHAT = "chat"
EXECUTE_TOOL = "execute_tool"
INVOKE_AGENT = "invoke_agent"
ADVISOR = "advisor"
"""Ours: one link of the chain."""

# who and where
OPERATION_NAME = "gen_ai.operation.name"
PROVIDER_NAME = "gen_ai.provider.name"
CONVERSATION_ID = "gen_ai.conversation.id"
CONVERSATION_COMPACTED = "gen_ai.conversation.compacted"
AGENT_NAME = "gen_ai.agent.name"
RUN_ID = "dure.run.id"
RUN_DEPTH = "dure.run.depth"
ADVISOR_NAME = "dure.advisor.name"
ADVISOR_ORDER = "dure.advisor.order"
ERROR_TYPE = "error.type"

# what was asked
REQUEST_MODEL = "gen_ai.request.model"
REQUEST_TEMPERATURE = "gen_ai.request.temperature"
REQUEST_TOP_P = "gen_ai.request.top_p"
REQUEST_MAX_TOKENS = "gen_ai.request.max_tokens"
REQUEST_SEED = "gen_ai.request.seed"
REQUEST_STOP_SEQUENCES = "gen_ai.request.stop_sequences"
REQUEST_REASONING_LEVEL = "gen_ai.request.reasoning.level"
OUTPUT_TYPE = "gen_ai.output.type"

# what was answered
RESPONSE_MODEL = "gen_ai.response.model"
RESPONSE_FINISH_REASONS = "gen_ai.response.finish_reasons"
RESPONSE_TIME_TO_FIRST_CHUNK = "gen_ai.response.time_to_first_chunk"
USAGE_INPUT = "gen_ai.usage.input_tokens"
USAGE_OUTPUT = "gen_ai.usage.output_tokens"
USAGE_CACHE_READ = "gen_ai.usage.cache_read.input_tokens"
USAGE_CACHE_WRITE = "gen_ai.usage.cache_write.input_tokens"
"""Was `gen_ai.usage.cache_creation.input_tokens`."""
USAGE_REASONING = "gen_ai.usage.reasoning.output_tokens"
USAGE_COST = "dure.usage.cost"
"""US dollars; left out where unknown."""

# tools
TOOL_NAME = "gen_ai.tool.name"
TOOL_TYPE = "gen_ai.tool.type"
TOOL_CALL_ID = "gen_ai.tool.call.id"
TOOL_DESCRIPTION = "gen_ai.tool.description"

# content, only when it is asked for
INPUT_MESSAGES = "gen_ai.input.messages"
OUTPUT_MESSAGES = "gen_ai.output.messages"
SYSTEM_INSTRUCTIONS = "gen_ai.system_instructions"
TOOL_DEFINITIONS = "gen_ai.tool.definitions"
TOOL_CALL_ARGUMENTS = "gen_ai.tool.call.arguments"
TOOL_CALL_RESULT = "gen_ai.tool.call.result"

# metrics; their attributes have few values, whatever models and people write
INFERENCE_DURATION = "gen_ai.client.inference.duration"
"""Was `gen_ai.client.operation.duration`."""
INFERENCE_TIME_TO_FIRST_CHUNK = "gen_ai.client.inference.time_to_first_chunk"
INFERENCE_INPUT = "gen_ai.client.inference.usage.input_tokens"
"""This counter and those below replace `gen_ai.client.token.usage`."""
INFERENCE_OUTPUT = "gen_ai.client.inference.usage.output_tokens"
INFERENCE_CACHE_READ = "gen_ai.client.inference.usage.cache_read.input_tokens"
INFERENCE_CACHE_WRITE = "gen_ai.client.inference.usage.cache_write.input_tokens"
INFERENCE_REASONING = "gen_ai.client.inference.usage.reasoning.output_tokens"
INFERENCE_COST = "dure.client.inference.usage.cost"
AGENT_DURATION = "gen_ai.invoke_agent.duration"
AGENT_INFERENCE_CALLS = "gen_ai.invoke_agent.inference_calls"
AGENT_TOOL_CALLS = "gen_ai.invoke_agent.tool_calls"
TOOL_DURATION = "gen_ai.execute_tool.duration"
TOKEN_MODALITY = "gen_ai.token.modality"

# values
FUNCTION = "function"
TEXT = "text"
JSON = "json"
ERROR = "error"
"""The finish reason of a model call that gave no answer."""
TOOL_ERROR = "tool_error"
"""The `error.type` of a tool whose result tells the model of a failure."""
OTHER = "_OTHER"
"""Stands for names that a model made up, where any name would be one more time series."""

# settings
CAPTURE_VARIABLE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"

_PROVIDERS = {
    "azure": "azure.ai.openai",
    "bedrock": "aws.bedrock",
    "gemini": "gcp.gemini",
    "google": "gcp.gen_ai",
    "mistral": "mistral_ai",
    "moonshot": "moonshot_ai",
    "vertex": "gcp.vertex_ai",
    "watsonx": "ibm.watsonx.ai",
    "xai": "x_ai",
}


def provider_and_model(name: str) -> tuple[str, str]:
    """`provider:model` as the two values of the conventions; the provider is `_OTHER` where none is named."""
    provider, colon, model = name.partition(":")
    if not colon:
        return OTHER, name
    return _PROVIDERS.get(provider, provider), model
