"""What people and other tools get from a finished design: documents, sources, drawings and one HTML report."""

from dure_spec.render.files import canonical_json, documents, render

__all__ = ["canonical_json", "documents", "render"]
