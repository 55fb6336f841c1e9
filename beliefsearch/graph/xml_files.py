"""GraphML and GEXF, as their schemas have them.

- GraphML: U. Brandes, M. Eiglsperger, I. Herman, M. Himsolt and M. S. Marshall, "GraphML Progress Report", Graph
  Drawing 2001; attributes by its extension `attr.name` and `attr.type`.
- GEXF 1.2draft with its module `viz` (gexf.net), which Gephi, Gephi Lite and sigma.js read. Colours have no alpha:
  Gephi Lite shows nodes grey that have one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from .cells import cell, columns, drawn_nodes, labelled_edges
from .layout import COLOURS, Colour, is_marked
from .stream import GraphStream, Kinds

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>'
_TYPES: Mapping[type, str] = {bool: "boolean", int: "long", float: "double"}
_SPECIAL = re.compile('[&<>"\t\n]')
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;"}

# What GraphML files say of the look of a node. Others write r, g and b for colours, but `g` is the distance here.
_LOOK: Kinds = {"x": float, "y": float, "width": float, "color": str}


def graphml_lines(graph: GraphStream) -> Iterator[str]:
    """The lines of a GraphML file."""
    about = columns({name: type(value) for name, value in graph.about.items()})
    nodes, edges = columns(graph.node_kinds()), columns(graph.edge_kinds())
    yield _HEAD
    yield (
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"'
        ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation='
        '"http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">'
    )
    named = (("graph", "g", about), ("node", "n", nodes), ("node", "v", columns(_LOOK)), ("edge", "e", edges))
    for thing, letter, known in named:
        for place, (name, kind) in enumerate(known):
            written = f'attr.name="{_escaped(name)}" attr.type="{_TYPES.get(kind, "string")}"'
            yield f'<key id="{letter}{place}" for="{thing}" {written}/>'
    yield '<graph edgedefault="directed">'
    if graph.about:
        yield _data("g", about, graph.about)
    for number, row, (x, y), size, colour in drawn_nodes(graph):
        look = "".join(f'<data key="v{place}">{value}</data>' for place, value in enumerate((x, y, size, colour.hex)))
        yield f'<node id="{number}">{_data("n", nodes, row)}{look}</node>'
    for tail, head, row in graph.edges():
        yield f'<edge source="{tail}" target="{head}">{_data("e", edges, row)}</edge>'
    yield "</graph>"
    yield "</graphml>"


def _data(letter: str, known: list[tuple[str, type]], row: Mapping[str, Any]) -> str:
    """What a row has, as elements; `letter` is that of its keys."""
    return "".join(
        [
            f'<data key="{letter}{place}">{_written(row[name], kind)}</data>'
            for place, (name, kind) in enumerate(known)
            if row.get(name) is not None
        ]
    )


def gexf_lines(graph: GraphStream) -> Iterator[str]:
    """The lines of a GEXF file; labels are those of nodes and edges themselves."""
    nodes, edges = columns(graph.node_kinds(), but="label"), columns(graph.edge_kinds(), but="label")
    yield _HEAD
    yield (
        '<gexf xmlns="http://www.gexf.net/1.2draft" xmlns:viz="http://www.gexf.net/1.2draft/viz"'
        ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
        ' xsi:schemaLocation="http://www.gexf.net/1.2draft http://www.gexf.net/1.2draft/gexf.xsd" version="1.2">'
    )
    # The format has no attributes of graphs.
    about = "; ".join(f"{name}: {cell(value, type(value))}" for name, value in graph.about.items())
    yield f"<meta><creator>beliefsearch</creator><description>{_escaped(about)}</description></meta>"
    yield '<graph defaultedgetype="directed" mode="static">'
    for thing, known in (("node", nodes), ("edge", edges)):
        yield f'<attributes class="{thing}" mode="static">'
        for place, (name, kind) in enumerate(known):
            yield f'<attribute id="{place}" title="{_escaped(name)}" type="{_TYPES.get(kind, "string")}"/>'
        yield "</attributes>"
    yield "<nodes>"
    for number, row, (x, y), size, colour in drawn_nodes(graph):
        yield (
            f'<node id="{number}" label="{_written(row["label"], str)}">{_attvalues(nodes, row)}{_viz_colour(colour)}'
            f'<viz:position x="{x}" y="{y}" z="0.0"/><viz:size value="{size}"/></node>'
        )
    yield "</nodes>"
    yield "<edges>"
    marked = _viz_colour(COLOURS["on plan"]) + '<viz:thickness value="4.0"/>'
    for number, (tail, head, row) in enumerate(labelled_edges(graph)):
        yield (
            f'<edge id="{number}" source="{tail}" target="{head}" label="{_written(row["label"], str)}">'
            f"{_attvalues(edges, row)}{marked if is_marked(row) else ''}</edge>"
        )
    yield "</edges>"
    yield "</graph>"
    yield "</gexf>"


def _attvalues(known: list[tuple[str, type]], row: Mapping[str, Any]) -> str:
    """What a row has, as elements of GEXF."""
    values = [
        f'<attvalue for="{place}" value="{_written(row[name], kind)}"/>'
        for place, (name, kind) in enumerate(known)
        if row.get(name) is not None
    ]
    return f"<attvalues>{''.join(values)}</attvalues>"


def _viz_colour(colour: Colour) -> str:
    return f'<viz:color r="{colour.r}" g="{colour.g}" b="{colour.b}"/>'


def _written(value: Any, kind: type) -> str:
    """A value as XML has it."""
    return str(value) if kind is int else _escaped(cell(value, kind))


def _escaped(text: str) -> str:
    """Text that may stand in an element and between double quotes."""
    return _SPECIAL.sub(lambda match: _ENTITIES[match.group()], text)
