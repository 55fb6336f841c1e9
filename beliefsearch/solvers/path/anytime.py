"""Anytime search: a plan soon, then better ones, then the proof that there is no better one.

Rounds, each with four times the effort of the one before: greedy and weighted lazy searches led by a guide, each of
which begins anew and leaves out what cannot lead to a cheaper plan; shorter plans near the best one; and A*, which
raises the lower bound until it meets the cost. S. Richter, J. Thayer and W. Ruml, "The joy of forgetting: faster
anytime search via restarting" (2010).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from operator import add
from typing import Any, Generic, TypeVar

from ...model.base import Action, Cost, State
from ...model.exact import shown
from ...model.problem import Problem
from ...plans.result import SearchResult, Status
from ...running.limits import EffortExceeded, LimitReached
from ...running.run import Record, Run
from .best_first import best_first_search
from .heuristic import Heuristic, no_estimate
from .lazy_best_first import Guide, lazy_best_first_search
from .search_tree import plan_cost
from .shortening import cheapest_nearby, without_needless

_NAME = "anytime-weighted-astar"
# States that a search of the first round may take up, and the factor from round to round.
_AT_FIRST = 10_000
_GROWTH = 4
# For each of them so many states may be looked at near a plan, and by A*, whose estimates are less dear.
_NEARBY = 10
_BY_ASTAR = 10
# And so many steps may be taken to make the estimates of A*.
_OF_BOUNDS = 50
# Weights of lazy searches until there is a plan, without one greedy; and then.
_TO_FIND = (None, 5.0, 2.0)
_TO_IMPROVE = (5.0, 3.0, 2.0, 1.0)

_Answer = TypeVar("_Answer")


def anytime_search(
    problem: Problem[State, Action],
    bounds: Callable[[int], Heuristic[State]],
    *,
    guide: Guide[State, Action],
    applies: Callable[[State, Action], bool] | None = None,
    rounds: int | None = None,
    run: Run | None = None,
) -> SearchResult[Action]:
    """Find a cheapest plan, and before that others, of which the best is the result when the search is stopped.

    `bounds` makes an admissible estimate, with so many elementary steps of some microseconds; `guide` estimates what
    need be no bound (see `lazy_best_first_search`); `applies` says whether an action does, if that is quick to say.
    After so many `rounds` it raises `EffortExceeded`, with the result in it, if the least cost is not known.
    """
    run = (run or Run()).without_saving()
    record: Record[State, Action] = Record(_NAME, problem, run)
    search = _Search(problem, bounds, guide, applies, run, record)
    with record:
        if not search.go(rounds):
            exceeded = EffortExceeded()
            exceeded.lower_bound, exceeded.stopped = record.lower_bound, search.result()
            raise exceeded
    return search.result()


class _Search(Generic[State, Action]):
    def __init__(
        self,
        problem: Problem[State, Action],
        bounds: Callable[[int], Heuristic[State]],
        guide: Guide[State, Action],
        applies: Callable[[State, Action], bool] | None,
        run: Run,
        record: Record[State, Action],
    ) -> None:
        self._problem, self._bounds, self._guide, self._run, self._record = problem, bounds, guide, run, record
        self._applies = applies
        self._heuristic: Heuristic[State] = no_estimate  # until there is a plan, or one is hard to find
        self._plan: tuple[Action, ...] | None = None
        self._cost: Cost = inf
        self._reached = 0
        record.watch(lambda: self._reached)

    def go(self, rounds: int | None) -> bool:
        """Search until the least cost is proved, or that there is no plan; False if these rounds did not suffice."""
        effort = _AT_FIRST
        while not self._is_settled():
            if rounds is not None and effort == _AT_FIRST * _GROWTH**rounds:
                return False
            had_plan = self._plan is not None
            for weight in _TO_IMPROVE if had_plan else _TO_FIND:
                self._look_for_plan(weight, effort)
                if self._is_settled() or (self._plan is not None and not had_plan):
                    break
            if not self._is_settled():
                self._prove(effort)
            effort *= _GROWTH
        return True

    def result(self) -> SearchResult[Action]:
        """Return the best plan, or what is known without one."""
        if self._record.lower_bound == inf:
            return self._record.unsolvable()
        if self._plan is None:
            return self._record.undecided()
        return self._record.solved(self._plan, self._cost, self._record.lower_bound)

    def _is_settled(self) -> bool:
        return self._record.lower_bound >= self._cost or self._record.lower_bound == inf

    def _look_for_plan(self, weight: float | None, effort: int) -> None:
        found = self._sub_search(
            lambda: lazy_best_first_search(
                self._problem,
                _at_most(effort, self._guide),
                weight=weight,
                bound=self._heuristic,
                below=self._cost,
                name=_NAME,
                run=self._run,
            )
        )
        if found is not None and found.plan is not None:
            self._improve(found.plan.as_sequence(), _NEARBY * effort)

    def _improve(self, plan: Sequence[Action], most: int) -> None:
        """Make a plan shorter as long as that works; each that is better than the best is announced."""
        self._take(tuple(plan))
        cost: Cost = inf
        while self._cost < cost and not self._is_settled():
            cost = self._cost
            self._take(without_needless(self._problem, self._plan or (), self._record.tick, self._applies))
            self._take(cheapest_nearby(self._problem, self._plan or (), most, self._record.tick))

    def _take(self, plan: tuple[Action, ...]) -> None:
        cost = plan_cost(self._problem, plan)
        if cost < self._cost:
            self._plan, self._cost = plan, cost
            self._run.observer.improved(shown(cost), shown(self._record.lower_bound, down=True))

    def _prove(self, effort: int) -> None:
        """Raise the lower bound by A*, which finds a cheapest plan if the effort suffices."""
        self._heuristic = self._bounds(_OF_BOUNDS * effort)
        self._raise_bound(self._heuristic(self._problem.initial_state()))
        if self._is_settled():
            return
        record: Record[State, Action] = Record("astar", self._problem, self._run)
        found = self._sub_search(
            lambda: best_first_search(
                self._problem,
                _at_most(_BY_ASTAR * effort, self._heuristic),
                add,
                record,
                priority_is_bound=True,
                below=self._cost,
            )
        )
        if found is not None and found.plan is not None:
            self._take(found.plan.as_sequence())

    def _sub_search(self, search: Callable[[], SearchResult[Action]]) -> SearchResult[Action] | None:
        """Return what a search finds; None if its effort was exceeded."""
        found: SearchResult[Action] | None = None
        stopped: SearchResult[Action] | None = None
        try:
            found = stopped = search()
        except EffortExceeded as exceeded:
            stopped = exceeded.stopped
            self._raise_bound(exceeded.lower_bound)
        if stopped is not None:
            stats = stopped.stats
            self._reached = max(self._reached, stats.reached)
            self._record.add(stats.expanded, stats.generated, stats.max_frontier)
            self._raise_bound(stopped.lower_bound)
            self._record.look_up(0)
        if found is not None and found.reason is not None and found.status is Status.UNDECIDED:
            raise LimitReached(found.reason)
        return found

    def _raise_bound(self, bound: Cost) -> None:
        self._record.lower_bound = max(self._record.lower_bound, bound)


def _at_most(effort: int, function: Callable[[Any], _Answer]) -> Callable[[Any], _Answer]:
    """Return the function, which raises `EffortExceeded` once it has been called so often."""
    left = effort

    def counted(argument: Any) -> _Answer:
        nonlocal left
        left -= 1
        if left < 0:
            raise EffortExceeded
        return function(argument)

    return counted
