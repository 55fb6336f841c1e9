"""Anytime search: a plan soon, then better ones, then the proof that there is no better one.

Rounds, each with four times the effort of the one before: greedy and weighted lazy searches led by guides, each of
which begins anew and leaves out what cannot lead to a cheaper plan; shorter plans in windows of the best one; and A*,
which raises the lower bound until it meets the cost. Effort is counted in elementary steps, of states and of estimates,
however dear they are. Parts that share no action are searched apart. S. Richter, J. Thayer and W. Ruml, "The joy of
forgetting: faster anytime search via restarting" (2010).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from math import inf
from operator import add
from typing import Generic

from attrs import frozen

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
from .shortening import Applies, without_needless
from .windows import Towards, Window, by_shorter_windows

_NAME = "anytime-weighted-astar"
# Elementary steps, a second's worth, that each search of the first round may take, and the making of the estimates of
# A*; and the factor from round to round.
_AT_FIRST = 10_000_000
_GROWTH = 4
# A plan that costs more than so many times the bound will not soon be proved the cheapest: A* and its estimates get
# less.
_NEAR = 3
# A search in a window of a plan may take this share of them, and those in all windows so many times as many.
_OF_WINDOW = 150
_IN_ALL_WINDOWS = 2
# Weights of lazy searches, without one greedy, and their guides: until there is a plan, and then.
_TO_FIND = ((None, 0), (None, 1))
_TO_IMPROVE = ((None, 1), (5.0, 0), (3.0, 0), (2.0, 0), (1.0, 0))
_IN_WINDOWS = 1.5


@frozen
class Part(Generic[State, Action]):
    """A problem, or a part of one that shares no action with others, and what leads searches through it.

    `allow` sets how many elementary steps may be taken before `EffortExceeded` is raised, and returns how many were
    left; `bounds` makes an admissible estimate, with so many of them. The `guides` estimate what need be no bound (see
    `lazy_best_first_search`): the first what a plan costs, the second what is left to be done; `towards` does so for
    windows of a plan (see `windows.py`); `applies` says whether an action does. A plan that is `known` is the first to
    be improved.
    """

    problem: Problem[State, Action]
    allow: Callable[[float], float]
    bounds: Callable[[int], Heuristic[State]]
    guides: tuple[Guide[State, Action], Guide[State, Action]]
    towards: Towards[State, Action]
    applies: Applies[State, Action]
    known: Sequence[Action] | None = None


def anytime_search(
    problem: Problem[State, Action],
    parts: Sequence[Part[State, Action]],
    *,
    rounds: int | None = None,
    after: int = 0,
    at_least: Cost = 0,
    run: Run | None = None,
) -> SearchResult[Action]:
    """Find a cheapest plan, and before that others, of which the best is the result when the search is stopped.

    Plans of the `parts`, one after the other, are one of the whole, and costs and bounds add up. After so many `rounds`
    it raises `EffortExceeded`, with the result in it, if the least cost is not known; with 0 it looks for a plan once.
    The first takes as much as the one `after` so many. No plan costs less than `at_least`, as is known before.
    """
    run = (run or Run()).without_saving()
    record: Record[State, Action] = Record(_NAME, problem, run)
    search = _Search(parts, run, record, at_least)
    with record:
        if not search.go(rounds, _AT_FIRST * _GROWTH**after):
            exceeded = EffortExceeded()
            exceeded.lower_bound, exceeded.stopped = record.lower_bound, search.result()
            raise exceeded
    return search.result()


class _Search(Generic[State, Action]):
    """The searches of all parts, which take turns."""

    def __init__(
        self, parts: Sequence[Part[State, Action]], run: Run, record: Record[State, Action], at_least: Cost
    ) -> None:
        self._run, self._record = run, record
        record.lower_bound = at_least
        self._parts = [_PartSearch(part, run, record, self._announce) for part in parts]
        self._cost: Cost = sum(part.cost for part in self._parts)
        if len(self._parts) == 1:
            self._parts[0].bound = at_least
        record.watch(lambda: sum(part.reached for part in self._parts))

    def go(self, rounds: int | None, effort: int) -> bool:
        """Search until the least cost is proved, or that there is no plan; False if these rounds did not suffice."""
        left = rounds
        while True:
            for part in self._unsettled():
                part.look_for_plans(effort)
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
        self._problem, self._allow, self._bounds = part.problem, part.allow, part.bounds
        self._guides, self._towards, self._applies = part.guides, part.towards, part.applies
        self._run, self._record, self._announce = run, record, announce
        self._heuristic: Heuristic[State] = no_estimate  # until a plan was looked for once
        self._made_with = 0  # the effort of these bounds
        self.plan = None if part.known is None else tuple(part.known)
        self.cost: Cost = inf if self.plan is None else plan_cost(part.problem, self.plan)
        self.bound: Cost = 0
        self.reached = 0

    def is_settled(self) -> bool:
        return self.bound >= self.cost or self.bound == inf

    def _is_near(self) -> bool:
        """Whether there is a plan that may be proved the cheapest before long."""
        return self.plan is not None and _NEAR * self.bound >= self.cost

    def look_for_plans(self, effort: int) -> None:
        """Look for a plan if there is none, else for better ones."""
        had_plan = self.plan is not None
        if had_plan:
            self._make_bounds(effort if self._is_near() else effort // _GROWTH**2)
            self._improve(effort)
            if self.is_settled():
                return
        for weight, guide in _TO_IMPROVE if had_plan else _TO_FIND:
            self._look_for_plan(weight, self._guides[guide], effort)
            if self.is_settled() or (self.plan is not None and not had_plan):
                return

    def _look_for_plan(self, weight: float | None, guide: Guide[State, Action], effort: int) -> None:
        found = self._sub_search(
            lambda: lazy_best_first_search(
                self._problem, guide, weight=weight, bound=self._heuristic, below=self.cost, name=_NAME, run=self._run
            ),
            effort,
        )
        if found is not None and found.plan is not None:
            self._take(found.plan.as_sequence())
            self._make_bounds(effort // _GROWTH**2)  # a plan that they prove the cheapest need not be made shorter
            self._improve(effort)

    def _improve(self, effort: int) -> None:
        """Make the plan shorter as long as that works; each that is better is announced."""
        cost: Cost = inf
        tick = self._record.tick
        left: float = _IN_ALL_WINDOWS * effort
        while self.cost < cost and not self.is_settled():
            cost = self.cost
            self._take(without_needless(self._problem, self.plan or (), tick, self._applies))
            search = partial(self._search_window, effort // _OF_WINDOW)
            self._allow(left)
            with suppress(EffortExceeded):
                for plan in by_shorter_windows(
                    self._problem, self.plan or (), self._towards, search, self._applies, tick
                ):
                    self._take(plan)
            left = max(0, self._allow(inf))

    def _search_window(
        self, effort: int, window: Window[State, Action], guide: Guide[State, Action], below: Cost
    ) -> SearchResult[Action] | None:
        """Look for a cheaper plan of a window."""
        return self._sub_search(
            lambda: lazy_best_first_search(window, guide, weight=_IN_WINDOWS, below=below, name=_NAME, run=self._run),
            effort,
            of_whole=False,
        )

    def _take(self, plan: tuple[Action, ...]) -> None:
        cost = plan_cost(self._problem, plan)
        if cost < self.cost:
            self.plan, self.cost = plan, cost
            self._announce()

    def prove(self, effort: int) -> None:
        """Raise the lower bound by A*, which finds a cheapest plan if the effort suffices."""
        self._make_bounds(effort if self._is_near() else effort // _GROWTH**2)
        if self.is_settled():
            return
        record: Record[State, Action] = Record("astar", self._problem, self._run)
        found = self._sub_search(
            lambda: best_first_search(
                self._problem, self._heuristic, add, record, priority_is_bound=True, below=self.cost
            ),
            effort if self._is_near() else effort // _GROWTH,
        )
        if found is not None and found.plan is not None:
            self._take(found.plan.as_sequence())

    def _make_bounds(self, effort: int) -> None:
        if effort > self._made_with:
            self._made_with = effort
            self._heuristic = self._bounds(effort)
            self._raise_bound(self._heuristic(self._problem.initial_state()))

    def _sub_search(
        self, search: Callable[[], SearchResult[Action]], effort: int, *, of_whole: bool = True
    ) -> SearchResult[Action] | None:
        """Return what a search finds; None if its effort was exceeded. Bounds `of_whole` plans are noted."""
        found: SearchResult[Action] | None = None
        stopped: SearchResult[Action] | None = None
        before = self._allow(effort)
        try:
            found = stopped = search()
        except EffortExceeded as exceeded:
            stopped = exceeded.stopped
            self._raise_bound(exceeded.lower_bound if of_whole else 0)
        self._allow(before - effort + self._allow(before))
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
