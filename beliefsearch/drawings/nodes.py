"""A graph as a small drawing: a dot for each node, in layers, and a line for each edge."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import sqrt

from ..model.drawing import Drawing
from .layered import Edge, layered

MOST_NODES, MOST_EDGES = 120, 400
"""A larger graph is not drawn."""

_SMALLEST, _LARGEST = 5.0, 16.0


def draw_nodes(
    sizes: Mapping[int, float], edges: Mapping[Edge, bool], goals: Collection[int], chosen: Collection[int]
) -> Drawing:
    """Nodes by number, each with its size; edges, and whether they are on the plan; and the nodes that are."""
    numbers = {node: place for place, node in enumerate(sizes)}
    most = max(sizes.values(), default=1)
    across = {node: _SMALLEST + (_LARGEST - _SMALLEST) * sqrt(size / most) for node, size in sizes.items()}
    sides = list(across.values())
    links = {(numbers[tail], numbers[head]): marked for (tail, head), marked in edges.items() if tail != head}
    layout = layered([(side, side) for side in sides], links, across=26, apart=5)
    whole = Drawing(layout.width + 16, layout.height + 16)
    for (tail, head), marked in sorted(links.items(), key=lambda link: link[1]):
        if (tail, head) not in layout.ways and not marked:
            continue  # it leads back, across everything
        (x1, y1), (x2, y2) = layout.corners[tail], layout.corners[head]
        points = [(x1 + sides[tail] / 2, y1 + sides[tail] / 2), *layout.ways.get((tail, head), ())]
        points.append((x2 + sides[head] / 2, y2 + sides[head] / 2))
        plain: dict[str, str | float | bool] = {"stroke": "soft", "width": 0.6, "opacity": 0.6}
        look = {"stroke": "accent", "width": 1.8} if marked else plain
        whole.polyline([(x + 8, y + 8) for x, y in points], **look)
    for (node, side), (x, y) in zip(across.items(), layout.corners, strict=True):
        fill = "bright" if node in goals else "accent" if node in chosen else "dark"
        whole.circle(x + side / 2 + 8, y + side / 2 + 8, side / 2, fill=fill)
    return whole
