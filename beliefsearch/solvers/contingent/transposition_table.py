"""Transposition table of an AND-OR search: proved bounds of nodes, and plans with their costs."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from attrs import frozen

from ...belief_space.and_or import AndOrProblem
from ...model.base import Action, Cost
from ...model.exact import below

Node = TypeVar("Node", bound=Hashable)


@frozen
class Option(Generic[Node, Action]):
    """An action with its outcomes, the hardest first, and a lower bound on the cost to win by it."""

    bound: Cost
    action: Action
    cost: Cost
    children: tuple[Node, ...]


class TranspositionTable(Generic[Node, Action]):
    """Lower bounds, and plans with their costs, which all nodes of a class share.

    Only the actions of plans are a node's own. Where a plan is known for a node that includes it, that one stands in.
    Without `use_classes` every node is a class of its own.
    """

    def __init__(
        self, problem: AndOrProblem[Node, Action], estimate: Callable[[Node], Cost], *, use_classes: bool = True
    ) -> None:
        self._problem = problem
        self._estimate: Callable[[Node], Cost] = lambda node: below(estimate(node))
        self.class_of: Callable[[Node], Hashable] = problem.class_of if use_classes else lambda node: node
        self._lower: dict[Hashable, Cost] = {}
        self._upper: dict[Hashable, Cost] = {}
        self._depth: dict[Hashable, int] = {}  # of the plans with these costs
        self._best: dict[Node, tuple[Action, Cost]] = {}
        self._stands_in: dict[Node, Node] = {}  # by node: one that includes it, whose plan does for both
        self.largest_estimate: Cost = 0  # of those that are finite

    def __len__(self) -> int:
        """Return the number of classes with bounds."""
        return len(self._lower)

    def lower_bound(self, node: Node) -> Cost:
        """Return a lower bound on the cost to win from a node of this class; at first its estimate."""
        key = self.class_of(node)
        bound = self._lower.get(key)
        if bound is None:
            if self._problem.is_goal(node):
                bound = self._upper[key] = 0
                self._depth[key] = 0
            else:
                bound = self._estimate(node)
                if self.largest_estimate < bound < math.inf:
                    self.largest_estimate = bound
            self._lower[key] = bound
        return bound

    def proved(self, node: Node) -> Cost | None:
        """Return the lower bound known for nodes of this class; None if they have not come up."""
        return self._lower.get(self.class_of(node))

    def is_bounded(self, node: Node) -> bool:
        """Whether more is known of nodes of this class than the estimate says."""
        bound = self.proved(node)
        return bound is not None and (bound == math.inf or bound > self._estimate(node))

    def is_dearer(self, node: Node, bound: Cost) -> None:
        """Record that plans for nodes of this class, which have come up, cost at least `bound`."""
        key = self.class_of(node)
        if bound > self._lower[key]:
            self._lower[key] = bound

    def cost(self, node: Node) -> Cost:
        """Return the cost of the known plan for nodes of this class; infinite if none is known."""
        return self._upper.get(self.class_of(node), math.inf)

    def depth(self, node: Node) -> int:
        """Return the length of the known plan for nodes of this class."""
        return self._depth[self.class_of(node)]

    def save(self, node: Node, option: Option[Node, Action]) -> None:
        """Remember the action that wins from a node, all of whose outcomes are won."""
        found = option.cost + max(self.cost(child) for child in option.children)
        if found < self.cost(node):  # else the node has come up again below itself, and done better there
            key = self.class_of(node)
            self._upper[key] = found
            self._depth[key] = 1 + max(self.depth(child) for child in option.children)
            self._best[node] = (option.action, found)

    def save_stand_in(self, node: Node, other: Node, cost: Cost) -> None:
        """Remember that the plan for another node, at this cost, does for this one, which is a class of its own."""
        self._stands_in[node], self._upper[node] = other, cost
        self._depth[node] = self.depth(other)

    def with_plan(self, node: Node) -> Node:
        """Return the node itself, or one whose plan also works for it."""
        while node in self._stands_in and self._own_cost(node) > self.cost(node):
            node = self._stands_in[node]
        return node

    def _own_cost(self, node: Node) -> Cost:
        return self._best[node][1] if node in self._best else math.inf

    def best_action(self, node: Node, find: Callable[[Node, Cost], Action]) -> Action:
        """Return the first action of a plan for this node.

        If so cheap a plan is known for another node of the class only, `find` gives an action, for the node and the
        cost it can be won at.
        """
        within = self.cost(node)
        if self._own_cost(node) > within:
            self._best[node] = find(node, within), within
        return self._best[node][0]

    def option(self, action: Action, cost: Cost, children: dict[Node, None]) -> Option[Node, Action]:
        """Return the option with these outcomes."""
        bound = cost + max(self.lower_bound(child) for child in children)
        return Option(bound, action, cost, tuple(sorted(children, key=self._problem.size, reverse=True)))

    def undominated(self, node: Node, children: dict[Node, None]) -> dict[Node, None]:
        """Return the outcomes without those that others include, whose plans work for both."""
        size = self._problem.size
        if sum(size(child) for child in children) <= size(node):
            return children
        largest_first = sorted(children, key=size, reverse=True)
        found: list[Node] = []
        for child in largest_first:
            if not any(self._problem.includes(other, child) for other in found):
                found.append(child)
        return dict.fromkeys(found)
