"""Which nodes of a graph can reach an end."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def reaching(ends: Iterable[Node], edges: Iterable[tuple[Node, Node]]) -> set[Node]:
    """The nodes from which one of `ends` can be reached along `edges`, pairs (tail, head).

    Linear in both.
    """
    before: dict[Node, list[Node]] = {}
    for origin, target in edges:
        before.setdefault(target, []).append(origin)
    frontier = list(dict.fromkeys(ends))
    found = set(frontier)
    for node in frontier:  # grows while it is walked: backwards
        for origin in before.get(node, ()):
            if origin not in found:
                found.add(origin)
                frontier.append(origin)
    return found
