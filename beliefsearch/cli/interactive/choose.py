"""Chooses the interactive game for each kind of problem.

The lines of `play --watch`: a game that a plan or a policy has played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

from ...errors import BeliefSearchError
from ...kinds import Kind, kind_of, require
from ...model.hooks import ConstructionHook
from ...plans.wording import plural
from ...running.alarm import call_within, doing
from ...running.limits import LimitReached, Outgrown
from ..search_options import SearchOptions
from ..selected_problem import Chosen
from .chance import PomdpTableGame, StochasticTableGame
from .contingent import ContingentTableGame, DelayedContingentGame, DelayedGame
from .game import SensorlessTableGame, TableGame

if TYPE_CHECKING:
    from ...plans.plan import Plan
    from ...plans.policy import Policy
    from ...simulation.game import Game

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
    from ...proofs.explanations.adversary import find_adversary

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


def game_lines(problem: Any, answer: Any, game: Game[Any, Any, Any]) -> Iterator[str]:
    """One game: a line for each action with its percept and the state after it, and how the game ended."""
    return _GAMES[kind_of(problem)](problem, answer, game)


def _plan_game(problem: Any, plan: Plan[Any, Any], game: Game[Any, Any, Any]) -> Iterator[str]:
    before, rows = game.start, [("", "", problem.format_state(game.start))]
    for turn in game.turns[: game.won_after]:
        seen = "" if turn.percept is None else problem.format_percept(turn.percept)
        if not plan.is_conditional:
            seen = problem.describe_step(before, turn.action, turn.state)
        rows.append((problem.format_action(turn.action), seen, problem.format_state(turn.state)))
        before = turn.state
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    for number, (act, seen, state) in enumerate(rows):
        gap = f"{seen:{widths[1]}}  " if widths[1] or plan.is_conditional else ""
        yield f"{number:4}  {act:{widths[0]}}  {gap}{state}"
    actions = plural(len(game.turns) if game.won_after is None else game.won_after, "action")
    whole = "" if plan.is_conditional or game.lost else f" of a plan of {len(plan)}"
    yield f"{'not won' if game.lost else 'won'} after {actions}{whole}"


def _policy_game(problem: Any, policy: Policy[Any, Any], game: Game[Any, Any, Any]) -> Iterator[str]:
    before = game.start
    yield f"{0:4}  {'':6}  {problem.format_state(before)}"
    for number, turn in enumerate(game.turns, 1):
        seen = problem.describe_step(before, turn.action, turn.state)
        gap = f"{seen:6}  " if seen else ""
        yield f"{number:4}  {problem.format_action(turn.action):6}  {gap}{problem.format_state(turn.state)}"
        before = turn.state
    yield f"over after {plural(len(game.turns), 'action')}: utility {game.utility}"


def _graph_game(problem: Any, graph: Any, game: Game[Any, Any, Any]) -> Iterator[str]:
    rows = [("", "", problem.format_state(game.start))]
    for turn in game.turns:
        over = problem.is_terminal(turn.state)
        seen = "" if over else problem.format_percept(turn.percept)
        rows.append((problem.format_action(turn.action), seen, problem.format_state(turn.state)))
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    for number, (act, seen, state) in enumerate(rows):
        yield f"{number:4}  {act:{widths[0]}}  {seen:{widths[1]}}  {state}"
    yield f"ended after {plural(len(game.turns), 'action')}: {_short(game.utility)} in all"


def _short(value: Any) -> str:
    return f"{float(value):.6g}"


_GAMES: Mapping[Kind, Callable[..., Iterator[str]]] = {
    **dict.fromkeys((Kind.PLAIN, Kind.SENSORLESS, Kind.CONTINGENT), _plan_game),
    Kind.STOCHASTIC: _policy_game,
    Kind.POMDP: _graph_game,
}
