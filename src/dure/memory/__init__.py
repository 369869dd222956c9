"""What is remembered of a conversation: the port, its stores, and the window that shows the newest turns."""

from dure.memory.base import ChatMemory
from dure.memory.in_process import InProcessMemory
from dure.memory.sqlite import SqliteMemory
from dure.memory.window import WindowMemory, turns, window

__all__ = ["ChatMemory", "InProcessMemory", "SqliteMemory", "WindowMemory", "turns", "window"]
