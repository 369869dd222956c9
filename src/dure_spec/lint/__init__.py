"""Judges anyone's schema: DDL files in four dialects, and designs as JSON."""
