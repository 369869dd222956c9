"""Every wire the conformance suite goes over; a new adapter adds its own here."""

from anthropic_wire import AnthropicWire
from ollama_wire import OllamaWire
from openai_wire import OpenAIWire
from wire_port import Wire

WIRES: tuple[Wire, ...] = (OpenAIWire(), AnthropicWire(), OllamaWire())
