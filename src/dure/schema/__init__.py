"""JSON that models write: found in their text, read as a type or by a schema, with every fault told.

The heavy libraries load on first use.
"""

from dure.schema.answer_text import Parsed, json_text, load_json, parse_json, without_thoughts
from dure.schema.check import check, schema_faults, unchecked_formats, unchecked_patterns
from dure.schema.formats import FORMATS
from dure.schema.output_format import (
    OutputFormat,
    SchemaFormat,
    TypeFormat,
    UnusableType,
    json_schema_of,
    parse_as,
    parse_by_schema,
    type_format,
    validation_faults,
)
from dure.schema.strict_form import StrictForm, strict_form
from dure.schema.titles import without_titles

__all__ = [
    "FORMATS",
    "OutputFormat",
    "Parsed",
    "SchemaFormat",
    "StrictForm",
    "TypeFormat",
    "UnusableType",
    "check",
    "json_schema_of",
    "json_text",
    "load_json",
    "parse_as",
    "parse_by_schema",
    "parse_json",
    "schema_faults",
    "strict_form",
    "type_format",
    "unchecked_formats",
    "unchecked_patterns",
    "validation_faults",
    "without_thoughts",
    "without_titles",
]
