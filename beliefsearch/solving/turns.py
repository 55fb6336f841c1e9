"""Searches for a conditional plan take turns: which way is the quickest cannot be known beforehand.

An allowance counts elementary steps, and no time, so that the same call always gives the same answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from itertools import cycle
from math import inf
from typing import Any, Generic

from attrs import evolve

from ..engine.bits.contingent_view import BitsetContingentView
from ..heuristics.registry import HEURISTICS
from ..kinds import Kind
from ..model.problem import Action, Cost
from ..plans.result import SearchResult
from ..running.limits import Budget, Outgrown
from ..running.observer import Observer
from ..solvers.and_or.bounded import BoundedSearch
from ..solvers.registry import SOLVERS

_HEURISTIC = "best"


class Turns(Generic[Action]):
    """Alternate between a search within bounds, which looks at less, and one of the whole graph, which tells more.

    Nothing is done twice: the search within bounds goes on where it was, the bound that it proved is kept, and once it
    has shown that no plan is sure to end, only the graph is asked.
    """

    def __init__(self, view: BitsetContingentView[Any, Action], budget: Budget, observer: Observer | None) -> None:
        self._view = view
        self._budget = budget
        self._observer = observer
        self._bounded: BoundedSearch[int, Action] | None = None

    def search(self, allowances: Iterable[int]) -> SearchResult[Action]:
        """Take turns with these allowances until one suffices, the first within bounds, the last with no allowance."""
        turns = cycle((self._search_within, self._search_whole))
        for allowance, turn in zip(allowances, turns, strict=False):
            with suppress(Outgrown):
                self._view.set_allowance(allowance)
                return turn()
        self._view.set_allowance(None)
        return self._search_within()

    def _search_within(self) -> SearchResult[Action]:
        if self._bounded is None:
            estimate = HEURISTICS[_HEURISTIC].makers[Kind.CONTINGENT](self._view, None)
            self._bounded = BoundedSearch(self._view, estimate, budget=self._budget, observer=self._observer)
        result = self._bounded.run()
        if result.lower_bound < inf or not self._view.may_keep_trying():
            return evolve(result, heuristic=_HEURISTIC)
        self._view.set_allowance(None)
        return self._search_whole()

    def _search_whole(self) -> SearchResult[Action]:
        draw = SOLVERS["and-or-graph"].functions[Kind.CONTINGENT]
        result: SearchResult[Action] = draw(self._view, budget=self._budget, observer=self._observer)
        proved: Cost = 0 if self._bounded is None else self._bounded.lower_bound
        return evolve(result, lower_bound=max(result.lower_bound, proved))
