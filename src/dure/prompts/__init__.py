"""Prompts outside the code: sources, versions, and a store that only ever swaps in a set that is whole."""
