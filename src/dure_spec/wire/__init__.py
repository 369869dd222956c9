"""Compact texts between a model and the artifacts: a parser and a writer per stage, and grammars.

`parse(text, …)` never raises on bad text: what makes no sense is a fault with its line. `patch` takes replacement
items into an artifact that is there; `items` writes only the items that must change.
"""
