"""The node-link JSON of networkx, a line for each node and each edge."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from .cells import drawn_nodes, remembering
from .stream import GraphStream


def node_link_lines(graph: GraphStream) -> Iterator[str]:
    """The lines of a file for `networkx.node_link_graph(..., edges="edges")`."""
    yield f'{{"directed": true, "multigraph": true, "graph": {json.dumps(graph.about)},'
    yield '"nodes": ['
    yield from _listed(
        json.dumps({**row, "x": x, "y": y, "width": size, "color": colour.hex, "id": number})
        for number, row, (x, y), size, colour in drawn_nodes(graph)
    )
    yield '],\n"edges": ['
    yield from _listed(_links(graph))
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


def _listed(values: Iterator[str]) -> Iterator[str]:
    """The values with commas between them."""
    before = None
    for value in values:
        if before is not None:
            yield f"{before},"
        before = value
    if before is not None:
        yield before
