"""The HTTP face of the design pipeline."""
