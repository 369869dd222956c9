"""The onion, outermost first. A number here is the only thing that decides who wraps whom.

    memory · compaction · retrieval · safeguard           once per request
      tool loop                                           repeats everything below, each round
        result trimming · evaluation · structured output · call limit · prompt cache · fallback · retry · MODEL

Fallback is outside retry, so that a blip is retried on the same provider before another is asked.
Evaluation and structured output are inside the tool loop and hand tool calls straight on.
"""

MEMORY = 100
COMPACTION = 150
RETRIEVAL = 200
SAFEGUARD = 300
TOOL_CALLING = 400
RESULT_TRIMMING = 450
EVALUATION = 500
STRUCTURED_OUTPUT = 600
CALL_LIMIT = 700
PROMPT_CACHING = 800
FALLBACK = 900
RETRY = 1000
MODEL_CALL = 10_000
"""The innermost link. Nothing may be at or below it."""
