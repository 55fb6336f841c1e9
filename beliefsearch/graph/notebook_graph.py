"""The type of all graphs that are built here: a networkx graph with a picture and figures for notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx

from ..model.canvas.html import box, line, picture, table
from ..plans.drawings.cards import MOST_EDGES, MOST_NODES, draw_nodes
from ..plans.wording import plural

if TYPE_CHECKING:
    _Graph = nx.MultiDiGraph[int]
else:
    _Graph = nx.MultiDiGraph


class ShownGraph(_Graph):
    """A `networkx.MultiDiGraph` with a small picture of itself for notebooks."""

    def _repr_html_(self) -> str:
        """For notebooks: the sizes of its layers, and a picture if it is small."""
        nodes: dict[int, dict[str, Any]] = {node: self.nodes[node] for node in self}
        title = f"Graph of {plural(len(nodes), 'node')} and {plural(self.number_of_edges(), 'edge')}"
        parts = [] if self.graph.get("complete", True) else [line(f"not complete: {self.graph['stopped']}")]
        if 0 < len(nodes) <= MOST_NODES and self.number_of_edges() <= MOST_EDGES:
            sizes = {node: float(data.get("size", 1)) for node, data in nodes.items()}
            edges: dict[tuple[int, int], bool] = {}
            for tail, head, data in self.edges(data=True):
                on_plan = bool(data.get("on_plan") or data.get("on_policy"))
                edges[tail, head] = edges.get((tail, head), False) or on_plan
            goals = {node for node, data in nodes.items() if data.get("goal") or data.get("terminal")}
            chosen = {node for node, data in nodes.items() if data.get("on_plan") or data.get("on_policy")}
            labels = {node: str(data.get("label", node)) for node, data in nodes.items()}
            drawing = draw_nodes(sizes, edges, goals, chosen, labels)
            parts.append(picture(drawing, title, width=min(2 * drawing.width, 900)))
        layers: dict[Any, list[int]] = {}  # by distance from the start: the sizes of the nodes
        for data in nodes.values():
            if "g" in data:
                layers.setdefault(data["g"], []).append(data.get("size", 1))
        rows = [(distance, len(sizes), max(sizes)) for distance, sizes in sorted(layers.items())]
        parts.append(table(rows, ("distance", "nodes", "largest")))
        return box(title, *parts)
