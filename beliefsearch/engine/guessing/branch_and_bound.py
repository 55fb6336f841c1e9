"""Branch and bound for the least expected cost of a guessing game, where starts are equally likely.

A node is a set of starts; an action splits it into smaller ones, which are problems of their own. The search minimises
the *total*: the sum, over the starts of a node, of the cost from there on. The total of an action is its cost, once for
each start, and the totals of its blocks. It is bounded in three steps, each dearer than the one before: by the sizes of
its blocks; by looking one action further from each block; by searching the blocks, the smallest first, as far as their
totals matter.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from heapq import heapify, heapreplace
from itertools import pairwise
from typing import Any, Generic

from attrs import evolve

from ...model.base import Action, Cost
from ...plans.result import SearchResult
from ...running.run import Record, Run
from ...solvers.contingent.plan_graph import plan_graph
from ...solvers.trampoline import Calls, without_recursion
from ..bits.contingent import BitsetContingentView
from .divisions import Divisions
from .outcome_table import GuessingGame, game_of

# Above any total.
_NEVER = 1 << 60
# The ways to split all starts of a table with fewer entries are gone through one after the other.
_LARGE = 20_000_000

# Better plans are sought among no more actions of each node.
_WIDEST = 1024
# The least bound of a way is raised by this share of its distance to the best plan.
_STEPS = 16


def expected_partitions_search(game: GuessingGame[Any, Action], *, run: Run | None = None) -> SearchResult[Action]:
    """Find a conditional plan of least expected cost.

    A search that is stopped gives the best plan known by then and the lower bound it has proved; the first plan is
    known soon. Memory is linear in the nodes met.
    """
    record: Record[bytes, Action] = Record("expected-partitions", game, run)
    return evolve(_search(game, record), engine="compiled")


def _search(game: GuessingGame[Any, Action], record: Record[bytes, Action]) -> SearchResult[Action]:
    search = LeastTotals(game, record)
    root = game.initial_node()
    actions = game.table.actions

    def mean(total: int) -> Cost:
        return game.in_costs(total, game.table.weight(root))

    with record:
        if game.is_goal(root):
            return record.solved(plan_graph(game, root, lambda node: actions[0]), 0, 0)
        if not game.table.can_be_won():
            return record.unsolvable()
        record.watch(lambda: len(search.lower), final_bound=lambda: mean(search.lower.get(root, 0)))
        search.find_first_plan()
        if game.table.table.size > _LARGE:
            search.close_in()
        else:
            search.find(root, search.total_of_plan() - 1)
        search.lower[root] = search.total_of_plan()
    if root not in search.action_of:
        return record.undecided()
    plan = plan_graph(game, root, lambda node: actions[search.best_action(node)])
    return record.solved(plan, mean(search.total_of_plan()), mean(search.lower[root]))


class LeastTotals(Generic[Action]):
    """The least totals of nodes, as far as they are known, and the search for more.

    `lower` has by node met a lower bound of its total, proved by the bounds of others and by counting; of the nodes
    `settled` it is their total. `action_of` has by node the best action known so far, and `upper`, by node of a plan,
    the total of the best plan known for it.
    """

    def __init__(self, game: GuessingGame[Any, Action], record: Record[bytes, Action]) -> None:
        self.game = game
        self._table = game.table
        self._record = record
        self._root = game.initial_node()
        self.lower: dict[bytes, int] = {}
        self.settled: set[bytes] = set()
        self.action_of: dict[bytes, int] = {}
        self.upper: dict[bytes, int] = {}
        self._work = 0  # how many nodes were looked at or divided

    def find(self, node: bytes, limit: int) -> int:
        """Find the total of `node`, or only that it is above `limit`; return the lower bound that is known then."""
        if (
            node not in self.settled
            and self.lower.get(node, 0) <= limit
            and not self._find_small(self._of_root, node, limit)
        ):
            divisions = self._of_root if node == self._root else self._of_root.divide(node)
            without_recursion(self._search(node, divisions, limit))
        return self.lower[node]

    def _find_small(self, divisions: Divisions, node: bytes, limit: int) -> bool:
        """Find the total of a small block at once; return False if it is not small."""
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
        self.lower[self._root] = max(bound, self._of_root.least() if self._table.knowing_wins else 0)
        chosen = {self._root: self._of_root.action(way)}
        for node in frontier:  # grows while it is walked
            if node not in chosen:
                chosen[node] = self._of_root.look_ahead(node)[1]
            parts = self.game.parts(node, chosen[node])
            self._record.generate_many(len(parts))
            frontier += [part for part in parts if self.game.base_action(part) is None]
        self.action_of = chosen
        for node in reversed(frontier):  # the blocks of a node come after it
            self.upper[node] = self._total_by(node, chosen[node])

    def _total_by(self, node: bytes, action: int) -> int:
        """Return the total of a node by an action, and by the best plans known for its blocks."""
        total = int(self._table.costs[action]) * self._table.weight(node)
        for part in self.game.parts(node, action):
            obvious = self.game.base_action(part)
            total += self.upper[part] if obvious is None else self._total_by(part, obvious)
        return total

    def close_in(self) -> None:
        """Find the total of the initial node from both sides: by better plans, and by bounds of all its ways.

        Plans are sought among few actions of each node, and then among twice as many, and so on. In between, about as
        much work is spent on bounds: always on the way whose bound is the least, until it is a little higher. So
        a stopped search has a good plan and a good bound.
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
        self._improved: set[bytes] = set()
        self._usual = self._usual_totals()
        without_recursion(self._improve(self._root, self._of_root, width))

    def _improve(self, node: bytes, divisions: Divisions, width: int) -> Calls[None]:
        self._begin(node)
        for bound, way in divisions.promising(self._usual, width):
            best = self.upper.get(node, _NEVER)
            if bound >= best or self._look_ahead(divisions, way, best) >= best:
                continue
            known, parts = divisions.parts(way)
            total = known + sum(self.lower[part] for part, _ in parts)
            for part, _ in sorted(parts, key=lambda entry: self._table.size(entry[0])):
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
        """Return, by size, the mean total of the best plans known, interpolated between the sizes of these."""
        sums: dict[int, list[int]] = {}
        for node, total in self.upper.items():
            sums.setdefault(self._table.size(node), []).append(total)
        known = [(0, 0.0), *((size, sum(totals) / len(totals)) for size, totals in sorted(sums.items()))]
        found = [0.0]
        for (size, mean), (next_size, next_mean) in pairwise(known):
            step = (next_mean - mean) / (next_size - size)
            found += [mean + step * more for more in range(1, next_size - size + 1)]
        return found

    def _raise_least(self, bounds: list[tuple[int, int]]) -> None:
        """Raise the least of `bounds`, a heap of the bounds of the ways to split the initial node."""
        bound, way = bounds[0]
        best = self.upper[self._root]
        self.lower[self._root] = max(bound, self.lower[self._root])
        enough = min(best, bound + max(1, (best - bound) // _STEPS))
        total = self._look_ahead(self._of_root, way, enough)
        if total < enough:
            total = without_recursion(self._deepen(self._of_root, way, enough))
        if total < enough:  # then it is the total of the way
            self.upper[self._root] = total
            self.action_of[self._root] = self._of_root.action(way)
        heapreplace(bounds, (total, way))

    def _begin(self, node: bytes) -> None:
        self._record.expand(node, self.lower.get(node, 0), 0)
        self._work += 1

    def best_action(self, node: bytes) -> int:
        """Return the number of the best action known in a node of the best plan."""
        obvious = self.game.base_action(node)
        return self.action_of[node] if obvious is None else obvious

    def total_of_plan(self) -> int:
        """Compute the total of the best plan known for the initial node."""
        total = 0
        frontier = [self._root]
        for node in frontier:  # grows while it is walked
            action = self.best_action(node)
            total += int(self._table.costs[action]) * self._table.weight(node)
            frontier += self.game.parts(node, action)
        return total

    @cached_property
    def _of_root(self) -> Divisions:
        return Divisions.of_all(self._table)

    def _search(self, node: bytes, divisions: Divisions, limit: int) -> Calls[None]:
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
                if node == self._root:  # a stopped search has this at least
                    self.action_of[node] = action
            else:
                given_up = min(given_up, total)
        if action is None:
            self.lower[node] = given_up
        else:
            self.lower[node] = best
            self.action_of[node] = action
            self.settled.add(node)

    def _look_ahead(self, divisions: Divisions, way: int, enough: int) -> int:
        """Return a lower bound of the total of a way by one action more, which need be no better than `enough`."""
        total, parts = divisions.parts(way)
        self._record.generate_many(len(parts))
        for part, bound in parts:
            known = self.lower.get(part)
            if known is not None and known < bound:  # by size more is known here than where it was met
                self.lower[part] = bound
            total += max(bound, known or 0)
        for part, bound in sorted(parts, key=lambda entry: -self._table.size(entry[0])):
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

    def _deepen(self, divisions: Divisions, way: int, enough: int) -> Calls[int]:
        """Return the total of a way whose blocks were all looked at, or a lower bound that is not below `enough`."""
        total, parts = divisions.parts(way)
        total += sum(self.lower[part] for part, _ in parts)
        for part, _ in sorted(parts, key=lambda entry: self._table.size(entry[0])):
            if total >= enough:
                break
            if part not in self.settled:
                before = self.lower[part]
                limit = enough - 1 - (total - before)
                if not self._find_small(divisions, part, limit):
                    yield self._search(part, divisions.divide(part), limit)
                total += self.lower[part] - before
        return total


def least_totals(view: BitsetContingentView[Any, Any], tick: Callable[[], None]) -> LeastTotals[Any] | None:
    """Return the search for the least totals of sets of starts; None if the view is no guessing game with a plan."""
    game = game_of(view, tick)
    if game is None or not game.table.can_be_won():
        return None
    return LeastTotals(game, Record("expected-partitions", view))
