"""File formats: GraphML, GEXF, DOT and node-link JSON for graphs, and formats of the field for whole problems.

Graphs are written row by row, and read without loss by other programs.

Where a format has no lists, `members` and `best` are written as the text of a JSON list. Besides the attributes of the
graph, nodes carry where they stand, how large they are and their colour, as `layout.py` says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from attrs import frozen

from ..running.limits import Budget
from .dot_file import dot_lines
from .node_link import node_link_lines
from .pomdp_file import pomdp_lines
from .stream import GraphStream, as_stream
from .xml_files import gexf_lines, graphml_lines

if TYPE_CHECKING:
    import networkx as nx  # which takes long to load, and nothing here calls it

# Lines that are encoded and written together.
_LINES = 200


@frozen
class GraphFormat:
    """A file format: the endings of its file names, and the function that gives the lines of a file."""

    endings: tuple[str, ...]
    lines: Callable[[GraphStream], Iterator[str]]


@frozen
class GraphFile:
    """The content of a file, made piece by piece each time it is gone through."""

    graph: GraphStream
    file_format: str

    def __iter__(self) -> Iterator[bytes]:
        lines = FORMATS[self.file_format].lines(self.graph)
        while piece := "\n".join(islice(lines, _LINES)):
            yield f"{piece}\n".encode()


@frozen
class ProblemFormat:
    """A format for whole problems: the endings of its file names, and the function that gives the lines of a file.

    It takes a problem, what to call it, and limits.
    """

    endings: tuple[str, ...]
    lines: Callable[[Any, str, Budget], Iterator[str]]


def graph_text(graph: GraphStream | nx.MultiDiGraph[int], file_format: str) -> str:
    """`graph` as the text of a file in one of `FORMATS`."""
    return b"".join(GraphFile(as_stream(graph), file_format)).decode()


FORMATS: Mapping[str, GraphFormat] = {
    "graphml": GraphFormat((".graphml",), graphml_lines),
    "gexf": GraphFormat((".gexf",), gexf_lines),
    "dot": GraphFormat((".dot", ".gv"), dot_lines),
    "json": GraphFormat((".json",), node_link_lines),
}
"""The file formats of graphs, by the name that `--format` takes. Add new ones only here."""

PROBLEM_FORMATS: Mapping[str, ProblemFormat] = {
    "pomdp": ProblemFormat((".pomdp",), pomdp_lines),
}
"""The file formats of whole problems, by the name that `--format` takes. Add new ones only here."""
