"""AND-OR search for the least worst-case cost: depth-first within a growing bound, with memory.

It is iterative deepening A* on AND-OR problems, known as learning depth-first search: B. Bonet and H. Geffner,
"Learning Depth-First Search: A Unified Approach to Heuristic Search in Deterministic and Non-Deterministic
Settings" (2006). What has been proved about a node is remembered: a lower bound, and a plan with its cost.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Any, Generic, TypeVar

from attrs import frozen

from ...model.problem import Action, Cost
from ...plans.plan import ConditionalPlan
from ...plans.result import SearchResult
from ...running.limits import Budget
from ...running.observer import Observer
from ...running.record import Record
from ...views.and_or import AndOrProblem
from .graph import AndOrGraph, whole_graph_decides
from .known_bounds import KnownBounds
from .known_part import KnownPart
from .plan_graph import plan_graph
from .without_recursion import Calls, without_recursion

Node = TypeVar("Node", bound=Hashable)

# A glance is at so few actions of a node and at so few nodes, and there are so many, with growing bounds.
_FEW = 8
_MOST_GLANCED = 1000
_GLANCES = 16


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
        self._search = _Search(problem, heuristic, self._record, KnownBounds(problem) if dominance else None)

    @property
    def lower_bound(self) -> Cost:
        """No plan costs less, as far as this has been proved."""
        return self._record.lower_bound

    @property
    def seen(self) -> tuple[ConditionalPlan[Action, Any], Cost] | None:
        """A plan with its cost, which need not be the least, if a glance has found one."""
        return self._search.seen

    def known_bound(self, node: Node) -> Cost:
        """A lower bound on the cost to win from a node, as far as anything has been proved of it."""
        return self._search.known_bound(node)

    def run(self) -> SearchResult[Action]:
        """Search, or go on with the search; raises `Outgrown` if the view does."""
        record = self._record
        with record:
            self._search.begin_round()
            return self._decided()
        seen = self._search.seen
        return record.undecided() if seen is None else record.solved(*seen, record.lower_bound)

    def _decided(self) -> SearchResult[Action]:
        problem, search, record = self._problem, self._search, self._record
        root = problem.initial_node()
        bound = max(search.lower_bound(root), record.lower_bound)
        while bound < math.inf:
            record.finish_layer(bound, 0)
            search.look_ahead(root, bound)
            if without_recursion(search.wins(root, bound)):
                try:
                    plan = search.plan(root)
                except _NoPlanOfItsOwn:
                    # Once more, with every node in a class of its own: that there is a plan is known now.
                    search = _Search(problem, self._heuristic, record, None, use_classes=False)
                    without_recursion(search.wins(root, bound))
                    while search.must_repeat():
                        without_recursion(search.wins(root, bound))
                    plan = search.plan(root)
                return record.solved(plan, search.cost(root), bound)
            if search.must_repeat():
                continue
            if not search.has_grown() and not search.may_be_won(root):
                return record.unsolvable()
            if search.least_excess < math.inf and bound >= search.largest_cost():
                return whole_graph_decides(problem, root, record)
            raised = max(bound + search.least_excess, search.lower_bound(root))
            # Floats may be rounded so that the excess is lost.
            bound = raised if raised > bound else math.nextafter(bound, math.inf)
            search.least_excess = math.inf
        return record.unsolvable()


class _NoPlanOfItsOwn(Exception):
    """Raised when a plan is known for a node's class, but none was found for the node itself."""


@frozen
class _Option(Generic[Node, Action]):
    """An action with its outcomes, and a lower bound on the cost to win by it."""

    bound: Cost
    action: Action
    cost: Cost
    children: tuple[Node, ...]


class _Search(Generic[Node, Action]):
    """The search: the bounds and plans known for nodes so far.

    `least_excess` is by how much the bound must grow at the least for anything to be otherwise than in this round.
    """

    def __init__(
        self,
        problem: AndOrProblem[Node, Action],
        heuristic: Callable[[Node], Cost],
        record: Record[Node, Action],
        others: KnownBounds[Node] | None,
        *,
        use_classes: bool = True,
    ) -> None:
        self._problem = problem
        self._class_of: Callable[[Node], Hashable] = problem.class_of if use_classes else lambda node: node
        self._others = others
        self._heuristic = heuristic
        self._record = record
        self._lower: dict[Hashable, Cost] = {}
        self._upper: dict[Hashable, Cost] = {}
        self._depth: dict[Hashable, int] = {}  # of the plans with these costs
        self._best: dict[Node, tuple[Action, Cost]] = {}
        self._stands_in: dict[Node, Node] = {}  # by node: one that includes it, whose plan does for both
        self._tried: set[tuple[Node, Cost]] = set()  # in this round
        # By node tried: what its dearest action costs.
        self._dearest: dict[Node, Cost] = {}
        self._tried_before = 0  # how many nodes, before this round
        self.seen: tuple[ConditionalPlan[Action, Any], Cost] | None = None
        self._glanced: set[tuple[Hashable, Cost]] = set()  # in this glance
        self._largest_estimate: Cost = 0
        self._depth_now = 0
        self._led_back = False
        self._has_won = False
        self.least_excess: Cost = math.inf
        record.watch(lambda: len(self._lower))

    def lower_bound(self, node: Node) -> Cost:
        """A lower bound on the cost to win from a node of this class; at first its estimate."""
        key = self._class_of(node)
        bound = self._lower.get(key)
        if bound is None:
            if self._problem.is_goal(node):
                bound = self._upper[key] = 0
                self._depth[key] = 0
            else:
                bound = self._heuristic(node)
                if self._largest_estimate < bound < math.inf:
                    self._largest_estimate = bound
            self._lower[key] = bound
        return bound

    def known_bound(self, node: Node) -> Cost:
        """The lower bound known for nodes of this class; 0 if there is none."""
        return self._lower.get(self._class_of(node), 0)

    def has_grown(self) -> bool:
        """Whether new nodes have been tried since the last call."""
        before, self._tried_before = self._tried_before, len(self._dearest)
        return len(self._dearest) > before

    def largest_cost(self) -> Cost:
        """An upper bound on the cost of acyclic plans through nodes that have been tried."""
        return sum(self._dearest.values()) + self._largest_estimate

    def may_be_won(self, root: Node) -> bool:
        """Whether `root` could be won if every untried node were won."""
        known = KnownPart(self._problem, self._is_unknown, self._is_lost, self._record)
        _, cost = AndOrGraph(known, [root]).least_costs()
        return 0 in cost

    def _is_unknown(self, node: Node) -> bool:
        """Whether neither the node nor one that gives a bound for it has been tried."""
        if node in self._dearest:
            return False
        bound = self._lower.get(self._class_of(node))
        return bound is None or (bound < math.inf and bound <= self._heuristic(node))

    def _is_lost(self, node: Node) -> bool:
        return self._lower.get(self._class_of(node)) == math.inf

    def cost(self, node: Node) -> Cost:
        """The cost of the known plan for nodes of this class; infinite if none is known."""
        return self._upper.get(self._class_of(node), math.inf)

    def wins(self, node: Node, bound: Cost) -> Calls[bool]:
        """Whether some plan wins from `node` at a cost within `bound`."""
        if self._is_cut(self.lower_bound(node), bound):
            return False
        if self.cost(node) <= bound:
            return True
        if (node, bound) in self._tried:
            self._led_back = True  # by actions that cost nothing
            return False
        if self._others is not None:
            known = self._told_by_others(self._others, node, bound)
            if known is not None:
                return known
        self._tried.add((node, bound))
        self._depth_now += 1
        won: bool = yield self._try_options(node, bound)
        self._depth_now -= 1
        self._has_won = self._has_won or won
        if self._others is not None:
            if won:
                self._others.won(node, self.cost(node))
            elif self.lower_bound(node) > bound:
                self._others.is_dearer(node, self.lower_bound(node))
        return won

    def look_ahead(self, root: Node, bound: Cost) -> None:
        """See at a glance whether there is a plan from `root` within this bound or a little more, unless one was seen.

        Most often that is the search already, or all that can be told of a large problem before a limit is reached.
        """
        if self.seen is not None or next(self._problem.promising(root), None) is None:
            return
        for extra in range(_GLANCES if self._problem.has_unit_costs() else 1):
            if self._glance(root, bound + extra):
                with suppress(_NoPlanOfItsOwn):
                    self.seen = self.plan(root), self.cost(root)
                return

    def _glance(self, node: Node, bound: Cost) -> bool:
        self._glanced.clear()
        return without_recursion(self._is_won_at_a_glance(node, bound))

    def _is_won_at_a_glance(self, node: Node, bound: Cost) -> Calls[bool]:
        """Whether some plan of the most promising actions wins from `node` within `bound`; if not, nothing is known."""
        if self.cost(node) <= bound:
            return True
        key = self._class_of(node), bound
        if self.lower_bound(node) > bound or key in self._glanced or len(self._glanced) == _MOST_GLANCED:
            return False
        self._glanced.add(key)
        self._record.expand(node, bound, 0)
        size = self._problem.size
        for option in sorted(self._promising(node), key=lambda option: (option.bound, size(option.children[0]))):
            if option.bound > bound:
                break
            for child in option.children:
                if not (yield self._is_won_at_a_glance(child, bound - option.cost)):
                    break
            else:
                self._keep(node, option)
                return True
        return False

    def _promising(self, node: Node) -> Iterator[_Option[Node, Action]]:
        """A few actions that the problem says are the most promising, one by one."""
        for action in islice(self._problem.promising(node), _FEW):
            children = dict.fromkeys(child for _, child in self._problem.outcomes(node, action))
            self._record.generate_many(len(children))
            if node not in children:
                yield self._option(action, self._problem.action_cost(node, action), self._kept(node, children))

    def _told_by_others(self, others: KnownBounds[Node], node: Node, bound: Cost) -> bool | None:
        key = self._class_of(node)
        found = others.upper_bound(node, bound)
        if found is not None and key == node:  # in a class of several the others would have no plan
            self._stands_in[node], self._upper[key] = found
            self._depth[key] = self._depth_of(found[0])
            return True
        dear = others.lower_bound(node, bound)
        if dear is None:
            return None
        self._lower[key] = dear
        return not self._is_cut(dear, bound)

    def _try_options(self, node: Node, bound: Cost) -> Calls[bool]:
        self._record.expand(node, bound, self._depth_now)
        key = self._class_of(node)
        least: Cost = math.inf
        for option in self._options(node, bound):
            if self._is_cut(option.bound, bound):
                least = min(least, option.bound)
                break  # the others promise no more
            for child in option.children:
                if not (yield self.wins(child, bound - option.cost)):
                    least = min(least, option.cost + self.lower_bound(child))
                    break
            else:
                self._keep(node, option)
                return True
        if least > self._lower[key]:
            self._lower[key] = least
        return False

    def _keep(self, node: Node, option: _Option[Node, Action]) -> None:
        """Remember the action that wins from a node, all of whose outcomes are won."""
        found = option.cost + max(map(self.cost, option.children))
        if found < self.cost(node):  # else the node has come up again below itself, and done better there
            key = self._class_of(node)
            self._upper[key] = found
            self._depth[key] = 1 + max(map(self._depth_of, option.children))
            self._best[node] = (option.action, found)

    def must_repeat(self) -> bool:
        """Begin a new round; returns whether to keep the bound, as a node may have been given up too early."""
        again = self._led_back and self._has_won
        excess = math.inf if again else self.least_excess
        self.begin_round()
        self.least_excess = excess
        return again

    def begin_round(self) -> None:
        """Forget what was tried in a round, which may have been broken off, but nothing that was proved."""
        self._tried.clear()
        self._led_back = self._has_won = False
        self._depth_now = 0
        self.least_excess = math.inf

    def _is_cut(self, lower_bound: Cost, bound: Cost) -> bool:
        if lower_bound > bound:
            self.least_excess = min(self.least_excess, lower_bound - bound)
            return True
        return False

    def _options(self, node: Node, limit: Cost) -> list[_Option[Node, Action]]:
        """The actions worth trying, the most promising first: by bound, then by size of the largest outcome.

        Or only one, if it is known already that it wins at a cost within `limit`.
        """
        problem, size = self._problem, self._problem.size
        found: dict[frozenset[Node], tuple[Cost, int, _Option[Node, Action]]] = {}
        generated = 0
        dearest: Cost = 0
        for action in problem.actions(node):
            children = dict.fromkeys(child for _, child in problem.outcomes(node, action))
            generated += len(children)
            if node in children:
                continue  # whoever can win by this can win without it
            cost = problem.action_cost(node, action)
            dearest = max(dearest, cost)
            children = self._kept(node, children)
            outcomes = frozenset(children)
            if outcomes in found and found[outcomes][2].cost <= cost:
                continue  # another action comes to the same
            option = self._option(action, cost, children)
            if option.bound <= limit and all(self.cost(child) <= limit - cost for child in option.children):
                self._record.generate_many(generated)
                return [option]
            found[outcomes] = (option.bound, size(option.children[0]), option)
        self._record.generate_many(generated)
        self._dearest[node] = dearest
        ordered = sorted(found.values(), key=lambda entry: entry[:2])
        return [option for _, _, option in ordered]

    def _option(self, action: Action, cost: Cost, children: dict[Node, None]) -> _Option[Node, Action]:
        """The option with these outcomes, the hardest first."""
        bound = cost + max(map(self.lower_bound, children))
        return _Option(bound, action, cost, tuple(sorted(children, key=self._problem.size, reverse=True)))

    def _kept(self, node: Node, children: dict[Node, None]) -> dict[Node, None]:
        """The outcomes without those that others include, whose plans work for both."""
        size = self._problem.size
        if sum(map(size, children)) <= size(node):
            return children
        largest_first = sorted(children, key=size, reverse=True)
        kept: list[Node] = []
        for child in largest_first:
            if not any(self._problem.includes(other, child) for other in kept):
                kept.append(child)
        return dict.fromkeys(kept)

    def plan(self, root: Node) -> ConditionalPlan[Action, Any]:
        """The plan that was found, as a graph with one node for each belief it may reach.

        Where a belief is included in another, it is the plan for that one which is followed.
        """
        return plan_graph(self._problem, self._with_plan(root), self._best_action, self._stand_ins)

    def _with_plan(self, node: Node) -> Node:
        """The node itself, or one whose plan also works for it."""
        while node in self._stands_in and self._own_cost(node) > self.cost(node):
            node = self._stands_in[node]
        return node

    def _stand_ins(self, node: Node, children: list[Node]) -> dict[Node, Node]:
        problem = self._problem
        kept = self._kept(node, dict.fromkeys(children))
        found: dict[Node, Node] = {}
        for child in children:
            if not problem.is_goal(child):
                other = child if child in kept else next(large for large in kept if problem.includes(large, child))
                found[child] = self._with_plan(other)
        return found

    def _own_cost(self, node: Node) -> Cost:
        return self._best[node][1] if node in self._best else math.inf

    def _best_action(self, node: Node) -> Action:
        within = self.cost(node)
        action, cost = self._best.get(node, (None, math.inf))
        if cost <= within:
            return action  # type: ignore[return-value]  # None only where the cost is infinite
        # So cheap a plan is known for another node of this class only: find this one's own, child by child.
        self._best[node] = self._own_option(node, within).action, within
        return self._best[node][0]

    def _own_option(self, node: Node, bound: Cost) -> _Option[Node, Action]:
        """The action in a node that is known, by its class, to be won within `bound`.

        First by what is known of its children; but of two nodes of one class the children need not be of the same
        classes. Actions that cost nothing could lead round in a circle, were the plans not to become shorter.
        """
        depth = self._depth_of(node)
        for options, search in (
            (self._promising, None),
            (self._promising, self._glance),
            (self._all_options, None),
            (self._all_options, self._can_be_won),
        ):
            for option in options(node):
                rest = bound - option.cost
                if all(
                    (self.cost(child) <= rest or (search is not None and search(child, rest)))
                    and (self.cost(child), self._depth_of(child)) < (bound, depth)
                    for child in option.children
                ):
                    return option
        raise _NoPlanOfItsOwn

    def _all_options(self, node: Node) -> list[_Option[Node, Action]]:
        return self._options(node, -1)

    def _can_be_won(self, node: Node, bound: Cost) -> bool:
        self._tried.clear()
        return without_recursion(self.wins(node, bound))

    def _depth_of(self, node: Node) -> int:
        return self._depth[self._class_of(node)]
