"""Every wire the conformance suite goes over; a new adapter adds its own here."""

from openai_wire import OpenAIWire
from wire_port import Wire

WIRES: tuple[Wire, ...] = (OpenAIWire(),)
