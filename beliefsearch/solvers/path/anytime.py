"""Anytime search: a plan soon, then better ones, then the proof that there is no better one.

Rounds, each with four times the effort of the one before: greedy and weighted lazy searches led by a guide, each of
which begins anew and leaves out what cannot lead to a cheaper plan; shorter plans in windows of the best one and near
it; and A*, which raises the lower bound until it meets the cost. Parts that share no action are searched apart. S.
Richter, J. Thayer and W. Ruml, "The joy of forgetting: faster anytime search via restarting" (2010).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from math import inf
from operator import add
from typing import Any, Generic, TypeVar

from attrs import frozen

from ...model.base import Action, Cost, State
from ...model.exact import shown
from ...model.problem import Problem
from ...plans.result import SearchResult, Status
from ...running.limits import EffortExceeded, LimitReached
from ...running.run import Record, Run
from .best_first import best_first_search
from .heuristic import Heuristic, no_estimate
from .lazy_best_first import Estimates, Guide, lazy_best_first_search
from .search_tree import plan_cost
from .shortening import Applies, cheapest_nearby, without_needless
from .windows import Towards, Window, by_shorter_windows

_NAME = "anytime-weighted-astar"
# States that a search of the first round may take up, and the factor from round to round.
_AT_FIRST = 10_000
_GROWTH = 4
# For each of them so many states may be looked at near a plan, and by A*, whose estimates are less dear.
_NEARBY = 10
_BY_ASTAR = 10
# A plan that costs more than so many times the bound will not soon be proved the cheapest: A* and its estimates get
# less.
_NEAR = 3
# In each window of a plan it may take up this share of them, and so many times all of them in all windows.
_OF_WINDOW = 150
_IN_ALL_WINDOWS = 2
# And so many steps may be taken to make the estimates of A*.
_OF_BOUNDS = 50
# Weights of lazy searches until there is a plan, without one greedy; and then.
_TO_FIND = (None, 5.0)
_TO_IMPROVE = (5.0, 3.0, 2.0, 1.0)
_IN_WINDOWS = 1.5

_Answer = TypeVar("_Answer")


@frozen
class Part(Generic[State, Action]):
    """A problem, or a part of one that shares no action with others, and what leads searches through it.

    `bounds` makes an admissible estimate, with so many elementary steps of some microseconds; `guide` estimates what
    need be no bound (see `lazy_best_first_search`), and `towards` does so for windows of a plan (see `windows.py`);
    `applies` says whether an action does. A plan that is `known` is the first to be improved.
    """

    problem: Problem[State, Action]
    bounds: Callable[[int], Heuristic[State]]
    guide: Guide[State, Action]
    towards: Towards[State, Action]
    applies: Applies[State, Action]
    known: Sequence[Action] | None = None


def anytime_search(
    problem: Problem[State, Action],
    parts: Sequence[Part[State, Action]],
    *,
    rounds: int | None = None,
    run: Run | None = None,
) -> SearchResult[Action]:
    """Find a cheapest plan, and before that others, of which the best is the result when the search is stopped.

    Plans of the `parts`, one after the other, are one of the whole, and costs and bounds add up. After so many `rounds`
    it raises `EffortExceeded`, with the result in it, if the least cost is not known; with 0 it looks for a plan once.
    """
    run = (run or Run()).without_saving()
    record: Record[State, Action] = Record(_NAME, problem, run)
    search = _Search(parts, run, record)
    with record:
        if not search.go(rounds):
            exceeded = EffortExceeded()
            exceeded.lower_bound, exceeded.stopped = record.lower_bound, search.result()
            raise exceeded
    return search.result()


class _Search(Generic[State, Action]):
    """The searches of all parts, which take turns."""

    def __init__(self, parts: Sequence[Part[State, Action]], run: Run, record: Record[State, Action]) -> None:
        self._run, self._record = run, record
        self._parts = [_PartSearch(part, run, record, self._announce) for part in parts]
        self._cost: Cost = sum(part.cost for part in self._parts)
        record.watch(lambda: sum(part.reached for part in self._parts))

    def go(self, rounds: int | None) -> bool:
        """Search until the least cost is proved, or that there is no plan; False if these rounds did not suffice."""
        effort, left = _AT_FIRST, rounds
        while True:
            for part in self._unsettled():
                part.look_for_plans(effort, effort if rounds == 0 else _NEARBY * effort)
            if left != 0:
                for part in self._unsettled():
                    part.prove(effort)
            if not self._unsettled():
                return True
            if left is not None and (left := left - 1) <= 0:
                return False
            effort *= _GROWTH

    def result(self) -> SearchResult[Action]:
        """Return the best plan, or what is known without one."""
        if self._record.lower_bound == inf:
            return self._record.unsolvable()
        plans = [part.plan for part in self._parts if part.plan is not None]
        if len(plans) < len(self._parts):
            return self._record.undecided()
        return self._record.solved(tuple(chain.from_iterable(plans)), self._cost, self._record.lower_bound)

    def _unsettled(self) -> list[_PartSearch[State, Action]]:
        """The parts whose least cost is not known; none if one of them has no plan."""
        return [] if self._record.lower_bound == inf else [part for part in self._parts if not part.is_settled()]

    def _announce(self) -> None:
        """Note what was found or proved in a part."""
        bound = self._record.lower_bound = max(self._record.lower_bound, sum(part.bound for part in self._parts))
        cost = sum(part.cost for part in self._parts)
        if cost < self._cost:
            self._cost = cost
            self._run.observer.improved(shown(cost), shown(bound, down=True))


class _PartSearch(Generic[State, Action]):
    """The search of one part; `announce` is called whenever it has a better plan or bound."""

    def __init__(
        self, part: Part[State, Action], run: Run, record: Record[State, Action], announce: Callable[[], None]
    ) -> None:
        self._problem, self._bounds, self._guide = part.problem, part.bounds, part.guide
        self._towards, self._applies = part.towards, part.applies
        self._run, self._record, self._announce = run, record, announce
        self._heuristic: Heuristic[State] = no_estimate  # until a plan was looked for once
        self._made_with = 0  # the effort of these bounds
        self.plan = None if part.known is None else tuple(part.known)
        self.cost: Cost = inf if self.plan is None else plan_cost(part.problem, self.plan)
        self.bound: Cost = 0
        self.reached = 0
        self._left_in_windows = 0

    def is_settled(self) -> bool:
        return self.bound >= self.cost or self.bound == inf

    def _is_near(self) -> bool:
        """Whether there is a plan that may be proved the cheapest before long."""
        return self.plan is not None and _NEAR * self.bound >= self.cost

    def look_for_plans(self, effort: int, nearby: int) -> None:
        """Look for a plan if there is none, else for better ones; along so many edges `nearby` it is made shorter."""
        had_plan = self.plan is not None
        if had_plan:
            self._make_bounds(effort if self._is_near() else effort // _GROWTH**2)
            self._improve(effort, nearby)
            if self.is_settled():
                return
        for weight in _TO_IMPROVE if had_plan else _TO_FIND:
            self._look_for_plan(weight, effort, nearby)
            if self.is_settled() or (self.plan is not None and not had_plan):
                return

    def _look_for_plan(self, weight: float | None, effort: int, nearby: int) -> None:
        found = self._sub_search(
            lambda: lazy_best_first_search(
                self._problem,
                _at_most(effort, self._guide),
                weight=weight,
                bound=self._heuristic,
                below=self.cost,
                name=_NAME,
                run=self._run,
            )
        )
        if found is not None and found.plan is not None:
            self._take(found.plan.as_sequence())
            self._make_bounds(effort // _GROWTH**2)  # a plan that they prove the cheapest need not be made shorter
            self._improve(effort, nearby)

    def _improve(self, effort: int, nearby: int) -> None:
        """Make the plan shorter as long as that works; each that is better is announced."""
        cost: Cost = inf
        tick = self._record.tick
        self._left_in_windows = _IN_ALL_WINDOWS * effort
        while self.cost < cost and not self.is_settled():
            cost = self.cost
            self._take(without_needless(self._problem, self.plan or (), tick, self._applies))
            search = partial(self._search_window, max(1, effort // _OF_WINDOW))
            with suppress(EffortExceeded):
                for plan in by_shorter_windows(
                    self._problem, self.plan or (), self._towards, search, self._applies, tick
                ):
                    self._take(plan)
            self._take(cheapest_nearby(self._problem, self.plan or (), nearby, tick))

    def _search_window(
        self, effort: int, window: Window[State, Action], guide: Guide[State, Action], below: Cost
    ) -> SearchResult[Action] | None:
        """Look for a cheaper plan of a window; raise `EffortExceeded` once too much was done in all windows."""
        if self._left_in_windows <= 0:
            raise EffortExceeded

        def counted(state: State) -> Estimates[Action]:
            self._left_in_windows -= 1
            return guide(state)

        return self._sub_search(
            lambda: lazy_best_first_search(
                window, _at_most(effort, counted), weight=_IN_WINDOWS, below=below, name=_NAME, run=self._run
            ),
            of_whole=False,
        )

    def _take(self, plan: tuple[Action, ...]) -> None:
        cost = plan_cost(self._problem, plan)
        if cost < self.cost:
            self.plan, self.cost = plan, cost
            self._announce()

    def prove(self, effort: int) -> None:
        """Raise the lower bound by A*, which finds a cheapest plan if the effort suffices."""
        self._make_bounds(effort if self.plan is None or self._is_near() else effort // _GROWTH**2)
        if self.is_settled():
            return
        most = _BY_ASTAR * effort if self._is_near() else effort
        record: Record[State, Action] = Record("astar", self._problem, self._run)
        found = self._sub_search(
            lambda: best_first_search(
                self._problem,
                _at_most(most, self._heuristic),
                add,
                record,
                priority_is_bound=True,
                below=self.cost,
            )
        )
        if found is not None and found.plan is not None:
            self._take(found.plan.as_sequence())

    def _make_bounds(self, effort: int) -> None:
        if effort > self._made_with:
            self._made_with = effort
            self._heuristic = self._bounds(_OF_BOUNDS * effort)
            self._raise_bound(self._heuristic(self._problem.initial_state()))

    def _sub_search(
        self, search: Callable[[], SearchResult[Action]], *, of_whole: bool = True
    ) -> SearchResult[Action] | None:
        """Return what a search finds; None if its effort was exceeded. Bounds `of_whole` plans are noted."""
        found: SearchResult[Action] | None = None
        stopped: SearchResult[Action] | None = None
        try:
            found = stopped = search()
        except EffortExceeded as exceeded:
            stopped = exceeded.stopped
            self._raise_bound(exceeded.lower_bound if of_whole else 0)
        if stopped is not None:
            stats = stopped.stats
            self.reached = max(self.reached, stats.reached)
            self._record.add(stats.expanded, stats.generated, stats.max_frontier)
            self._raise_bound(stopped.lower_bound if of_whole else 0)
            self._record.look_up(0)
        if found is not None and found.reason is not None and found.status is Status.UNDECIDED:
            raise LimitReached(found.reason)
        return found

    def _raise_bound(self, bound: Cost) -> None:
        if bound > self.bound:
            self.bound = bound
            self._announce()


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
