"""Layout of a graph in layers, from left to right: few crossings, and every node near its neighbours.

The steps are those of K. Sugiyama, S. Tagawa and M. Toda, Methods for visual understanding of hierarchical system
structures, 1981. Edges that lead back are set aside. Nodes are assigned to layers, and long edges get a dummy node in
each layer they cross. Each layer is ordered by the barycentres of its nodes' neighbours. Then nodes move as near to
their neighbours as order and distance allow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from graphlib import TopologicalSorter
from itertools import pairwise
from typing import TypeAlias

from attrs import frozen

Edge: TypeAlias = "tuple[int, int]"
Point: TypeAlias = "tuple[float, float]"
_SWEEPS = 13  # odd, so that the last one moves nodes to what follows them


@frozen
class Layout:
    """Places of nodes and edges in a layered drawing."""

    corners: Sequence[Point]  # the upper left ones of the nodes
    ways: Mapping[Edge, Sequence[Point]]  # the points that an edge goes through between its nodes, if it leads forward
    width: float
    height: float


def layered(sizes: Sequence[tuple[float, float]], edges: Iterable[Edge], *, across: float, apart: float) -> Layout:
    """Lay out a graph all of whose nodes can be reached from node 0.

    `sizes` are the widths and heights of the nodes, `across` is the distance between two layers, `apart` that between
    two nodes of a layer. Apart from sorting, linear in the number of nodes and of crossings of layers by edges.
    """
    forward = _forward(len(sizes), list(dict.fromkeys(edges)))
    layer_of = _layers(len(sizes), forward)
    heights = [height for _, height in sizes]
    columns: list[list[int]] = [[] for _ in range(max(layer_of) + 1)]
    for node, layer in enumerate(layer_of):
        columns[layer].append(node)
    links: list[Edge] = []  # between neighbouring layers
    chains: dict[Edge, list[int]] = {}
    for tail, head in forward:
        chain = [tail]
        for layer in range(layer_of[tail] + 1, layer_of[head]):
            chain.append(len(heights))
            columns[layer].append(len(heights))
            heights.append(6)
        chain.append(head)
        chains[tail, head] = chain
        links += pairwise(chain)
    before: list[list[int]] = [[] for _ in heights]
    after: list[list[int]] = [[] for _ in heights]
    for tail, head in links:
        before[head].append(tail)
        after[tail].append(head)
    _order(columns, before, after)
    middles = _middles(columns, before, after, heights, apart)
    top = min(middle - high / 2 for middle, high in zip(middles, heights, strict=True))
    middles = [middle - top for middle in middles]
    widths = [max((sizes[node][0] for node in column if node < len(sizes)), default=0) for column in columns]
    lefts = [sum(widths[:layer]) + across * layer for layer in range(len(columns))]
    corners = [(lefts[layer_of[node]], middles[node] - heights[node] / 2) for node in range(len(sizes))]
    ways: dict[Edge, list[Point]] = {}
    for edge, chain in chains.items():
        ways[edge] = []
        for layer, dummy in enumerate(chain[1:-1], layer_of[edge[0]] + 1):
            ways[edge] += [(lefts[layer], middles[dummy]), (lefts[layer] + widths[layer], middles[dummy])]
    height = max(middle + high / 2 for middle, high in zip(middles, heights, strict=True))
    return Layout(corners, ways, lefts[-1] + widths[-1], height)


def _forward(nodes: int, edges: Sequence[Edge]) -> list[Edge]:
    """The edges without the back edges of a depth-first search, an acyclic graph."""
    heads: list[list[int]] = [[] for _ in range(nodes)]
    for tail, head in edges:
        heads[tail].append(head)
    forward: list[Edge] = []
    state = [0] * nodes  # 1: on the stack, 2: finished
    for root in range(nodes):
        if state[root]:
            continue
        state[root] = 1
        waiting = [(root, iter(heads[root]))]
        while waiting:
            node, rest = waiting[-1]
            for head in rest:
                if state[head] != 1:
                    forward.append((node, head))
                if not state[head]:
                    state[head] = 1
                    waiting.append((head, iter(heads[head])))
                    break
            else:
                state[node] = 2
                waiting.pop()
    return forward


def _layers(nodes: int, forward: Sequence[Edge]) -> list[int]:
    """Return the layer of each node: the length of the longest path to it."""
    before: dict[int, list[int]] = {node: [] for node in range(nodes)}
    for tail, head in forward:
        before[head].append(tail)
    layer_of = [0] * nodes
    for node in TopologicalSorter(before).static_order():
        layer_of[node] = max((layer_of[tail] + 1 for tail in before[node]), default=0)
    return layer_of


def _order(columns: list[list[int]], before: Sequence[Sequence[int]], after: Sequence[Sequence[int]]) -> None:
    """Order each layer by the mean place of its neighbours, forwards and backwards in turn."""
    place = {node: float(number) for column in columns for number, node in enumerate(column)}
    best, least = [list(column) for column in columns], _crossings(columns, after)
    for sweep in range(_SWEEPS):
        if not least:
            break
        neighbours, through = (before, columns) if sweep % 2 == 0 else (after, columns[::-1])
        for column in through:
            means = {
                node: sum(place[n] for n in neighbours[node]) / len(neighbours[node])
                for node in column
                if neighbours[node]
            }
            column.sort(key=lambda node: means.get(node, place[node]))
            place.update((node, float(number)) for number, node in enumerate(column))
        crossings = _crossings(columns, after)
        if crossings < least:
            best, least = [list(column) for column in columns], crossings
    columns[:] = best


def _crossings(columns: Sequence[Sequence[int]], after: Sequence[Sequence[int]]) -> int:
    """Count the pairs of edges between neighbouring layers that cross."""
    total = 0
    for column, following in pairwise(columns):
        place = {node: number for number, node in enumerate(following)}
        ends = [end for node in column for end in sorted(place[head] for head in after[node])]
        total += sum(ends[i] > end for j, end in enumerate(ends) for i in range(j))
    return total


def _middles(
    columns: Sequence[Sequence[int]],
    before: Sequence[Sequence[int]],
    after: Sequence[Sequence[int]],
    heights: Sequence[float],
    apart: float,
) -> list[float]:
    """The height of each node's middle: near the mean of its neighbours, in order and without overlap."""
    middles = [0.0] * len(heights)
    for column in columns:
        _put(column, dict.fromkeys(column, 0.0), middles, heights, apart)
    for sweep in range(_SWEEPS):
        # Backwards first: from the last layer on, each node moves near its successors.
        neighbours, through = (after, columns[::-1]) if sweep % 2 == 0 else (before, columns)
        for column in through:
            wishes = {
                node: sum(middles[other] for other in near) / len(near) if (near := neighbours[node]) else middles[node]
                for node in column
            }
            _put(column, wishes, middles, heights, apart)
    return middles


def _put(
    column: Sequence[int], wishes: Mapping[int, float], middles: list[float], heights: Sequence[float], apart: float
) -> None:
    """Give the nodes of a layer the places nearest to their wishes, by least squares, that keep order and distance."""
    offsets = [0.0]
    for above, below in pairwise(column):
        offsets.append(offsets[-1] + (heights[above] + heights[below]) / 2 + apart)
    # Without the offsets the places need only not decrease: neighbours that disagree share their mean.
    blocks: list[tuple[float, int]] = []
    for node, offset in zip(column, offsets, strict=True):
        total, count = wishes[node] - offset, 1
        while blocks and blocks[-1][0] / blocks[-1][1] > total / count:
            other, size = blocks.pop()
            total, count = total + other, count + size
        blocks.append((total, count))
    place = 0
    for total, count in blocks:
        for _ in range(count):
            middles[column[place]] = total / count + offsets[place]
            place += 1
