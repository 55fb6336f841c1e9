"""File formats: GraphML, GEXF, DOT and node-link JSON for graphs, and formats of the field for whole problems.

Graphs are written row by row, and other programs read them without loss. If a format has no lists and objects,
`members`, `best` and `values` are written as JSON. Nodes also carry a position, a size and a colour, see
`node_attributes.py`.

GraphML is that of U. Brandes, M. Eiglsperger, I. Herman, M. Himsolt and M. S. Marshall, "GraphML Progress Report",
Graph Drawing 2001; attributes by its extension `attr.name` and `attr.type`. GEXF is 1.2draft with its module `viz`
(gexf.net), which Gephi, Gephi Lite and sigma.js read. Colours have no alpha: Gephi Lite shows nodes grey that have one.

DOT is written for Graphviz, Gephi and Cytoscape. Gephi takes every word outside of the brackets of a node or an edge
for the name of a node, so the attributes of the graph are a comment, and there are no defaults for nodes. It reads
`pos` without a `!`, and `color` as hue, saturation and value; a colour like #d9a32e would be transparent. Graphviz
understands both in the same way.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from colorsys import rgb_to_hsv
from itertools import islice
from pathlib import Path
from typing import Any

from attrs import field, frozen

from .. import __version__
from ..plans.vector_files import alpha_lines, controller_lines, pg_lines, policy_lines
from ..running.limits import Budget
from .node_attributes import (
    COLOURS,
    Colour,
    drawn_nodes,
    is_marked,
    json_text,
    labelled,
    picture,
    plain_text,
    remembering,
    row_writer,
    texts_by_kind,
)
from .pomdp_file import pomdp_lines
from .stream import GraphStream, Kinds, Row, as_stream, kinds_of, with_commas


def node_link_lines(graph: GraphStream) -> Iterator[str]:
    """The lines of a file for `networkx.node_link_graph(..., edges="edges")`; parallel edges are numbered."""

    def links() -> Iterator[str]:
        left, parallel = -1, Counter[int]()
        write = remembering(lambda row: json.dumps(row).removesuffix("}"))
        for tail, head, row in graph.edges():
            if tail != left:
                left, parallel = tail, Counter()
            yield f'{write(row)}, "source": {tail}, "target": {head}, "key": {parallel[head]}}}'
            parallel[head] += 1

    yield f'{{"directed": true, "multigraph": true, "graph": {json.dumps(graph.about)},'
    yield '"nodes": ['
    yield from with_commas(
        json.dumps({**row, "x": x, "y": y, "width": size, "color": colour.hex, "id": number})
        for number, row, (x, y), size, colour in drawn_nodes(graph)
    )
    yield '],\n"edges": ['
    yield from with_commas(links())
    yield "]}"


_POINTS = 72  # to an inch, the unit of the width of nodes in Graphviz
# Graphviz reads at most 16 KiB of a text between two backslashes; 4,000 characters in UTF-8 are never more.
_LONG_RUN = re.compile(r"[^\\]{4000}")
_BROKEN = r'\g<0>" + "'
_NUMERAL = re.compile(r"-?\d+(\.\d+)?", re.ASCII)


def dot_lines(graph: GraphStream) -> Iterator[str]:
    """The lines of a DOT file."""

    def named(_: int, name: str) -> tuple[str, str]:
        return f"{name}=", ""

    looks = {colour: f'style="filled", color="{_hsv(colour)}", fillcolor="{colour.hex}"' for colour in COLOURS.values()}
    marked = f', color="{_hsv(COLOURS["on plan"])}", penwidth=3'
    write_node = row_writer(graph.node_kinds(), _DOT_TEXTS, named, ", ")
    write_values = row_writer({"label": str, **graph.edge_kinds()}, _DOT_TEXTS, named, ", ")
    yield f"// {json.dumps(graph.about)}"
    yield "digraph {"
    for number, row, (x, y), size, colour in drawn_nodes(graph):
        look = f'pos="{x},{y}", width={size / _POINTS:.2f}, {looks[colour]}'
        yield f"  {number} [{write_node(row)}, {look}];"

    write_edge = remembering(lambda row: f"{write_values(labelled(row))}{marked if is_marked(row) else ''}")
    for tail, head, row in graph.edges():
        yield f"  {tail} -> {head} [{write_edge(row)}];"
    yield "}"


def _quoted(value: object) -> str:
    # In DOT a backslash before a quote escapes it, and two backslashes stand for one.
    text = plain_text(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{_LONG_RUN.sub(_BROKEN, text)}"'


def _numeral(value: Any) -> str:
    """A number, in quotes if it is no numeral of DOT."""
    text = _PLAIN[float](value)
    return text if _NUMERAL.fullmatch(text) else f'"{text}"'


def _hsv(colour: Colour) -> str:
    return " ".join(f"{part:.3f}" for part in rgb_to_hsv(*(part / 255 for part in colour)))


_PLAIN = texts_by_kind(_quoted, lambda items: _quoted(json_text(items)))
_DOT_TEXTS = {**_PLAIN, float: _numeral}

# Lines that are encoded and written together.
_LINES = 200


_HEAD = '<?xml version="1.0" encoding="UTF-8"?>'
_TYPES: Mapping[type, str] = {bool: "boolean", int: "long", float: "double", str: "string", list: "string"}
_SPECIAL = re.compile('[&<>"]|[^\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]')
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;"}

# The look of a node in GraphML files. Other programs write r, g and b for colours, but `g` is the distance here.
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
    return row_writer(kinds, _XML_TEXTS, lambda place, _: (f'<data key="{letter}{place}">', "</data>"))


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
    about = row_writer(kinds_of([graph.about]), _XML_TEXTS, lambda _, name: (f"{_escaped(name)}: ", ""), "; ")(
        graph.about
    )
    yield f"<meta><creator>beliefsearch</creator><description>{about}</description></meta>"
    yield '<graph defaultedgetype="directed" mode="static">'
    for thing, kinds in (("node", nodes), ("edge", edges)):
        yield f'<attributes class="{thing}" mode="static">'
        for place, (name, kind) in enumerate(kinds.items()):
            yield f'<attribute id="{place}" title="{_escaped(name)}" type="{_TYPES[kind]}"/>'
        yield "</attributes>"
    yield "<nodes>"
    write_node, write_values = row_writer(nodes, _XML_TEXTS, _attvalue), row_writer(edges, _XML_TEXTS, _attvalue)
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
    """Text escaped for XML elements and attributes in double quotes."""
    return _SPECIAL.sub(lambda match: _ENTITIES.get(match[0]) or picture(match[0]), str(value))


_XML_TEXTS = texts_by_kind(_escaped, lambda items: _escaped(json_text(items)))


@frozen
class Format:
    """A file format: the endings of its file names, and the function that yields the lines of a file.

    The function takes a graph. For a format of whole problems it takes a problem, its title, and a budget; for a format
    of policies a problem, a policy graph, and the `tick` of a budget.
    """

    endings: tuple[str, ...]
    lines: Callable[..., Iterator[str]]
    reads: str = ""  # the format of a file of the same name beside it


@frozen
class GraphFile:
    """The content of a file, made piece by piece at each iteration."""

    graph: GraphStream = field(converter=as_stream)
    file_format: str

    def __iter__(self) -> Iterator[bytes]:
        lines = FORMATS[self.file_format].lines(self.graph)
        while piece := "\n".join(islice(lines, _LINES)):
            yield f"{piece}\n".encode()


def game_lines(problem: Any, title: str, budget: Budget) -> Iterator[str]:
    """The listed game as the line of a file, which `verify/checker.py` reads."""
    from ..proofs.game_documents import game_document, listed_game

    yield json.dumps({**game_document(listed_game(problem, budget.tick)), "title": title}, separators=(",", ":"))


def julia_lines(problem: Any, title: str, budget: Budget) -> Iterator[str]:
    """The lines of a model for POMDPs.jl, which reads the `.pomdp` file beside it."""
    yield f"# {' '.join(title.split())}, written by beliefsearch {__version__}"
    yield from (Path(__file__).parent / "model.jl").read_text(encoding="utf-8").splitlines()


FORMATS: Mapping[str, Format] = {
    "graphml": Format((".graphml",), graphml_lines),
    "gexf": Format((".gexf",), gexf_lines),
    "dot": Format((".dot", ".gv"), dot_lines),
    "json": Format((".json",), node_link_lines),
}
"""The file formats of graphs, by name. Add new ones only here."""

PROBLEM_FORMATS: Mapping[str, Format] = {
    "pomdp": Format((".pomdp",), pomdp_lines),
    "julia": Format((".jl",), julia_lines, reads="pomdp"),
    "game": Format((), game_lines),
}
"""The file formats of whole problems, by name. Add new ones only here."""

POLICY_FORMATS: Mapping[str, Format] = {
    "policy": Format((".policy", ".policyx"), policy_lines),
    "alpha": Format((".alpha",), alpha_lines),
    "pg": Format((".pg",), pg_lines),
    "controller": Format((), controller_lines),
}
"""The file formats of policy graphs for other solvers, by name. Add new ones only here."""
