"""A glance at a problem: whether some plan of the most promising actions wins; if not, nothing is known."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import islice
from typing import Generic, TypeVar

from ...belief_space.and_or import AndOrProblem
from ...model.base import Action, Cost
from ...running.run import Record
from ..trampoline import Calls, without_recursion
from .transposition_table import KnownNodes, Option

Node = TypeVar("Node", bound=Hashable)

# A glance is at so few actions of a node and at so few nodes, and there are so many, with growing bounds.
_FEW = 8
_MOST_GLANCED = 1000
_GLANCES = 16


class Glance(Generic[Node, Action]):
    """Searches that look at the most promising actions only, for a problem that says which these are.

    Most often that is the search already, or all that can be told of a large problem before a limit is reached. The
    plans found are kept in `known`.
    """

    def __init__(
        self, problem: AndOrProblem[Node, Action], known: KnownNodes[Node, Action], record: Record[Node, Action]
    ) -> None:
        self._problem = problem
        self._known = known
        self._record = record
        self._looked_at: set[tuple[Hashable, Cost]] = set()  # in this glance

    def sees(self, root: Node, bound: Cost) -> bool:
        """Whether a plan from `root` is seen within this bound or a little more."""
        if next(self._problem.promising(root), None) is None:
            return False
        extra = range(_GLANCES if self._problem.has_unit_costs() else 1)
        return any(self.wins(root, bound + more) for more in extra)

    def wins(self, node: Node, bound: Cost) -> bool:
        """Whether some plan of the most promising actions wins from `node` within `bound`."""
        self._looked_at.clear()
        return without_recursion(self._wins(node, bound))

    def _wins(self, node: Node, bound: Cost) -> Calls[bool]:
        known = self._known
        if known.cost(node) <= bound:
            return True
        key = known.class_of(node), bound
        if known.lower_bound(node) > bound or key in self._looked_at or len(self._looked_at) == _MOST_GLANCED:
            return False
        self._looked_at.add(key)
        self._record.expand(node, bound, 0)
        size = self._problem.size
        for option in sorted(self.promising(node), key=lambda option: (option.bound, size(option.children[0]))):
            if option.bound > bound:
                break
            for child in option.children:
                if not (yield self._wins(child, bound - option.cost)):
                    break
            else:
                known.keep(node, option)
                return True
        return False

    def promising(self, node: Node) -> Iterator[Option[Node, Action]]:
        """A few actions that the problem says are the most promising, one by one."""
        for action in islice(self._problem.promising(node), _FEW):
            children = dict.fromkeys(child for _, child in self._problem.outcomes(node, action))
            self._record.generate_many(len(children))
            if node not in children:
                cost = self._problem.action_cost(node, action)
                yield self._known.option(action, cost, self._known.kept(node, children))
