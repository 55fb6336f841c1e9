"""Learning depth-first search on AND-OR problems, for the least worst-case cost, within a growing bound.

It is iterative deepening A* with memory on AND-OR problems: B. Bonet and H. Geffner,
"Learning Depth-First Search: A Unified Approach to Heuristic Search in Deterministic and Non-Deterministic
Settings" (2006). Proved bounds of nodes are remembered, and plans with their costs.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Any, Generic, TypeVar

from ...belief_space.and_or import AndOrProblem, KnownPart
from ...model.base import Action, Cost
from ...plans.plan import ConditionalPlan
from ...plans.result import SearchResult
from ...running.run import Record, Run
from ..trampoline import Calls, without_recursion
from .and_or_graph import AndOrGraph, whole_graph_decides
from .greedy_probe import GreedyProbe
from .plan_graph import plan_graph
from .transposition_table import Option, TranspositionTable

Node = TypeVar("Node", bound=Hashable)

# Comparing is quick, but not free: only this many nodes of each sort, the latest, are compared with others.
_COMPARED = 1000


def and_or_search(
    problem: AndOrProblem[Node, Action],
    heuristic: Callable[[Node], Cost],
    *,
    dominance: bool = False,
    run: Run | None = None,
) -> SearchResult[Action]:
    """Find an acyclic conditional plan of least worst-case cost.

    `heuristic` is a lower bound on the worst-case cost from a node. With `dominance`, which never changes the cost,
    nodes are compared with others that include them, or that they include. A result is unsolvable if no plan is sure
    to end; there may be a strong cyclic one, which `and_or_graph_search` finds.

    Memory is linear in the nodes tried, and time in the actions of a node for each bound it is tried within.

    Where nodes can come round again and there is no plan, bounds alone would grow for ever. So after a round that
    tried no new node the nodes known so far are taken for the whole graph, those never tried counting as won: if
    the root is lost even so, there is no plan. That graph can stay too hopeful only where nodes are bounded by
    others, of their class or by dominance. Hence the bound has an end as well. A cheapest plan comes back to no
    node, so while a round fails, some way down it consists of different nodes, all tried, and ends at one that
    was cut off by its estimate; the bound is below what that costs, which is at most the sum over all nodes tried
    of the dearest action of each, and the largest finite estimate. When it has passed that (classes may be to blame),
    the whole graph decides, which needs no bounds.
    """
    return BoundedSearch(problem, heuristic, dominance=dominance, run=run).run()


class NoPlanOfItsOwn(Exception):
    """Raised when a plan is known for a node's class, but none was found for the node itself."""


class BoundedSearch(Generic[Node, Action]):
    """The search of `and_or_search`, which may be run again where a view stopped it by `EffortExceeded`.

    It goes on where it was, with another allowance: all proved bounds are still `known`. Without `use_classes` every
    node is a class of its own. `seen` is a plan with its cost, which need not be the least, if a greedy probe has found
    one. A `record` that is given counts on.
    """

    def __init__(
        self,
        problem: AndOrProblem[Node, Action],
        heuristic: Callable[[Node], Cost],
        *,
        dominance: bool = False,
        use_classes: bool = True,
        run: Run | None = None,
        record: Record[Node, Action] | None = None,
    ) -> None:
        self._problem = problem
        self._heuristic = heuristic
        self._record: Record[Node, Action] = record or Record("and-or", problem, run)
        self.known: TranspositionTable[Node, Action] = TranspositionTable(problem, heuristic, use_classes=use_classes)
        self._probe: GreedyProbe[Node, Action] = GreedyProbe(problem, self.known, self._record)
        self.seen: tuple[ConditionalPlan[Action, Any], Cost] | None = None
        self._dominance = dominance
        self._won: deque[tuple[Node, Cost]] = deque(maxlen=_COMPARED)  # with what their plans cost
        self._dear: deque[tuple[Node, Cost]] = deque(maxlen=_COMPARED)  # with lower bounds
        self._tried: set[tuple[Node, Cost]] = set()  # in this round
        self._dearest: dict[Node, Cost] = {}  # by node tried: the cost of its dearest action
        self._tried_before = 0  # the number of nodes before this round
        self._depth_now = 0
        self._led_back = False
        self._has_won = False
        self._least_excess: Cost = math.inf  # the least growth of the bound that can change this round
        self._record.watch(lambda: len(self.known))

    @property
    def lower_bound(self) -> Cost:
        """The lower bound proved so far of the cost of all plans."""
        return self._record.lower_bound

    def known_bound(self, node: Node) -> Cost:
        """Return a lower bound on the cost to win from a node, as far as anything has been proved of it."""
        return self.known.proved(node) or 0

    def run(self) -> SearchResult[Action]:
        """Search, or go on with the search; raises `EffortExceeded` if the view does."""
        record = self._record
        with record:
            self._begin_round()
            return self._decided()
        return record.undecided() if self.seen is None else record.solved(*self.seen, record.lower_bound)

    def _decided(self) -> SearchResult[Action]:
        """Search within one bound after the other."""
        record, known = self._record, self.known
        root = self._problem.initial_node()
        bound = max(known.lower_bound(root), record.lower_bound)
        while bound < math.inf:
            record.finish_layer(bound, 0)
            if self.seen is None:
                self.seen = self._seen_by_probe(root, bound)
            if without_recursion(self._wins(root, bound)):
                return self._solved(root, bound)
            if self._must_repeat():
                continue
            if not self._has_grown() and not self._may_be_won(root):
                return record.unsolvable()
            # An acyclic plan through nodes that have been tried costs no more than this.
            largest = sum(self._dearest.values()) + known.largest_estimate
            if self._least_excess < math.inf and bound >= largest:
                return whole_graph_decides(self._problem, root, record)
            bound = max(bound + self._least_excess, known.lower_bound(root))
            self._least_excess = math.inf
        return record.unsolvable()

    def _solved(self, root: Node, bound: Cost) -> SearchResult[Action]:
        search = self
        try:
            plan = self._plan(root)
        except NoPlanOfItsOwn:
            # Once more, with every node in a class of its own: that there is a plan is known now.
            search = BoundedSearch(self._problem, self._heuristic, use_classes=False, record=self._record)
            without_recursion(search._wins(root, bound))
            while search._must_repeat():
                without_recursion(search._wins(root, bound))
            plan = search._plan(root)
        return self._record.solved(plan, search.known.cost(root), bound)

    def _has_grown(self) -> bool:
        """Whether new nodes have been tried since the last call."""
        before, self._tried_before = self._tried_before, len(self._dearest)
        return len(self._dearest) > before

    def _may_be_won(self, root: Node) -> bool:
        """Whether `root` could be won if every node were won that was not tried, nor another that gives a bound."""
        part = KnownPart(
            self._problem,
            lambda node: node not in self._dearest and not self.known.is_bounded(node),
            lambda node: self.known.proved(node) == math.inf,
            self._record.tick,
        )
        _, cost = AndOrGraph(part, [root]).least_costs()
        return 0 in cost

    def _wins(self, node: Node, bound: Cost) -> Calls[bool]:
        """Decide whether some plan wins from `node` at a cost within `bound`."""
        known = self.known
        if self._is_cut(known.lower_bound(node), bound):
            return False
        if known.cost(node) <= bound:
            return True
        if (node, bound) in self._tried:
            self._led_back = True  # by actions that cost nothing
            return False
        if self._dominance:
            found = self._found_by_dominance(node, bound)
            if found is not None:
                return found
        self._tried.add((node, bound))
        self._depth_now += 1
        won: bool = yield self._try_options(node, bound)
        self._depth_now -= 1
        self._has_won = self._has_won or won
        if self._dominance and won:
            self._won.append((node, known.cost(node)))
        elif self._dominance and known.lower_bound(node) > bound:
            self._dear.append((node, known.lower_bound(node)))
        return won

    def _seen_by_probe(self, root: Node, bound: Cost) -> tuple[ConditionalPlan[Action, Any], Cost] | None:
        """Return a plan from `root` with its cost, within this bound or a little more, if a greedy probe finds one."""
        if not self._probe.finds(root, bound):
            return None
        with suppress(NoPlanOfItsOwn):
            return self._plan(root), self.known.cost(root)
        return None

    def _found_by_dominance(self, node: Node, bound: Cost) -> bool | None:
        """Decide by other nodes whether some plan wins within `bound`; None if they do not tell.

        A plan that wins from a belief wins from its subsets at no greater cost.
        """
        includes = self._problem.includes
        found = next((won for won in self._won if won[1] <= bound and includes(won[0], node)), None)
        if found is not None and self.known.class_of(node) == node:  # in a class of several the others have no plan
            self.known.save_stand_in(node, *found)
            return True
        dear = next((cost for other, cost in self._dear if cost > bound and includes(node, other)), None)
        if dear is None:
            return None
        self.known.is_dearer(node, dear)
        return not self._is_cut(dear, bound)

    def _try_options(self, node: Node, bound: Cost) -> Calls[bool]:
        self._record.expand(node, bound, self._depth_now)
        least: Cost = math.inf
        for option in self._options(node, bound):
            if self._is_cut(option.bound, bound):
                least = min(least, option.bound)
                break  # the others promise no more
            for child in option.children:
                if not (yield self._wins(child, bound - option.cost)):
                    least = min(least, option.cost + self.known.lower_bound(child))
                    break
            else:
                self.known.save(node, option)
                return True
        self.known.is_dearer(node, least)
        return False

    def _must_repeat(self) -> bool:
        """Begin a new round; return whether to repeat the bound, as a node may have been given up too early."""
        again = self._led_back and self._has_won
        excess = math.inf if again else self._least_excess
        self._begin_round()
        self._least_excess = excess
        return again

    def _begin_round(self) -> None:
        """Forget what was tried in a round, which may have been broken off, but nothing that was proved."""
        self._tried.clear()
        self._led_back = self._has_won = False
        self._depth_now = 0
        self._least_excess = math.inf

    def _is_cut(self, lower_bound: Cost, bound: Cost) -> bool:
        if lower_bound > bound:
            self._least_excess = min(self._least_excess, lower_bound - bound)
            return True
        return False

    def _options(self, node: Node, limit: Cost) -> list[Option[Node, Action]]:
        """Return the actions worth trying, the most promising first: by bound, then by size of the largest outcome.

        Or only one, if it is known already that it wins at a cost within `limit`.
        """
        problem, size, known = self._problem, self._problem.size, self.known
        found: dict[frozenset[Node], tuple[Cost, int, Option[Node, Action]]] = {}
        generated = 0
        dearest: Cost = 0
        for action in problem.actions(node):
            children = dict.fromkeys(child for _, child in problem.outcomes(node, action))
            generated += len(children)
            if node in children:
                continue  # whoever can win by this can win without it
            cost = problem.action_cost(node, action)
            dearest = max(dearest, cost)
            children = known.undominated(node, children)
            outcomes = frozenset(children)
            if outcomes in found and found[outcomes][2].cost <= cost:
                continue  # another action comes to the same
            option = known.option(action, cost, children)
            if option.bound <= limit and all(known.cost(child) <= limit - cost for child in option.children):
                self._record.generate_many(generated)
                return [option]
            found[outcomes] = (option.bound, size(option.children[0]), option)
        self._record.generate_many(generated)
        self._dearest[node] = dearest
        ordered = sorted(found.values(), key=lambda entry: entry[:2])
        return [option for _, _, option in ordered]

    def _plan(self, root: Node) -> ConditionalPlan[Action, Any]:
        """Return the plan that was found, as a graph with one node for each belief it may reach.

        Where a belief is included in another, the plan for that one is followed.
        """
        start = self.known.with_plan(root)
        return plan_graph(
            self._problem, start, lambda node: self.known.best_action(node, self._own_action), self._stand_ins
        )

    def _stand_ins(self, node: Node, children: list[Node]) -> dict[Node, Node]:
        problem = self._problem
        larger = self.known.undominated(node, dict.fromkeys(children))
        found: dict[Node, Node] = {}
        for child in children:
            if not problem.is_goal(child):
                other = child if child in larger else next(large for large in larger if problem.includes(large, child))
                found[child] = self.known.with_plan(other)
        return found

    def _own_action(self, node: Node, bound: Cost) -> Action:
        """Return an action for a node that is known, by its class, to be won within `bound`.

        First by what is known of its children; but of two nodes of one class the children need not be of the same
        classes. Actions that cost nothing could lead in a circle, were the plans not to become shorter.
        """
        known = self.known
        depth = known.depth(node)
        for options, search in (
            (self._probe.promising, None),
            (self._probe.promising, self._probe.wins),
            (self._all_options, None),
            (self._all_options, self._can_be_won),
        ):
            for option in options(node):
                rest = bound - option.cost
                if all(
                    (known.cost(child) <= rest or (search is not None and search(child, rest)))
                    and (known.cost(child), known.depth(child)) < (bound, depth)
                    for child in option.children
                ):
                    return option.action
        raise NoPlanOfItsOwn

    def _all_options(self, node: Node) -> list[Option[Node, Action]]:
        return self._options(node, -1)

    def _can_be_won(self, node: Node, bound: Cost) -> bool:
        self._tried.clear()
        return without_recursion(self._wins(node, bound))
