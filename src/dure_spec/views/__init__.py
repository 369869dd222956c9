"""What a person or a program sees of a design run: a live table, plain lines, or JSON lines."""

from dure_spec.views.base import View
from dure_spec.views.choose import Mode, choose_mode, open_view

__all__ = ["Mode", "View", "choose_mode", "open_view"]
