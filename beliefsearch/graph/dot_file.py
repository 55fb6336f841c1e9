"""DOT, as Graphviz, Gephi and Cytoscape read it.

Gephi takes every word outside of the brackets of a node or an edge for the name of a node, so the attributes of the
graph are a comment, and there are no defaults for nodes. It reads `pos` without a `!`, and `color` as hue, saturation
and value; one written #d9a32e it would take for transparent. Graphviz understands both in the same way.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from colorsys import rgb_to_hsv
from typing import Any

from .cells import drawn_nodes, labelled, list_text, plain_text, remembering, row_writer, texts_by_kind
from .layout import COLOURS, Colour, is_marked
from .stream import GraphStream, Row

_POINTS = 72  # to an inch, in which Graphviz measures the width of nodes
# Graphviz reads at most 16 KiB of a text between two backslashes; so many characters are never more.
_LONG_RUN = re.compile(r"[^\\]{4000}")
_BROKEN = r'\g<0>" + "'
_NUMERAL = re.compile(r"-?\d+(\.\d+)?", re.ASCII)


def dot_lines(graph: GraphStream) -> Iterator[str]:
    """The lines of a DOT file."""
    looks = {colour: f'style="filled", color="{_hsv(colour)}", fillcolor="{colour.hex}"' for colour in COLOURS.values()}
    marked = f', color="{_hsv(COLOURS["on plan"])}", penwidth=3'
    write_node = row_writer(graph.node_kinds(), _TEXTS, _named, ", ")
    write_values = row_writer({"label": str, **graph.edge_kinds()}, _TEXTS, _named, ", ")
    yield f"// {json.dumps(graph.about)}"
    yield "digraph {"
    for number, row, (x, y), size, colour in drawn_nodes(graph):
        look = f'pos="{x},{y}", width={size / _POINTS:.2f}, {looks[colour]}'
        yield f"  {number} [{write_node(row)}, {look}];"

    def drawn_edge(row: Row) -> str:
        return f"{write_values(labelled(row))}{marked if is_marked(row) else ''}"

    write_edge = remembering(drawn_edge)
    for tail, head, row in graph.edges():
        yield f"  {tail} -> {head} [{write_edge(row)}];"
    yield "}"


def _named(_: int, name: str) -> tuple[str, str]:
    return f"{name}=", ""


def _quoted(value: object) -> str:
    # In DOT a backslash before a quote escapes it, and two backslashes stand for one.
    text = plain_text(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{_LONG_RUN.sub(_BROKEN, text)}"'


def _numeral(value: Any) -> str:
    """A number, in quotes where DOT has no such numerals."""
    text = _PLAIN[float](value)
    return text if _NUMERAL.fullmatch(text) else f'"{text}"'


def _hsv(colour: Colour) -> str:
    return " ".join(f"{part:.3f}" for part in rgb_to_hsv(*(part / 255 for part in colour)))


_PLAIN = texts_by_kind(_quoted, lambda items: _quoted(list_text(items)))
_TEXTS = {**_PLAIN, float: _numeral}
