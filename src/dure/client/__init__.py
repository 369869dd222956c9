"""The fluent door to a chain, and the edges of a run."""

from dure.client.chat_client import ChatClient
from dure.client.prompt_spec import PromptSpec
from dure.client.streaming import run_sync

__all__ = ["ChatClient", "PromptSpec", "run_sync"]
