"""Schedule of searches for a conditional plan, within bounds and of the whole graph, as none is always the quickest.

An allowance counts elementary steps, and no time, so that the same call always gives the same answer.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from math import inf
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, overload

from attrs import evolve

from ..belief_space.contingent import ContingentView
from ..engine.bits.contingent import BitsetContingentView
from ..errors import BeliefSearchError
from ..heuristics.registry import HEURISTICS
from ..kinds import Kind
from ..model.base import Action, Cost
from ..model.exact import shown
from ..model.hooks import DistinctActionsHook
from ..plans.plan import ConditionalPlan
from ..plans.result import SearchResult, Status
from ..running.limits import EffortExceeded, LimitReached, TooManyStates
from ..running.run import Record, Run
from ..solvers.contingent.and_or_graph import and_or_graph_search
from ..solvers.contingent.ldfs import BoundedSearch
from ..solvers.path.heuristic import maximum

if TYPE_CHECKING:
    from ..engine.compiled.and_or_graph import ArrayGraphSearch

# A graph that takes more elementary steps in plain Python than this, about a third of a second's worth, is drawn on
# arrays, where a step takes a tenth of the time. For each step that is allowed in plain Python so many are allowed
# there, since nothing of it is lost if it does not suffice.
_SMALL = 3_000_000
_ON_ARRAYS = 100
# As long as steps are counted, the arrays take no more bytes than this, or a quarter of the memory limit.
_MOST_BYTES = 2**30
# If there is no array hook, so many pairs of a state and an action are walked beforehand, some seconds' worth.
_MOST_PAIRS = 1_000_000


class WholeGraph(Generic[Action]):
    """A search of the whole graph of a view, which may be left and taken up again.

    With `engine` "auto" it goes on on arrays where it has become large, but not for observers that want to hear of
    single states, nor where the author says which actions are distinct: then there may be too many to list.
    """

    def __init__(self, view: ContingentView[Any, Any, Action], engine: str, run: Run) -> None:
        self._view = view
        self._run = run
        self._arrays: ArrayGraphSearch | None = None
        self._is_large = False
        self._compiled = engine == "compiled"
        self._grows = (
            engine == "auto"
            and isinstance(view, BitsetContingentView)
            and not view.equally_likely
            and not isinstance(view.problem, DistinctActionsHook)
            and not run.hears_states()
        )

    def search(self, allowance: int | None = None, *, arrays: bool = True) -> SearchResult[Action]:
        """Decide by the whole graph, as `and_or_graph_search` does.

        Raises `EffortExceeded` if that takes more than these elementary steps of plain Python, or what is worth as much
        on arrays, or at once where it would go on on arrays and may not; with None it goes on to the end. Raises
        `BeliefSearchError` if the engine compiled is asked for and cannot hold the states.
        """
        if self._compiled:
            self._run.budget.require_kernels()
            try:
                return self._on_arrays(None)
            except TooManyStates:
                name = type(self._view.problem).__name__
                message = f"{name} has too many states and actions for the engine compiled; choose bits"
                raise BeliefSearchError(message) from None
        if not self._grows:
            return self._in_python(allowance)
        if not self._is_large:
            with suppress(EffortExceeded):
                return self._in_python(_SMALL if allowance is None else min(_SMALL, allowance))
            self._is_large = True
        if not arrays:
            raise EffortExceeded
        try:
            self._run.budget.require_kernels()
            return self._on_arrays(allowance)
        except (LimitReached, TooManyStates):
            self._grows = False
        return self._in_python(allowance)

    def _in_python(self, allowance: int | None) -> SearchResult[Action]:
        self._allow(allowance)
        return and_or_graph_search(self._view, run=self._run)

    def _on_arrays(self, allowance: int | None) -> SearchResult[Action]:
        self._allow(None)
        if self._arrays is None:
            from ..engine.compiled.and_or_graph import ArrayGraphSearch

            assert isinstance(self._view, BitsetContingentView), "no other engine is on the way to arrays"
            self._arrays = ArrayGraphSearch(self._view, None if self._compiled else _MOST_PAIRS)
        limit = self._run.budget.limits.memory
        result: SearchResult[Action] = self._arrays(
            most_steps=None if allowance is None else _ON_ARRAYS * allowance,
            most_bytes=None if allowance is None else min(_MOST_BYTES, limit // 4) if limit else _MOST_BYTES,
            run=self._run,
        )
        return evolve(result, engine="compiled")

    def _allow(self, allowance: int | None) -> None:
        if isinstance(self._view, BitsetContingentView):
            self._view.set_allowance(allowance)


_HEURISTIC = "best"


class Turn(NamedTuple):
    """Turn of a search: whether it is of the whole graph, and its most elementary steps; None: any number.

    `arrays` is whether it may go on on arrays where it is large.
    """

    whole: bool
    allowance: int | None
    arrays: bool = True


class Turns(Generic[Action]):
    """Schedule that alternates between searches within bounds, which look at less, and of the whole graph.

    Nothing is done twice: a search within bounds goes on where it was or, once there is a better estimate, with what
    was proved; and once it has shown that no plan is sure to end, only the graph is asked. What did not suffice is
    added to `tried`, in words. If a limit stops any turn, the result has what all turns have proved, and the cheapest
    plan that one of them has seen.
    """

    def __init__(
        self,
        view: BitsetContingentView[Any, Action],
        whole: WholeGraph[Action],
        run: Run,
        *,
        dominance: bool = False,
        tried: list[str] | None = None,
    ) -> None:
        self._view = view
        self._whole = whole
        self._tried = [] if tried is None else tried
        self._run = run
        self._dominance = dominance
        self._bounded: BoundedSearch[int, Action] | None = None
        self._never_ends = False  # no plan is sure to end
        self._proved: Cost = 0
        self._seen: tuple[ConditionalPlan[Action, Any], Cost] | None = None

    @overload
    def search(self, *turns: Turn) -> SearchResult[Action]: ...
    @overload
    def search(self, *turns: Turn, or_none: bool) -> SearchResult[Action] | None: ...
    def search(self, *turns: Turn, or_none: bool = False) -> SearchResult[Action] | None:
        """Take these turns until one suffices; raise `EffortExceeded` if the last one does not either, or give None."""
        left = turns
        record: Record[int, Action] = Record("auto", self._view, Run(self._run.budget))
        with record:
            while True:
                turn = left[0]
                # Once it is known that no plan is sure to end, one that keeps trying might win: the graph tells.
                whole = turn.whole or self._never_ends
                try:
                    if whole:
                        result = self._whole.search(turn.allowance, arrays=turn.arrays)
                    else:
                        result = self._search_within(turn.allowance).run()
                except EffortExceeded:
                    way = "the whole graph within" if whole else "within bounds for"
                    self._tried.append(f"{way} {turn.allowance:,} steps")
                    left = left[1:]
                    if left:
                        continue
                    if or_none:
                        return None
                    raise
                if not whole:
                    result = evolve(result, heuristic=_HEURISTIC)
                if whole or result.lower_bound < inf or not self._view.may_keep_trying():
                    return self.with_all_known(result)
                self._tried.append("within bounds, which showed that no plan is sure to end")
                self._never_ends = True
                if self._seen is not None:  # it keeps trying
                    return evolve(result, status=Status.SOLVED, plan=self._seen[0], cost=inf)
                left = left[-1:]
        return self.with_all_known(record.undecided())

    def plan_soon(
        self, search: Callable[[], SearchResult[Action]], allowance: int, *, may_try: bool = False
    ) -> SearchResult[Action] | None:
        """Take a turn of a search that proves no cost; None if its plan may not be the cheapest, or it did not suffice.

        Its plan is kept and announced; with `may_try` it is the answer.
        """
        self._view.set_allowance(allowance)
        try:
            result = search()
        except EffortExceeded:
            self._tried.append(f"for any plan within {allowance:,} steps")
            return None
        if result.plan is None or result.cost is None or result.lower_bound == inf or may_try:
            return self.with_all_known(result)
        self._proved = max(self._proved, result.lower_bound)
        if self._seen is None or result.cost < self._seen[1]:
            self._seen = result.plan.as_conditional(), result.cost
        self._run.observer.improved(shown(result.cost), shown(self._proved, down=True))
        return None

    def _search_within(self, allowance: int | None) -> BoundedSearch[int, Action]:
        """Return the search within bounds, with so many steps more; a new one if there is a better estimate."""
        self._view.set_allowance(allowance)
        known = len(self._view.estimates)
        worth = allowance if self._run.budget.has_room_for_kernels() else 0  # nothing that needs kernels
        estimate = HEURISTICS[_HEURISTIC][Kind.CONTINGENT](self._view, worth)
        search = self._bounded
        if search is None or len(self._view.estimates) > known:
            self._remember()
            search = self._bounded = BoundedSearch(
                self._view,
                estimate if search is None else maximum((estimate, search.known_bound)),
                dominance=self._dominance,
                run=self._run,
            )
        return search

    def _remember(self) -> None:
        """Keep what the present search within bounds has proved, and its plan if it is the cheapest seen so far."""
        if self._bounded is not None:
            self._proved = max(self._proved, self._bounded.lower_bound)
            seen = self._bounded.seen
            if seen is not None and (self._seen is None or seen[1] < self._seen[1]):
                self._seen = seen

    def with_all_known(self, result: SearchResult[Action]) -> SearchResult[Action]:
        """Return the result of a search with what the others have proved, and the best plan if it has none."""
        self._remember()
        result = evolve(result, lower_bound=max(result.lower_bound, self._proved))
        if self._seen is None or result.status is Status.UNSOLVABLE:
            return result
        plan, cost = self._seen
        if result.cost is not None and result.cost <= cost:
            return result
        return evolve(result, status=Status.SOLVED, plan=plan, cost=cost)
