"""Bounds from other nodes: a plan that wins from a belief wins from its subsets at no greater cost."""

from __future__ import annotations

from collections import deque
from typing import Any, Generic, TypeVar

from ...model.problem import Cost
from ...views.and_or import AndOrProblem

Node = TypeVar("Node")

# Comparing is quick, but not free: only this many nodes of each sort, the latest, are kept.
_KEPT = 1000


class KnownBounds(Generic[Node]):
    """Nodes of `problem` that were won, with their costs, and nodes that were not, with lower bounds."""

    def __init__(self, problem: AndOrProblem[Any, Any]) -> None:
        self._includes = problem.includes
        self._won: deque[tuple[Node, Cost]] = deque(maxlen=_KEPT)
        self._dear: deque[tuple[Node, Cost]] = deque(maxlen=_KEPT)

    def won(self, node: Node, cost: Cost) -> None:
        """Record that there is a plan from `node` at this cost."""
        self._won.append((node, cost))

    def is_dearer(self, node: Node, than: Cost) -> None:
        """Record that every plan from `node` costs more."""
        self._dear.append((node, than))

    def upper_bound(self, node: Node, bound: Cost) -> tuple[Node, Cost] | None:
        """A node that includes this one, and the cost of its plan, at most `bound`; None if none is known."""
        return next((won for won in self._won if won[1] <= bound and self._includes(won[0], node)), None)

    def lower_bound(self, node: Node, bound: Cost) -> Cost | None:
        """The lower bound, above `bound`, of a node that this one includes; None if none is known."""
        return next((cost for other, cost in self._dear if cost > bound and self._includes(node, other)), None)
