"""AND-OR search for the least expected cost, for problems in which only the start is random.

Actions then are of two kinds: some distinguish possible starts, and as no start is ever joined to others again
this cannot go round in circles; the others lead from node to node as in a plain problem. So the least cost of a
node is that of a shortest path, found by A*, over nodes that the second kind leads to, to an action of the first
kind, behind which there are smaller problems of the same sort (or to a goal).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from fractions import Fraction
from heapq import heappop, heappush
from typing import Generic, TypeAlias, TypeVar

from attrs import frozen

from ...belief_space.and_or import AndOrProblem
from ...model.base import Action, Cost
from ...model.exact import below
from ...model.values import whole
from ...plans.result import SearchResult
from ...running.run import Record, Run
from ..trampoline import Calls, without_recursion
from .plan_graph import plan_graph

Node = TypeVar("Node", bound=Hashable)


def expected_and_or_search(
    problem: AndOrProblem[Node, Action], heuristic: Callable[[Node], Cost], *, run: Run | None = None
) -> SearchResult[Action]:
    """Find a conditional plan of least expected cost, of which `heuristic` is a lower bound.

    The problem gives the probabilities of outcomes (`shares`), and each leads to fewer of the starts. A node is looked
    at again when more of its cost must be known; memory is linear in the nodes met. Where there is no plan the bounds
    may rise for ever, unless the heuristic says so: `and_or_graph_search` decides, and the front door asks it.
    """
    record: Record[Node, Action] = Record("expected-and-or", problem, run)
    with record:
        search = ExpectedCosts(problem, heuristic, record)
        root = problem.initial_node()
        record.lower_bound = whole(search.lower_bound(root))
        without_recursion(search.find_cost(root, math.inf))
        cost = whole(search.lower_bound(root))
        if cost == math.inf:
            return record.unsolvable()
        return record.solved(plan_graph(problem, root, search.best_action), cost, cost)
    return record.undecided()


@frozen
class _Option(Generic[Node, Action]):
    """An action with its cost, and its outcomes with their probabilities."""

    action: Action
    cost: Cost
    outcomes: tuple[tuple[Fraction, Node], ...]


_Way: TypeAlias = tuple[Cost, Node, _Option[Node, Action] | None]


class ExpectedCosts(Generic[Node, Action]):
    """Costs and bounds of nodes, as far as they are known, and the search for more.

    A node may be asked about again, with a higher limit; known bounds are saved.
    """

    def __init__(
        self, problem: AndOrProblem[Node, Action], heuristic: Callable[[Node], Cost], record: Record[Node, Action]
    ) -> None:
        self._problem = problem
        self._heuristic = heuristic
        self._record = record
        self._lower: dict[Hashable, Cost] = {}
        self._is_exact: set[Hashable] = set()  # the lower bounds of these classes are their costs
        self._best: dict[Node, Action] = {}
        self._options_of: dict[Node, tuple[_Option[Node, Action], ...]] = {}
        record.watch(lambda: len(self._lower))

    def lower_bound(self, node: Node) -> Cost:
        """Return a lower bound on the cost to win from a node of this class; at first its estimate."""
        key = self._problem.class_of(node)
        bound = self._lower.get(key)
        if bound is None:
            bound = 0 if self._problem.is_goal(node) else below(self._heuristic(node))
            self._lower[key] = bound
        return bound

    def is_exact(self, node: Node) -> bool:
        """Whether the lower bound of `node` is its cost."""
        return self._problem.is_goal(node) or self._problem.class_of(node) in self._is_exact

    def find_cost(self, node: Node, limit: Cost) -> Calls[None]:
        """Find the least expected cost from `node`, or only that it is above `limit`."""
        if not self.is_exact(node) and self.lower_bound(node) <= limit:
            yield self._search_from(node, limit)

    def best_action(self, node: Node) -> Action:
        """Return the best action in a node whose least cost is known."""
        if node not in self._best:  # it is known from another node of this class
            without_recursion(self._search_from(node, math.inf))
        return self._best[node]

    def _search_from(self, start: Node, limit: Cost) -> Calls[None]:
        """Run A* from `start` to an action that distinguishes starts, or to a goal.

        A way in the frontier is: its cost so far, its last node, and perhaps an action there that distinguishes starts.
        """
        key = self._problem.class_of(start)
        g_of: dict[Node, Cost] = {start: 0}
        came_by: dict[Node, tuple[Node, Action]] = {}
        frontier: list[tuple[Cost, int, _Way[Node, Action]]] = [(self.lower_bound(start), 0, (0, start, None))]
        age = 0
        while frontier:
            f, _, way = heappop(frontier)
            self._record.generate_many(0)  # limits are heard here too: nodes may be looked at again and again
            now = self._bound(way)
            if now > f:  # more has become known since
                age += 1
                heappush(frontier, (now, age, way))
                continue
            if f > limit or f == math.inf:
                self._lower[key] = max(self._lower[key], f)
                return
            g, node, option = way
            if option is None:
                if g > g_of[node]:
                    continue  # reached more cheaply since
                if self._problem.is_goal(node):
                    self._settle(start, f, way, came_by)
                    return
                new = self._expand(g, node, g_of, came_by)
            else:
                unknown = next((outcome for outcome in option.outcomes if not self.is_exact(outcome[1])), None)
                if unknown is None:
                    self._settle(start, f, way, came_by)
                    return
                share, child = unknown
                # Nothing need be known of this outcome beyond what makes another way look better.
                slack = (min(limit, frontier[0][0]) if frontier else limit) - f
                yield self.find_cost(child, self.lower_bound(child) + slack / share)
                new = [way]
            for further in new:
                age += 1
                heappush(frontier, (self._bound(further), age, further))
        self._lower[key] = math.inf
        self._is_exact.add(key)

    def _bound(self, way: _Way[Node, Action]) -> Cost:
        g, node, option = way
        if option is None:
            return g + self.lower_bound(node)
        return g + option.cost + sum(share * self.lower_bound(child) for share, child in option.outcomes)

    def _expand(
        self, g: Cost, node: Node, g_of: dict[Node, Cost], came_by: dict[Node, tuple[Node, Action]]
    ) -> list[_Way[Node, Action]]:
        new: list[_Way[Node, Action]] = []
        for option in self._options(node):
            if len(option.outcomes) > 1:
                new.append((g, node, option))
                continue
            child, child_g = option.outcomes[0][1], g + option.cost
            if child_g < g_of.get(child, math.inf):
                g_of[child] = child_g
                came_by[child] = node, option.action
                new.append((child_g, child, None))
        return new

    def _options(self, node: Node) -> tuple[_Option[Node, Action], ...]:
        """Return the actions in `node`, computed once."""
        known = self._options_of.get(node)
        if known is not None:
            return known
        problem = self._problem
        self._record.expand(node, 0, 0)
        found: dict[frozenset[tuple[Node, Fraction]], _Option[Node, Action]] = {}
        for action in problem.actions(node):
            outcomes = problem.outcomes(node, action)
            self._record.generate_many(len(outcomes))
            shares: dict[Node, Fraction] = {}
            for (_, child), share in zip(outcomes, problem.shares(node, action, outcomes), strict=True):
                shares[child] = shares.get(child, Fraction(0)) + share
            key = frozenset(shares.items())
            cost = problem.action_cost(node, action)
            if key not in found or cost < found[key].cost:  # else another action comes to the same
                found[key] = _Option(action, cost, tuple((share, child) for child, share in shares.items()))
        self._options_of[node] = tuple(found.values())
        return self._options_of[node]

    def _settle(
        self, start: Node, cost: Cost, way: _Way[Node, Action], came_by: dict[Node, tuple[Node, Action]]
    ) -> None:
        """Record a cheapest path: the actions of its nodes, and the cost of its first node.

        What was known before stays: with actions that cost nothing, parts of two plans could make a circle.
        """
        _, node, option = way
        if option is not None:
            self._best.setdefault(node, option.action)
        while node != start:
            node, action = came_by[node]
            self._best.setdefault(node, action)
        key = self._problem.class_of(start)
        self._lower[key] = cost
        self._is_exact.add(key)
