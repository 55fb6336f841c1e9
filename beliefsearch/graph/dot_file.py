"""DOT, as Graphviz, Gephi and Cytoscape read it.

Gephi takes every word outside of the brackets of a node or an edge for the name of a node, so the attributes of the
graph are a comment, and there are no defaults for nodes. It reads `pos` without a `!`, and `color` as hue, saturation
and value; one written #d9a32e it would take for transparent. Graphviz understands both in the same way.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from colorsys import rgb_to_hsv
from typing import Any

from .cells import cell, columns, drawn_nodes, labelled_edges
from .layout import COLOURS, Colour, is_marked
from .stream import GraphStream

_POINTS = 72  # to an inch, in which Graphviz measures the width of nodes
_NUMERAL = re.compile(r"-?\d+(\.\d+)?", re.ASCII)


def dot_lines(graph: GraphStream) -> Iterator[str]:
    """The lines of a DOT file."""
    nodes, edges = columns(graph.node_kinds()), columns({"label": str, **graph.edge_kinds()})
    looks = {colour: f'style="filled", color="{_hsv(colour)}", fillcolor="{colour.hex}"' for colour in COLOURS.values()}
    marked = f', color="{_hsv(COLOURS["on plan"])}", penwidth=3'
    yield f"// {json.dumps(graph.about)}"
    yield "digraph {"
    for number, row, (x, y), size, colour in drawn_nodes(graph):
        look = f'pos="{x},{y}", width={size / _POINTS:.2f}, {looks[colour]}'
        yield f"  {number} [{_attributes(nodes, row)}, {look}];"
    for tail, head, row in labelled_edges(graph):
        yield f"  {tail} -> {head} [{_attributes(edges, row)}{marked if is_marked(row) else ''}];"
    yield "}"


def _attributes(known: list[tuple[str, type]], row: Mapping[str, Any]) -> str:
    return ", ".join([f"{name}={_value(row[name], kind)}" for name, kind in known if row.get(name) is not None])


def _value(value: Any, kind: type) -> str:
    text = cell(value, kind)
    if kind is bool or (kind in (int, float) and _NUMERAL.fullmatch(text)):
        return text
    # In DOT a backslash before a quote escapes it, and two backslashes stand for one.
    text = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


def _hsv(colour: Colour) -> str:
    return " ".join(f"{part:.3f}" for part in rgb_to_hsv(*(part / 255 for part in colour)))
