"""AND-OR search for the least worst-case cost: depth-first within a growing bound, with memory.

It is iterative deepening A* on AND-OR problems, known as learning depth-first search: B. Bonet and H. Geffner,
"Learning Depth-First Search: A Unified Approach to Heuristic Search in Deterministic and Non-Deterministic
Settings" (2006). What has been proved about a node is remembered: a lower bound, and a plan with its cost.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

from ...model.problem import Action, Cost
from ...plans.plan import ConditionalPlan
from ...plans.result import SearchResult
from ...running.limits import Budget
from ...running.observer import Observer
from ...running.record import Record
from ...views.and_or import AndOrProblem
from .graph import whole_graph_decides
from .known_bounds import KnownBounds
from .within_bound import NoPlanOfItsOwn, WithinBound
from .without_recursion import without_recursion

Node = TypeVar("Node", bound=Hashable)


def and_or_search(
    problem: AndOrProblem[Node, Action],
    heuristic: Callable[[Node], Cost],
    *,
    dominance: bool = False,
    budget: Budget | None = None,
    observer: Observer | None = None,
) -> SearchResult[Action]:
    """Find an acyclic conditional plan of least worst-case cost.

    `heuristic` is a lower bound on the worst-case cost from a node. With `dominance`, which never changes the cost,
    nodes are compared with others that include them, or that they include (see `KnownBounds`). A result is unsolvable
    if there is no plan that is sure to end; there may be one that keeps trying, which `and_or_graph_search` finds.

    Memory is linear in the nodes tried, and time in the actions of a node for each bound it is tried within.

    Where nodes can come round again and there is no plan, bounds alone would grow for ever. So after a round that
    tried no new node the nodes known so far are taken for the whole graph, those never tried counting as won: if
    the root is lost even so, there is no plan. That graph can stay too hopeful only where nodes are bounded by
    others, of their class or by dominance. Hence the bound has an end as well. A cheapest plan comes back to no
    node, so while a round fails, some way down it consists of different nodes, all tried, and ends at one that
    was cut off by its estimate; the bound is below what that costs, which is at most the sum over all nodes tried
    of the dearest action of each, and the largest finite estimate. When it has passed that (rounding and classes
    may be to blame), the whole graph decides, which needs no bounds.
    """
    return BoundedSearch(problem, heuristic, dominance=dominance, budget=budget, observer=observer).run()


class BoundedSearch(Generic[Node, Action]):
    """The search of `and_or_search`, which goes on where it was when a view stopped it by `Outgrown`.

    Then it may be run once more, with another allowance: what was proved of a node until then is still known.

    Attributes
    ----------
    seen
        A plan with its cost, which need not be the least, if a glance has found one.
    """

    def __init__(
        self,
        problem: AndOrProblem[Node, Action],
        heuristic: Callable[[Node], Cost],
        *,
        dominance: bool = False,
        budget: Budget | None = None,
        observer: Observer | None = None,
    ) -> None:
        self._problem = problem
        self._heuristic = heuristic
        self._record: Record[Node, Action] = Record("and-or", problem, budget, observer)
        self._search = WithinBound(problem, heuristic, self._record, KnownBounds(problem) if dominance else None)
        self.seen: tuple[ConditionalPlan[Action, Any], Cost] | None = None

    @property
    def lower_bound(self) -> Cost:
        """No plan costs less, as far as this has been proved."""
        return self._record.lower_bound

    def known_bound(self, node: Node) -> Cost:
        """A lower bound on the cost to win from a node, as far as anything has been proved of it."""
        return self._search.known.proved(node) or 0

    def run(self) -> SearchResult[Action]:
        """Search, or go on with the search; raises `Outgrown` if the view does."""
        record = self._record
        with record:
            self._search.begin_round()
            return self._decided()
        return record.undecided() if self.seen is None else record.solved(*self.seen, record.lower_bound)

    def _decided(self) -> SearchResult[Action]:
        problem, search, record = self._problem, self._search, self._record
        root = problem.initial_node()
        bound = max(search.known.lower_bound(root), record.lower_bound)
        while bound < math.inf:
            record.finish_layer(bound, 0)
            if self.seen is None:
                self.seen = search.glance(root, bound)
            if without_recursion(search.wins(root, bound)):
                try:
                    plan = search.plan(root)
                except NoPlanOfItsOwn:
                    # Once more, with every node in a class of its own: that there is a plan is known now.
                    search = WithinBound(problem, self._heuristic, record, None, use_classes=False)
                    without_recursion(search.wins(root, bound))
                    while search.must_repeat():
                        without_recursion(search.wins(root, bound))
                    plan = search.plan(root)
                return record.solved(plan, search.known.cost(root), bound)
            if search.must_repeat():
                continue
            if not search.has_grown() and not search.may_be_won(root):
                return record.unsolvable()
            if search.least_excess < math.inf and bound >= search.largest_cost():
                return whole_graph_decides(problem, root, record)
            raised = max(bound + search.least_excess, search.known.lower_bound(root))
            # Floats may be rounded so that the excess is lost.
            bound = raised if raised > bound else math.nextafter(bound, math.inf)
            search.least_excess = math.inf
        return record.unsolvable()
