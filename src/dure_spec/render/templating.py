"""The template environments and the functions that templates may call."""

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from dure_spec.render.anchors import anchor, table_anchor
from dure_spec.render.view import View

_IDS = re.compile(
    r"(?<![A-Za-z0-9-])"
    r"(?:NFR-\d{2}|AC-\d{3}-\d+|(?:FR|SC)-\d{3}|(?:BR|Q|R)-\d{2}|(?:BO|OP|CP)-[a-z0-9.-]*[a-z0-9])"
    r"(?![A-Za-z0-9])"
)


@cache
def html_environment() -> Environment:
    """Everything that a template prints is escaped."""
    return _environment(autoescape=True)


@cache
def markdown_environment() -> Environment:
    """Values go through the filters `line`, `cell` and `code`; Markdown has no escaping of its own."""
    environment = _environment(autoescape=False)
    environment.filters["line"] = line
    environment.filters["cell"] = cell
    environment.filters["code"] = code
    return environment


def _environment(*, autoescape: bool) -> Environment:
    environment = Environment(
        loader=PackageLoader("dure_spec.render", "templates"),
        autoescape=autoescape,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    functions: dict[str, Any] = {"anchor": anchor, "table_anchor": table_anchor, "number": number, "score": score}
    environment.globals.update(functions)
    return environment


def wording(view: View) -> dict[str, Callable[..., str]]:
    """`t` gives a fixed word, `tv` the word for a value of an artifact, or the value itself."""

    def value(group: str, key: str) -> str:
        return view.words.get(f"{group}.{key}", key)

    return {"t": view.words.__getitem__, "tv": value}


def linked(text: str, known: frozenset[str]) -> Markup:
    """Free text whose ids lead to their places, as far as those exist."""
    parts: list[Markup] = []
    end = 0
    for match in _IDS.finditer(text):
        if match[0] in known:
            place = Markup('<a class="ref" href="#{}">{}</a>').format(anchor(match[0]), match[0])
            parts += [escape(text[end : match.start()]), place]
            end = match.end()
    return Markup("").join([*parts, escape(text[end:])])


def number(value: float | str) -> str:
    """A number without needless zeros; text as it is."""
    return f"{value:,g}" if isinstance(value, int | float) else value


def score(value: float | None) -> str:
    """A score with its decimal; a dash where nothing was judged."""
    return "—" if value is None else f"{value:.1f}"


def line(value: object) -> str:
    """Text in one line of Markdown that starts neither HTML nor a link of its own."""
    text = " ".join(str(value).split())
    return re.sub(r"([\\`*_\[\]<>#])", r"\\\1", text) if re.search(r"[\\`*_\[\]<>#]", text) else text


def cell(value: object) -> str:
    """Text inside a table cell."""
    return line(value).replace("|", "\\|")


def code(value: object) -> str:
    """Text between two backticks inside a table cell."""
    return " ".join(str(value).split()).replace("`", "'").replace("|", "\\|")
