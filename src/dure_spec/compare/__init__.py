"""The same sentences over models and prompt versions, side by side."""
