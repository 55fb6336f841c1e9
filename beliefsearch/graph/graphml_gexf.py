"""GraphML and GEXF, as their schemas have them.

- GraphML: U. Brandes, M. Eiglsperger, I. Herman, M. Himsolt and M. S. Marshall, "GraphML Progress Report", Graph
  Drawing 2001; attributes by its extension `attr.name` and `attr.type`.
- GEXF 1.2draft with its module `viz` (gexf.net), which Gephi, Gephi Lite and sigma.js read. Colours have no alpha:
  Gephi Lite shows nodes grey that have one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from .node_attributes import (
    COLOURS,
    drawn_nodes,
    is_marked,
    json_text,
    labelled,
    picture,
    remembering,
    row_writer,
    texts_by_kind,
)
from .stream import GraphStream, Kinds, Row, kinds_of

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>'
_TYPES: Mapping[type, str] = {bool: "boolean", int: "long", float: "double", str: "string", list: "string"}
_SPECIAL = re.compile('[&<>"]|[^\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]')
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;"}

# What GraphML files say of the look of a node. Others write r, g and b for colours, but `g` is the distance here.
_LOOK: Kinds = {"x": float, "y": float, "width": float, "color": str}


def graphml_lines(graph: GraphStream) -> Iterator[str]:
    """The lines of a GraphML file."""
    about, nodes, edges = kinds_of([graph.about]), graph.node_kinds(), graph.edge_kinds()
    yield _HEAD
    yield (
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"'
        ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation='
        '"http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">'
    )
    keys = (("graph", "g", about), ("node", "n", nodes), ("node", "v", _LOOK), ("edge", "e", edges))
    for thing, letter, kinds in keys:
        for place, (name, kind) in enumerate(kinds.items()):
            written = f'attr.name="{_escaped(name)}" attr.type="{_TYPES[kind]}"'
            yield f'<key id="{letter}{place}" for="{thing}" {written}/>'
    write_about, write_node, write_look, write_edge = (_data_writer(letter, kinds) for _, letter, kinds in keys)
    write_edge = remembering(write_edge)
    yield f'<graph edgedefault="directed">{write_about(graph.about)}'
    for number, row, (x, y), size, colour in drawn_nodes(graph):
        look = write_look({"x": x, "y": y, "width": size, "color": colour.hex})
        yield f'<node id="{number}">{write_node(row)}{look}</node>'
    for tail, head, row in graph.edges():
        yield f'<edge source="{tail}" target="{head}">{write_edge(row)}</edge>'
    yield "</graph>"
    yield "</graphml>"


def _data_writer(letter: str, kinds: Kinds) -> Callable[[Row], str]:
    return row_writer(kinds, _TEXTS, lambda place, _: (f'<data key="{letter}{place}">', "</data>"))


def gexf_lines(graph: GraphStream) -> Iterator[str]:
    """The lines of a GEXF file; labels are those of nodes and edges themselves."""
    kinds_of_all = (graph.node_kinds(), graph.edge_kinds())
    nodes, edges = ({name: kind for name, kind in kinds.items() if name != "label"} for kinds in kinds_of_all)
    yield _HEAD
    yield (
        '<gexf xmlns="http://www.gexf.net/1.2draft" xmlns:viz="http://www.gexf.net/1.2draft/viz"'
        ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
        ' xsi:schemaLocation="http://www.gexf.net/1.2draft http://www.gexf.net/1.2draft/gexf.xsd" version="1.2">'
    )
    # The format has no attributes of graphs.
    about = row_writer(kinds_of([graph.about]), _TEXTS, lambda _, name: (f"{_escaped(name)}: ", ""), "; ")(graph.about)
    yield f"<meta><creator>beliefsearch</creator><description>{about}</description></meta>"
    yield '<graph defaultedgetype="directed" mode="static">'
    for thing, kinds in (("node", nodes), ("edge", edges)):
        yield f'<attributes class="{thing}" mode="static">'
        for place, (name, kind) in enumerate(kinds.items()):
            yield f'<attribute id="{place}" title="{_escaped(name)}" type="{_TYPES[kind]}"/>'
        yield "</attributes>"
    yield "<nodes>"
    write_node, write_values = row_writer(nodes, _TEXTS, _attvalue), row_writer(edges, _TEXTS, _attvalue)
    colours = {colour: '<viz:color r="{}" g="{}" b="{}"/>'.format(*colour) for colour in COLOURS.values()}
    for number, row, (x, y), size, colour in drawn_nodes(graph):
        yield (
            f'<node id="{number}" label="{_escaped(row["label"])}"><attvalues>{write_node(row)}</attvalues>'
            f'{colours[colour]}<viz:position x="{x}" y="{y}" z="0.0"/><viz:size value="{size}"/></node>'
        )
    yield "</nodes>"
    yield "<edges>"
    marked = f'{colours[COLOURS["on plan"]]}<viz:thickness value="4.0"/>'

    def drawn_edge(row: Row) -> str:
        row = labelled(row)
        look = marked if is_marked(row) else ""
        return f'label="{_escaped(row["label"])}"><attvalues>{write_values(row)}</attvalues>{look}'

    write_edge = remembering(drawn_edge)
    for number, (tail, head, row) in enumerate(graph.edges()):
        yield f'<edge id="{number}" source="{tail}" target="{head}" {write_edge(row)}</edge>'
    yield "</edges>"
    yield "</graph>"
    yield "</gexf>"


def _attvalue(place: int, _: str) -> tuple[str, str]:
    return f'<attvalue for="{place}" value="', '"/>'


def _escaped(value: object) -> str:
    """Text that may stand in an element and between double quotes."""
    return _SPECIAL.sub(lambda match: _ENTITIES.get(match[0]) or picture(match[0]), str(value))


_TEXTS = texts_by_kind(_escaped, lambda items: _escaped(json_text(items)))
