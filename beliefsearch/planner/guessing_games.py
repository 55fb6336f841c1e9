"""Guessing games, in which actions only tell starts apart: a plan soon, and searches on tables of outcomes."""

from __future__ import annotations

from typing import Any

from ..belief_space.and_or import AndOrProblem
from ..belief_space.contingent import ContingentView
from ..engine.bits.contingent import BitsetContingentView, StatesMerge
from ..engine.bits.early_tree import early_tree
from ..engine.bits.numbered_model import MOST_ASKED, StartPairs, has_more_in_arrays
from ..engine.bits.sensorless import STEPS_OF_RESULT
from ..model.base import Action
from ..model.hooks import states_in_arrays
from ..plans.result import SearchResult
from ..running.limits import Budget, EffortExceeded
from ..running.run import Record, Run

# More pairs of a start and an action in arrays than this are not asked one by one; and others not before a search.
_MANY = 10_000
# A plan may take so many elementary steps, seconds' worth, for each of the pairs: a tree looks at most of them again.
_STEPS = 200 * STEPS_OF_RESULT


def keep_early_tree(view: AndOrProblem[Any, Action], run: Run, record: Record[Any, Action]) -> None:
    """Have a record keep a plan before anything else is searched, if the problem is a game for which one is soon found.

    It may not be the cheapest; a search that is stopped, whenever that is, has at least this.
    """
    if not isinstance(view, BitsetContingentView) or not may_be_guessing_game(view):
        return
    view.set_allowance(None)
    if StartPairs(view.problem, run.tick).exceed(_MANY) and not distinguishes_in_arrays(view, run.budget):
        return
    view.set_allowance(_STEPS * _MANY)
    try:
        found = early_tree(view)
    except (EffortExceeded, StatesMerge):
        return
    if found is not None:
        record.keep(*found)


def distinguishes_in_arrays(view: BitsetContingentView[Any, Any], budget: Budget) -> bool:
    """Whether actions only distinguish starts, which stay; then the view asks arrays about many at a time."""
    if view.listed is not None:
        return True
    if not has_more_in_arrays(view.problem, _MANY) or not budget.has_room_for_kernels():
        return False
    from ..engine.guessing.listed_percepts import ListedParts

    view.set_allowance(None)
    listed: ListedParts[Any, Any] = ListedParts(view, budget.tick)
    if listed.capacities is None:
        return False
    view.listed = listed
    return True


def may_be_guessing_game(view: BitsetContingentView[Any, Any]) -> bool:
    """Whether the first start stays as it is, or is won by what is done: else no table need be begun.

    Where it is won already, once it is known, it must stay (see `partitions_of`).
    """
    problem = view.problem
    if states_in_arrays(problem) is None and StartPairs(problem, view.tick).exceed(MOST_ASKED):
        return False
    first = view.initial_node()
    start = (first & -first).bit_length() - 1
    actions = problem.actions(view.model.states[start])  # one by one, as they may be many
    results = (result for action in actions for result in view.model.results(start, action))
    stays = view.is_goal(1 << start)
    return all(result == start or (not stays and view.is_goal(1 << result)) for result in results)


def search_for_worst_on_table(view: BitsetContingentView[Any, Any], run: Run) -> SearchResult[Any] | None:
    """Return the answer by an outcome table; None if the problem is no guessing game whose actions cost 1."""
    view.set_allowance(None)
    if not run.budget.has_room_for_kernels() or not may_be_guessing_game(view):
        return None
    from ..engine.guessing.worst_case import search_on_table, table_of_starts

    table = table_of_starts(view, run.tick, MOST_ASKED)
    return None if table is None else search_on_table(view, table, run=run)


def search_for_mean_on_table(view: ContingentView[Any, Any, Any], run: Run) -> SearchResult[Any] | None:
    """Return the answer by an outcome table; None if the problem is no guessing game."""
    if not isinstance(view, BitsetContingentView):
        return None
    from ..engine.guessing.branch_and_bound import expected_partitions_search
    from ..engine.guessing.outcome_table import game_of

    view.initial_node()  # raises `StatesMerge`
    # A view of its own, in which actions may have several results.
    game = game_of(BitsetContingentView(view.problem, run.tick), run.tick)
    return None if game is None else expected_partitions_search(game, run=run)
