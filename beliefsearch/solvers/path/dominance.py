"""Dominance: pruning states for which another one, reached at no greater cost, does as well.

A state dominates another when whatever solves the other solves it, at no greater cost. Of beliefs, a
subset dominates: a plan for a belief wins from every subset of it.
"""

from __future__ import annotations

from bisect import bisect
from typing import Any, Generic, Protocol, TypeVar

from ...model.base import Cost

Node = TypeVar("Node")
_Node_contra = TypeVar("_Node_contra", contravariant=True)


class Dominance(Protocol[_Node_contra]):
    """An index of the states that a search has kept, which decides whether a new one is dominated."""

    def dominates(self, state: _Node_contra, g: Cost) -> bool:
        """Whether a state that was added at a cost of at most `g` dominates `state`."""

    def add(self, state: _Node_contra, g: Cost) -> None:
        """Add a kept state, reached at cost `g`."""


class ListedDominance(Generic[Node]):
    """The kept beliefs of a view, by size; a new one is compared with all that are not larger."""

    def __init__(self, view: Any) -> None:
        self._view = view
        self._sizes: list[int] = []
        self._of_size: dict[int, list[tuple[Cost, Node]]] = {}

    def dominates(self, state: Node, g: Cost) -> bool:
        includes = self._view.includes
        for size in self._sizes[: bisect(self._sizes, self._view.size(state))]:
            for other_g, other in self._of_size[size]:
                if other_g <= g and includes(state, other):
                    return True
        return False

    def add(self, state: Node, g: Cost) -> None:
        size = self._view.size(state)
        if size not in self._of_size:
            self._of_size[size] = []
            self._sizes.insert(bisect(self._sizes, size), size)
        self._of_size[size].append((g, state))
