"""Chooses the interactive game for each kind of problem."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import TypeAlias

from ...errors import BeliefSearchError
from ...kinds import Kind, require
from ...model.hooks import ConstructionHook
from ...running.alarm import call_within, doing
from ...running.limits import LimitReached, Outgrown
from ..chosen import Chosen
from ..search_options import SearchOptions
from .contingent import ContingentTableGame
from .delayed import DelayedContingentGame, DelayedGame
from .game import TableGame
from .pomdp import PomdpTableGame
from .sensorless import SensorlessTableGame
from .stochastic import StochasticTableGame

_Table: TypeAlias = Callable[..., TableGame]


def _of_problem(table: _Table) -> _Table:
    return lambda chosen, *others: table(chosen.problem, *others)


TABLES: Mapping[Kind, _Table] = {
    Kind.PLAIN: _of_problem(TableGame),
    Kind.SENSORLESS: _of_problem(SensorlessTableGame),
    Kind.CONTINGENT: _of_problem(ContingentTableGame),
    Kind.STOCHASTIC: StochasticTableGame,
    Kind.POMDP: PomdpTableGame,
}
"""By kind, the game against chance, or against an adversary (the fourth argument) who never lets the player win."""

DELAYED: Mapping[Kind, _Table] = {
    Kind.SENSORLESS: _of_problem(DelayedGame),
    Kind.CONTINGENT: _of_problem(DelayedContingentGame),
}
"""By kind, the game against an adversary who can only delay the player's win."""


def game_against_chance(chosen: Chosen, search: SearchOptions, chance: Random) -> TableGame:
    """A game in which chance draws the start, the results and the percepts."""
    return doing("the game was being set up", chosen.budget, lambda: TABLES[chosen.kind](chosen, search, chance))


def game_against_adversary(chosen: Chosen, search: SearchOptions, chance: Random) -> TableGame:
    """A game that cannot be won; or, if a player who sees the state can win, one that takes as long as possible."""
    from ...proofs.adversary import find_adversary

    problem, kind = chosen.problem, chosen.kind
    require("play against an adversary", problem, chosen.title)
    known = problem.construction() if isinstance(problem, ConstructionHook) else None
    found = None
    if known is None or known.length is None:  # else there is a plan, and so no trap
        try:
            found = call_within(chosen.budget, lambda: find_adversary(problem, chosen.budget.tick, small=False))
        except (LimitReached, Outgrown):
            if kind not in DELAYED:
                raise BeliefSearchError(
                    f"{chosen.title} has too many states to look for an adversary's strategy"
                ) from None
    if found is not None:
        return TABLES[kind](chosen, search, chance, found)
    require("play against an adversary who delays", problem, chosen.title)
    return DELAYED[kind](chosen, search, chance)
