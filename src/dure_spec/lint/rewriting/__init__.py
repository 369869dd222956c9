"""Writes a corrected schema back into the text it was read from."""

from dure_spec.lint.rewriting.rewriter import Rewrite, rewritten

__all__ = ["Rewrite", "rewritten"]
