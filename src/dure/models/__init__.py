"""The chat-model port. Adapters are modules of their own, imported where they are used.

The usual door is `dure.models.registry.open_model`; tests take `dure.models.scripted.ScriptedModel`.
"""

from dure.models.base import ChatModel, ModelCapabilities

__all__ = ["ChatModel", "ModelCapabilities"]
