"""File formats: GraphML, GEXF, DOT and node-link JSON for graphs, and formats of the field for whole problems.

Graphs are written row by row, and read without loss by other programs. Where a format has no lists and objects,
`members`, `best` and `values` are written as JSON. Besides the attributes of the graph, nodes carry where they stand,
how large they are and their colour, as `node_attributes.py` says.

DOT is as Graphviz, Gephi and Cytoscape read it.
Gephi takes every word outside of the brackets of a node or an edge for the name of a node, so the attributes of the
graph are a comment, and there are no defaults for nodes. It reads `pos` without a `!`, and `color` as hue, saturation
and value; one written #d9a32e it would take for transparent. Graphviz understands both in the same way.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from colorsys import rgb_to_hsv
from itertools import islice
from typing import Any

from attrs import field, frozen

from ..running.limits import Budget
from .graphml_gexf import gexf_lines, graphml_lines
from .node_attributes import (
    COLOURS,
    Colour,
    drawn_nodes,
    is_marked,
    json_text,
    labelled,
    plain_text,
    remembering,
    row_writer,
    texts_by_kind,
)
from .pomdp_file import pomdp_lines
from .stream import GraphStream, as_stream, with_commas


def node_link_lines(graph: GraphStream) -> Iterator[str]:
    """The lines of a file for `networkx.node_link_graph(..., edges="edges")`."""
    yield f'{{"directed": true, "multigraph": true, "graph": {json.dumps(graph.about)},'
    yield '"nodes": ['
    yield from with_commas(
        json.dumps({**row, "x": x, "y": y, "width": size, "color": colour.hex, "id": number})
        for number, row, (x, y), size, colour in drawn_nodes(graph)
    )
    yield '],\n"edges": ['
    yield from with_commas(_links(graph))
    yield "]}"


def _links(graph: GraphStream) -> Iterator[str]:
    """The edges; parallel ones are numbered."""
    left, parallel = -1, Counter[int]()
    write = remembering(lambda row: json.dumps(row).removesuffix("}"))
    for tail, head, row in graph.edges():
        if tail != left:
            left, parallel = tail, Counter()
        yield f'{write(row)}, "source": {tail}, "target": {head}, "key": {parallel[head]}}}'
        parallel[head] += 1


_POINTS = 72  # to an inch, in which Graphviz measures the width of nodes
# Graphviz reads at most 16 KiB of a text between two backslashes; so many characters are never more.
_LONG_RUN = re.compile(r"[^\\]{4000}")
_BROKEN = r'\g<0>" + "'
_NUMERAL = re.compile(r"-?\d+(\.\d+)?", re.ASCII)


def dot_lines(graph: GraphStream) -> Iterator[str]:
    """The lines of a DOT file."""

    def named(_: int, name: str) -> tuple[str, str]:
        return f"{name}=", ""

    looks = {colour: f'style="filled", color="{_hsv(colour)}", fillcolor="{colour.hex}"' for colour in COLOURS.values()}
    marked = f', color="{_hsv(COLOURS["on plan"])}", penwidth=3'
    write_node = row_writer(graph.node_kinds(), _TEXTS, named, ", ")
    write_values = row_writer({"label": str, **graph.edge_kinds()}, _TEXTS, named, ", ")
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
    """A number, in quotes where DOT has no such numerals."""
    text = _PLAIN[float](value)
    return text if _NUMERAL.fullmatch(text) else f'"{text}"'


def _hsv(colour: Colour) -> str:
    return " ".join(f"{part:.3f}" for part in rgb_to_hsv(*(part / 255 for part in colour)))


_PLAIN = texts_by_kind(_quoted, lambda items: _quoted(json_text(items)))
_TEXTS = {**_PLAIN, float: _numeral}

# Lines that are encoded and written together.
_LINES = 200


@frozen
class Format:
    """A file format: the endings of its file names, and the function that gives the lines of a file.

    That takes a graph; of a format for whole problems a problem, what to call it, and limits.
    """

    endings: tuple[str, ...]
    lines: Callable[..., Iterator[str]]


@frozen
class GraphFile:
    """The content of a file, made piece by piece each time it is gone through."""

    graph: GraphStream = field(converter=as_stream)
    file_format: str

    def __iter__(self) -> Iterator[bytes]:
        lines = FORMATS[self.file_format].lines(self.graph)
        while piece := "\n".join(islice(lines, _LINES)):
            yield f"{piece}\n".encode()


def game_lines(problem: Any, title: str, budget: Budget) -> Iterator[str]:
    """The listed game as the line of a file, which `verify/checker.py` reads."""
    from ..verify.listed_game import listed_game

    yield json.dumps({**listed_game(problem, budget.tick).document, "title": title}, separators=(",", ":"))


FORMATS: Mapping[str, Format] = {
    "graphml": Format((".graphml",), graphml_lines),
    "gexf": Format((".gexf",), gexf_lines),
    "dot": Format((".dot", ".gv"), dot_lines),
    "json": Format((".json",), node_link_lines),
}
"""The file formats of graphs, by name. Add new ones only here."""

PROBLEM_FORMATS: Mapping[str, Format] = {
    "pomdp": Format((".pomdp",), pomdp_lines),
    "game": Format((), game_lines),
}
"""The file formats of whole problems, by name. Add new ones only here."""
