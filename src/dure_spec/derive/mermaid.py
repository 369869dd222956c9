"""Mermaid sources of the three diagrams, written so that no label can break out of its place."""

import re

from dure_spec.artifacts.erd import Column, Erd, Table
from dure_spec.artifacts.ia import Ia
from dure_spec.artifacts.prd import Requirement, StateMachine
from dure_spec.artifacts.shared import Language
from dure_spec.derive.er_edges import Edge, er_edges
from dure_spec.derive.keys import referencing
from dure_spec.derive.labelled_columns import labelled_columns

_ENDS = {"1:1": ("||", "||"), "1:N": ("||", "o{"), "N:M": ("}o", "o{")}
_SHAPES = {"auth": ('(["', '"])'), "modal": ('("', '")'), "dashboard": ('[["', '"]]')}
_CODES = {
    "#": "#35;",
    '"': "#quot;",
    "<": "#lt;",
    ">": "#gt;",
    "`": "#96;",
    ";": "#59;",
    "&": "#amp;",
    "%": "#37;",
    "\\": "#92;",
}


def er_diagram(erd: Erd | None, *, lang: Language = "ko") -> str:
    """An `erDiagram` with physical names, and logical names beside them."""
    lines = ["erDiagram"]
    if erd:
        ids = {table.name: f"t{index}" for index, table in enumerate(erd.tables)}
        for table in erd.tables:
            lines += _entity(ids[table.name], table, labelled_columns(erd, table, lang=lang))
        lines += [_relation(edge, ids) for edge in er_edges(erd)]
    return "\n".join(lines) + "\n"


def navigation_flow(ia: Ia | None) -> str:
    """A `flowchart` of the screens and the links between them."""
    lines = ["flowchart LR"]
    screens = ia.screens if ia else ()
    known = {screen.id for screen in screens}
    for screen in screens:
        left, right = _SHAPES.get(screen.type, ('["', '"]'))
        label = f"{escape(screen.id)} {escape(screen.name)}<br/>{escape(screen.route)}"
        lines.append(f"    {_node(screen.id)}{left}{label}{right}")
    for screen in screens:
        links = dict.fromkeys(link for link in screen.links if link in known)
        lines += [f"    {_node(screen.id)} --> {_node(link)}" for link in links]
    return "\n".join(lines) + "\n"


def state_diagram(machines: tuple[StateMachine, ...], requirements: tuple[Requirement, ...] = ()) -> str:
    """One `stateDiagram-v2` that holds every state machine as a composite state."""
    titles = {requirement.id: requirement.title for requirement in requirements}
    lines = ["stateDiagram-v2"]
    for index, machine in enumerate(machines):
        lines += _machine(f"m{index}", machine, titles)
    return "\n".join(lines) + "\n"


def escape(text: str) -> str:
    """Text for inside double quotes: one line, and no character that Mermaid would read."""
    return "".join(_CODES.get(char, char) for char in " ".join(text.split()))


def _entity(node: str, table: Table, columns: tuple[Column, ...]) -> list[str]:
    lines = [f'    {node}["{escape(table.logical)} ({escape(table.name)})"] {{']
    foreign = referencing(table)
    for column in columns:
        held = (("PK", column.pk), ("FK", column.name in foreign), ("UK", column.uq))
        keys = [name for name, is_held in held if is_held]
        parts = [_word(column.type.split("(")[0]), _word(column.name), ", ".join(keys)]
        comment = _comment(f"{column.logical} · {column.type}" if "(" in column.type else column.logical)
        lines.append("        " + " ".join(part for part in (*parts, f'"{comment}"') if part))
    return [*lines, "    }"]


def _relation(edge: Edge, ids: dict[str, str]) -> str:
    left, right = _ENDS[edge.card]
    if edge.card == "1:1":
        right = "o|"
    if edge.optional and edge.card != "N:M":
        left = "|o"
    label = escape(", ".join(edge.columns) or edge.card)
    return f'    {ids[edge.parent]} {left}--{right} {ids[edge.child]} : "{label}"'


def _machine(node: str, machine: StateMachine, titles: dict[str, str]) -> list[str]:
    moves = [move for move in machine.transitions if len(move) >= 2]
    states = dict.fromkeys((*machine.values, *(name for move in moves for name in move[:2])))
    ids = {name: f"{node}s{index}" for index, name in enumerate(states)}
    lines = [f'    state "{escape(machine.entity)}" as {node} {{']
    lines += [f'        state "{escape(name)}" as {ids[name]}' for name in states]
    if states:
        lines.append(f"        [*] --> {next(iter(ids.values()))}")
    for move in moves:
        reason = move[2] if len(move) > 2 else ""
        label = _plain(f"{reason} {titles.get(reason, '')}")
        lines.append(f"        {ids[move[0]]} --> {ids[move[1]]}" + (f" : {label}" if label else ""))
    leaving = {move[0] for move in moves}
    lines += [f"        {ids[name]} --> [*]" for name in states if moves and name not in leaving]
    return [*lines, "    }"]


def _node(screen: str) -> str:
    return re.sub(r"\W", "", screen)


def _word(text: str) -> str:
    """A bare word of an attribute line: it begins with a letter and holds no space."""
    word = re.sub(r"[^A-Za-z0-9_-]+", "_", text).strip("_-")
    return word if word[:1].isalpha() else f"c_{word}"


def _comment(text: str) -> str:
    return " ".join(text.replace('"', "'").split())


def _plain(text: str) -> str:
    """Text after a colon, where codes are not read."""
    return " ".join(re.sub(r'[;:#<>"`{}\[\]%]', " ", text).split())
