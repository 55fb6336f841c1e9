"""Branch and bound for the least expected cost, where actions only tell equally likely starts apart.

A node is a set of starts; an action divides it into smaller ones, which are problems of their own. What is looked for
is the least *total*: the sum, over the starts of a node, of what is paid from there on. The total of an action is what
it costs, once for each start, and the totals of its parts. It is bounded in three steps, each dearer than the one
before: by the sizes of its parts; by looking one action further from each part; by searching the parts, the smallest
first, as far as their totals matter.
"""

from __future__ import annotations

from fractions import Fraction
from heapq import heapify, heapreplace
from itertools import pairwise
from typing import Generic

from ...model.base import Action, Cost
from ...plans.result import SearchResult
from ...running.limits import Budget
from ...running.observer import Observer
from ...running.run import Record
from ...solvers.contingent.divided import DividedProblem, Divisions, Node
from ...solvers.contingent.plan_graph import plan_graph
from ...solvers.trampoline import Calls, without_recursion

# Above any total.
_NEVER = 1 << 60

# Better plans are sought among no more actions of each node.
_WIDEST = 1024
# The least bound of a way is raised by this part of what lies between it and the best plan.
_STEPS = 16


def expected_partitions_search(
    problem: DividedProblem[Node, Action],
    *,
    budget: Budget | None = None,
    observer: Observer | None = None,
) -> SearchResult[Action]:
    """Find a conditional plan of least expected cost.

    A search that is stopped gives the best plan known by then and the lower bound it has proved; the first plan is
    known soon. Memory is linear in the nodes met.
    """
    record: Record[Node, Action] = Record("expected-partitions", problem, budget, observer)
    search = LeastTotals(problem, record)
    root = problem.initial_node()

    def mean(total: int) -> Cost:
        found = Fraction(total, problem.size(root))
        return int(found) if found.denominator == 1 else found

    with record:
        if problem.is_goal(root):
            return record.solved(plan_graph(problem, root, lambda node: problem.numbered_actions[0]), 0, 0)
        if not problem.can_be_won():
            return record.unsolvable()
        record.watch(lambda: len(search.lower), final_bound=lambda: mean(search.lower.get(root, 0)))
        search.find_first_plan()
        if problem.is_large():
            search.close_in()
        else:
            search.find(root, search.total_of_plan() - 1)
        search.lower[root] = search.total_of_plan()
    if root not in search.action_of:
        return record.undecided()
    plan = plan_graph(problem, root, lambda node: problem.numbered_actions[search.best_action(node)])
    return record.solved(plan, mean(search.total_of_plan()), mean(search.lower[root]))


class LeastTotals(Generic[Node, Action]):
    """The least totals of nodes, as far as they are known, and the search for more.

    Attributes
    ----------
    lower
        By node met: a lower bound of its total, proved by the bounds of others and by counting; but see `settled`.
    settled
        The nodes whose lower bound is their total.
    action_of
        By node: the best action known so far.
    upper
        By node of a plan: the total of the best plan known for it.
    """

    def __init__(self, problem: DividedProblem[Node, Action], record: Record[Node, Action]) -> None:
        self._problem = problem
        self._record = record
        self._root = problem.initial_node()
        self._divisions: Divisions[Node] | None = None
        self.lower: dict[Node, int] = {}
        self.settled: set[Node] = set()
        self.action_of: dict[Node, int] = {}
        self.upper: dict[Node, int] = {}
        self._work = 0  # how many nodes were looked at or divided

    def find(self, node: Node, limit: int) -> int:
        """Find the total of `node`, or only that it is above `limit`: the lower bound that is known then."""
        if (
            node not in self.settled
            and self.lower.get(node, 0) <= limit
            and not self._find_small(self._of_root, node, limit)
        ):
            divisions = self._of_root if node == self._root else self._of_root.divide(node)
            without_recursion(self._search(node, divisions, limit))
        return self.lower[node]

    def _find_small(self, divisions: Divisions[Node], node: Node, limit: int) -> bool:
        """`find` for a small part, at once; False if it is not small."""
        found = divisions.small_total(node, limit)
        if found is None:
            return False
        self._begin(node)
        total, plan = found
        self.lower[node] = max(total, self.lower.get(node, 0))
        for part, least, action in plan:
            self.lower[part] = self.upper[part] = least
            self.action_of[part] = action
            self.settled.add(part)
        return True

    def find_first_plan(self) -> None:
        """Find a plan: in each node the action that looks best one action further on."""
        frontier = [self._root]
        bound, way = min(self._of_root.ways(_NEVER))
        self.lower[self._root] = bound
        chosen = {self._root: self._of_root.action(way)}
        for node in frontier:  # grows while it is walked
            if node not in chosen:
                chosen[node] = self._of_root.look_ahead(node)[1]
            parts = self._problem.parts(node, chosen[node])
            self._record.generate_many(len(parts))
            frontier += [part for part in parts if self._problem.obvious_action(part) is None]
        self.action_of = chosen
        for node in reversed(frontier):  # the parts of a node come after it
            self.upper[node] = self._total_by(node, chosen[node])

    def _total_by(self, node: Node, action: int) -> int:
        """The total of a node by an action, and by the best plans known for its parts."""
        total = self._problem.cost_of(action) * self._problem.size(node)
        for part in self._problem.parts(node, action):
            obvious = self._problem.obvious_action(part)
            total += self.upper[part] if obvious is None else self._total_by(part, obvious)
        return total

    def close_in(self) -> None:
        """Find the total of the initial node from both sides: better plans, and bounds of all its ways.

        Plans are sought among few actions of each node, and then among twice as many, and so on. In between, about as
        much work is spent on bounds: always on the way whose bound is the least, until it is a little higher. So
        whoever is stopped has a good plan and a good bound.
        """
        bounds = sorted(self._of_root.ways(_NEVER))
        heapify(bounds)
        width = 1
        while bounds[0][0] < self.upper[self._root]:
            if width < _WIDEST:
                width *= 2
                begun = self._work
                self.improve(width)
                work = self._work - begun
            until = self._work + work
            while bounds[0][0] < self.upper[self._root] and (self._work < until or width >= _WIDEST):
                self._raise_least(bounds)

    def improve(self, width: int) -> None:
        """Look for a better plan: in each node try as many ways as `width`, the most promising ones."""
        self._improved: set[Node] = set()
        self._usual = self._usual_totals()
        without_recursion(self._improve(self._root, self._of_root, width))

    def _improve(self, node: Node, divisions: Divisions[Node], width: int) -> Calls[None]:
        self._begin(node)
        for bound, way in divisions.promising(self._usual, width):
            best = self.upper.get(node, _NEVER)
            if bound >= best or self._look_ahead(divisions, way, best) >= best:
                continue
            known, parts = divisions.parts(way)
            total = known + sum(self.lower[part] for part, _ in parts)
            for part, _ in sorted(parts, key=lambda entry: self._problem.size(entry[0])):
                if total >= best:
                    break
                before = self.lower[part]
                if part in self.settled or self._find_small(divisions, part, best - 1 - (total - before)):
                    total += self.lower[part] - before
                    continue
                if part not in self._improved:
                    yield self._improve(part, divisions.divide(part), width)
                total += self.upper[part] - before
            if total < best:
                self.upper[node] = total
                self.action_of[node] = divisions.action(way)
        self._improved.add(node)

    def _usual_totals(self) -> list[float]:
        """By size: the mean of the totals of the best plans known for nodes of this size, or something in between."""
        sums: dict[int, list[int]] = {}
        for node, total in self.upper.items():
            sums.setdefault(self._problem.size(node), []).append(total)
        known = [(0, 0.0), *((size, sum(totals) / len(totals)) for size, totals in sorted(sums.items()))]
        found = [0.0]
        for (size, mean), (next_size, next_mean) in pairwise(known):
            step = (next_mean - mean) / (next_size - size)
            found += [mean + step * more for more in range(1, next_size - size + 1)]
        return found

    def _raise_least(self, bounds: list[tuple[int, int]]) -> None:
        """Raise the least of the bounds of the ways to divide the initial node; a heap."""
        bound, way = bounds[0]
        best = self.upper[self._root]
        self.lower[self._root] = bound
        enough = min(best, bound + max(1, (best - bound) // _STEPS))
        total = self._look_ahead(self._of_root, way, enough)
        if total < enough:
            total = without_recursion(self._deepen(self._of_root, way, enough))
        if total < enough:  # then it is the total of the way
            self.upper[self._root] = total
            self.action_of[self._root] = self._of_root.action(way)
        heapreplace(bounds, (total, way))

    def _begin(self, node: Node) -> None:
        self._record.expand(node, self.lower.get(node, 0), 0)
        self._work += 1

    def best_action(self, node: Node) -> int:
        """The number of the best action known in a node of the best plan."""
        obvious = self._problem.obvious_action(node)
        return self.action_of[node] if obvious is None else obvious

    def total_of_plan(self) -> int:
        """The total of the best plan known for the initial node; reckoned anew."""
        total = 0
        frontier = [self._root]
        for node in frontier:  # grows while it is walked
            action = self.best_action(node)
            total += self._problem.cost_of(action) * self._problem.size(node)
            frontier += self._problem.parts(node, action)
        return total

    @property
    def _of_root(self) -> Divisions[Node]:
        if self._divisions is None:
            self._divisions = self._problem.divisions()
        return self._divisions

    def _search(self, node: Node, divisions: Divisions[Node], limit: int) -> Calls[None]:
        self._begin(node)
        best, action = limit + 1, None
        given_up = _NEVER  # the least total of a way that was not followed to the end
        for bound, way in sorted(divisions.ways(best)):
            self.lower[node] = max(self.lower.get(node, 0), min(bound, given_up, best))
            if bound >= best:
                given_up = min(given_up, bound)
                break
            total = self._look_ahead(divisions, way, best)
            if total < best:
                total = yield self._deepen(divisions, way, best)
            if total < best:
                best, action = total, divisions.action(way)
                if node == self._root:  # whoever is stopped has this at least
                    self.action_of[node] = action
            else:
                given_up = min(given_up, total)
        if action is None:
            self.lower[node] = given_up
        else:
            self.lower[node] = best
            self.action_of[node] = action
            self.settled.add(node)

    def _look_ahead(self, divisions: Divisions[Node], way: int, enough: int) -> int:
        """A lower bound of the total of a way by one action more, which need be no better than `enough`."""
        total, parts = divisions.parts(way)
        self._record.generate_many(len(parts))
        for part, bound in parts:
            known = self.lower.get(part)
            if known is not None and known < bound:  # by size more is known here than where it was met
                self.lower[part] = bound
            total += max(bound, known or 0)
        for part, bound in sorted(parts, key=lambda entry: -self._problem.size(entry[0])):
            if total >= enough:
                break
            if part not in self.lower:
                found, action, is_total = divisions.look_ahead(part)
                self._work += 1
                self.lower[part] = max(found, bound)
                total += self.lower[part] - bound
                if is_total:
                    self.settled.add(part)
                    self.action_of[part] = action
                self._record.generate_many(0)  # limits are heard
        return total

    def _deepen(self, divisions: Divisions[Node], way: int, enough: int) -> Calls[int]:
        """The total of a way whose parts have all been looked at; or a lower bound that is not below `enough`."""
        total, parts = divisions.parts(way)
        total += sum(self.lower[part] for part, _ in parts)
        for part, _ in sorted(parts, key=lambda entry: self._problem.size(entry[0])):
            if total >= enough:
                break
            if part not in self.settled:
                before = self.lower[part]
                limit = enough - 1 - (total - before)
                if not self._find_small(divisions, part, limit):
                    yield self._search(part, divisions.divide(part), limit)
                total += self.lower[part] - before
        return total
