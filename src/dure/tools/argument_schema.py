"""A JSON Schema for a tool's arguments, checked when the tool is made. Nothing is ever fetched."""

import json
from collections.abc import Mapping
from typing import cast

from dure.errors import ConfigError
from dure.messages import Json
from dure.schema import schema_faults
from dure.tools.references import reference_faults


def object_schema(parameters: Mapping[str, Json] | None, tool_name: str) -> dict[str, Json]:
    """The schema of an arguments object; one that does not say its type is taken as that.

    Raises:
        ConfigError: it is broken, is no schema of an object, or refers to something outside it.
    """
    if parameters is None:
        parameters = {}
    if not isinstance(parameters, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance] - comes from outside
        raise ConfigError(f"tool {tool_name!r}: its parameters are no JSON Schema object, but {parameters!r:.80}")
    try:
        schema = cast(dict[str, Json], json.loads(json.dumps(dict(parameters), allow_nan=False)))
    except (TypeError, ValueError, RecursionError) as error:
        raise ConfigError(f"tool {tool_name!r}: the schema of its arguments is not JSON: {error}") from error
    kind = schema.get("type", "object")
    if kind != "object" and not (isinstance(kind, list) and "object" in kind):
        raise ConfigError(f"tool {tool_name!r}: its arguments must be an object, not {json.dumps(kind)}")
    schema["type"] = "object"
    faults = reference_faults(schema) or schema_faults(schema)
    if faults:
        raise ConfigError(f"tool {tool_name!r}: the schema of its arguments cannot be used: {'; '.join(faults)}")
    return schema
