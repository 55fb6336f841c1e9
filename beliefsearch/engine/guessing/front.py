"""Guessing games, in which only the start is unknown: the front function of their searches, and what proofs ask.

In these problems actions only distinguish starts or win them (see `outcome_table.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...model.base import Action
from ...plans.result import SearchResult
from ...running.run import Record, Run
from ..bits.contingent import BitsetContingentView
from ..bits.numbered_model import MOST_ASKED
from .branch_and_bound import LeastTotals, expected_partitions_search
from .game import GuessingGame
from .outcome_table import outcome_table_of
from .worst_case import cores_of, search_on_table, table_of_starts

__all__ = ["cores_of", "game_of", "least_totals", "search"]


def search(view: BitsetContingentView[Any, Action], objective: str, run: Run) -> SearchResult[Action] | None:
    """Find a conditional plan of least worst-case or expected cost; None if the problem is no guessing game.

    The `objective` is "worst" or "expected". In the worst case all actions must cost 1.
    """
    if objective == "expected":
        game = game_of(view, run.tick)
        return None if game is None else expected_partitions_search(game, run=run)
    table = table_of_starts(view, run.tick, MOST_ASKED)
    return None if table is None else search_on_table(view, table, run=run)


def game_of(
    view: BitsetContingentView[Any, Action], tick: Callable[[], None], most_pairs: int | None = MOST_ASKED
) -> GuessingGame[Any, Action] | None:
    """Return the game of a view; None as of `outcome_table_of`."""
    found = outcome_table_of(view, tick, most_pairs)
    return None if found is None else GuessingGame(*found)


def least_totals(view: BitsetContingentView[Any, Any], tick: Callable[[], None]) -> LeastTotals[Any] | None:
    """Return the search for the least totals of sets of starts; None if the view is no guessing game with a plan."""
    game = game_of(view, tick)
    if game is None or not game.table.can_be_won():
        return None
    return LeastTotals(game, Record("expected-partitions", view))
