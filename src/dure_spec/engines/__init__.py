"""Database engines that a schema is tried on."""
