"""Greedy probe of a problem: a search for a plan of the most promising actions; its failure proves nothing."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import islice
from typing import Generic, TypeVar

from ...belief_space.and_or import AndOrProblem
from ...model.base import Action, Cost
from ...running.run import Record
from ..trampoline import Calls, without_recursion
from .transposition_table import Option, TranspositionTable

Node = TypeVar("Node", bound=Hashable)

# A probe looks at so few actions of a node and at so few nodes; and there are so many probes, with growing bounds.
_FEW = 8
_MOST_NODES = 1000
_PROBES = 16


class GreedyProbe(Generic[Node, Action]):
    """Searches that look at the most promising actions only, for a problem that says which these are.

    Most often that is the search already, or all that is found for a large problem before a limit is reached. The plans
    found are saved in `known`.
    """

    def __init__(
        self, problem: AndOrProblem[Node, Action], known: TranspositionTable[Node, Action], record: Record[Node, Action]
    ) -> None:
        self._problem = problem
        self._known = known
        self._record = record
        self._visited: set[tuple[Hashable, Cost]] = set()  # in this probe

    def finds(self, root: Node, bound: Cost) -> bool:
        """Whether a plan from `root` is found within this bound or a little more."""
        if next(self._problem.promising(root), None) is None:
            return False
        extra = range(_PROBES if self._problem.has_unit_costs() else 1)
        return any(self.wins(root, bound + more) for more in extra)

    def wins(self, node: Node, bound: Cost) -> bool:
        """Whether some plan of the most promising actions wins from `node` within `bound`."""
        self._visited.clear()
        return without_recursion(self._wins(node, bound))

    def _wins(self, node: Node, bound: Cost) -> Calls[bool]:
        known = self._known
        if known.cost(node) <= bound:
            return True
        key = known.class_of(node), bound
        if known.lower_bound(node) > bound or key in self._visited or len(self._visited) == _MOST_NODES:
            return False
        self._visited.add(key)
        self._record.expand(node, bound, 0)
        size = self._problem.size
        for option in sorted(self.promising(node), key=lambda option: (option.bound, size(option.children[0]))):
            if option.bound > bound:
                break
            for child in option.children:
                if not (yield self._wins(child, bound - option.cost)):
                    break
            else:
                known.save(node, option)
                return True
        return False

    def promising(self, node: Node) -> Iterator[Option[Node, Action]]:
        """Yield a few options that the problem calls the most promising."""
        for action in islice(self._problem.promising(node), _FEW):
            children = dict.fromkeys(child for _, child in self._problem.outcomes(node, action))
            self._record.generate_many(len(children))
            if node not in children:
                cost = self._problem.action_cost(node, action)
                yield self._known.option(action, cost, self._known.undominated(node, children))
