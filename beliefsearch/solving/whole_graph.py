"""The whole AND-OR graph of a contingent problem: in plain Python while it is small, and then on arrays."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Generic

from attrs import evolve

from ..engine.bits.contingent_view import BitsetContingentView
from ..errors import BeliefSearchError
from ..model.hooks import DistinctActionsHook
from ..model.problem import Action
from ..plans.result import SearchResult
from ..running.limits import Budget, LimitReached, Outgrown, TooManyStates
from ..running.observer import Observer
from ..solvers.and_or.graph import and_or_graph_search
from ..views.contingent import ContingentView

if TYPE_CHECKING:
    from ..engine.compiled.graph_search import ArrayGraphSearch

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

    def __init__(
        self, view: ContingentView[Any, Any, Action], engine: str, budget: Budget, observer: Observer | None
    ) -> None:
        self._view = view
        self._budget = budget
        self._observer = observer
        self._arrays: ArrayGraphSearch | None = None
        self._is_large = False
        self._compiled = engine == "compiled"
        self._grows = (
            engine == "auto"
            and isinstance(view, BitsetContingentView)
            and not view.equally_likely
            and not isinstance(view.problem, DistinctActionsHook)
            and not (observer is not None and observer.hears_states())
        )

    def search(self, allowance: int | None = None, *, arrays: bool = True) -> SearchResult[Action]:
        """Decide by the whole graph, as `and_or_graph_search` does.

        Raises `Outgrown` if that takes more than these elementary steps of plain Python, or what is worth as much on
        arrays, or at once where it would go on on arrays and may not; with None it goes on to the end. Raises
        `BeliefSearchError` if the engine compiled is asked for and cannot hold the states.
        """
        if self._compiled:
            self._budget.require_kernels()
            try:
                return self._on_arrays(None)
            except TooManyStates:
                name = type(self._view.problem).__name__
                message = f"{name} has too many states and actions for the engine compiled; choose bits"
                raise BeliefSearchError(message) from None
        if not self._grows:
            return self._in_python(allowance)
        if not self._is_large:
            with suppress(Outgrown):
                return self._in_python(_SMALL if allowance is None else min(_SMALL, allowance))
            self._is_large = True
        if not arrays:
            raise Outgrown
        try:
            self._budget.require_kernels()
            return self._on_arrays(allowance)
        except (LimitReached, TooManyStates):
            self._grows = False
        return self._in_python(allowance)

    def _in_python(self, allowance: int | None) -> SearchResult[Action]:
        self._allow(allowance)
        return and_or_graph_search(self._view, budget=self._budget, observer=self._observer)

    def _on_arrays(self, allowance: int | None) -> SearchResult[Action]:
        self._allow(None)
        if self._arrays is None:
            from ..engine.compiled.graph_search import ArrayGraphSearch

            assert isinstance(self._view, BitsetContingentView), "no other engine is on the way to arrays"
            self._arrays = ArrayGraphSearch(self._view, None if self._compiled else _MOST_PAIRS)
        limit = self._budget.limits.memory
        result: SearchResult[Action] = self._arrays(
            most_steps=None if allowance is None else _ON_ARRAYS * allowance,
            most_bytes=None if allowance is None else min(_MOST_BYTES, limit // 4) if limit else _MOST_BYTES,
            budget=self._budget,
            observer=self._observer,
        )
        return evolve(result, engine="compiled")

    def _allow(self, allowance: int | None) -> None:
        if isinstance(self._view, BitsetContingentView):
            self._view.set_allowance(allowance)
