"""Choice of the interactive game for each kind of problem, and the lines of `play --watch`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from ...errors import BeliefSearchError
from ...kinds import Kind, kind_of, require
from ...model.hooks import has_closed_form
from ...plans.wording import plural
from ...running.alarm import call_within, doing
from ...running.limits import EffortExceeded, LimitReached
from ..selected_problem import Asked
from .chance import PomdpTableGame, StochasticTableGame
from .contingent import ContingentTableGame, DelayedContingentGame, DelayedGame
from .game import SensorlessTableGame, TableGame

if TYPE_CHECKING:
    from ...plans.plan import Plan
    from ...plans.policy import Policy
    from ...simulation.game import Game

TABLES: Mapping[Kind, Callable[..., TableGame]] = {
    Kind.PLAIN: TableGame,
    Kind.SENSORLESS: SensorlessTableGame,
    Kind.CONTINGENT: ContingentTableGame,
    Kind.STOCHASTIC: StochasticTableGame,
    Kind.POMDP: PomdpTableGame,
}
"""By kind, the game against chance, or against an adversary (the third argument) who never lets the player win."""

DELAYED: Mapping[Kind, Callable[..., TableGame]] = {
    Kind.SENSORLESS: DelayedGame,
    Kind.CONTINGENT: DelayedContingentGame,
}
"""By kind, the game against an adversary who can only delay the player's win."""


def game_against_chance(asked: Asked, chance: Random) -> TableGame:
    """Return a game in which chance draws the start, the results and the percepts."""
    return doing("the game was being set up", asked.budget, lambda: TABLES[asked.kind](asked, chance))


def game_against_adversary(asked: Asked, chance: Random) -> TableGame:
    """Return a game that cannot be won; or, if a player who sees the state can win, one as long as possible."""
    from ...proofs.explanations.adversary import find_adversary

    problem, kind = asked.problem, asked.kind
    require("play against an adversary", problem, asked.title)
    known = problem.construction() if has_closed_form(problem) else None
    found = None
    if known is None or known.length is None:  # else there is a plan, and so no trap
        try:
            found = call_within(asked.budget, lambda: find_adversary(problem, asked.budget.tick, small=False))
        except (LimitReached, EffortExceeded):
            if kind not in DELAYED:
                raise BeliefSearchError(
                    f"{asked.title} has too many states to look for an adversary's strategy"
                ) from None
    if found is not None:
        return TABLES[kind](asked, chance, found)
    require("play against an adversary who delays", problem, asked.title)
    return DELAYED[kind](asked, chance)


def game_lines(problem: Any, answer: Any, game: Game[Any, Any, Any]) -> Iterator[str]:
    """Yield a line for each action of a game, with its percept and the state after it, and the end of the game."""
    return _GAMES[kind_of(problem)](problem, answer, game)


def _plan_game(problem: Any, plan: Plan[Any, Any], game: Game[Any, Any, Any]) -> Iterator[str]:
    before, rows = game.start, [("", "", problem.format_state(game.start))]
    for turn in game.turns[: game.won_after]:
        seen = "" if turn.percept is None else problem.format_percept(turn.percept)
        if not plan.is_conditional:
            seen = problem.describe_step(before, turn.action, turn.state)
        rows.append((problem.format_action(turn.action), seen, problem.format_state(turn.state)))
        before = turn.state
    yield from _columns(rows, perceives=plan.is_conditional)
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
    yield from _columns(rows, perceives=True)
    utility: Any = game.utility
    yield f"ended after {plural(len(game.turns), 'action')}: {float(utility):.6g} in all"


def _columns(rows: Sequence[tuple[str, str, str]], *, perceives: bool) -> Iterator[str]:
    """Yield numbered lines of an action, a text and a state; without texts their column is only there for percepts."""
    act_width, text_width = (max(len(row[column]) for row in rows) for column in range(2))
    for number, (act, text, state) in enumerate(rows):
        gap = f"{text:{text_width}}  " if text_width or perceives else ""
        yield f"{number:4}  {act:{act_width}}  {gap}{state}"


_GAMES: Mapping[Kind, Callable[..., Iterator[str]]] = {
    **dict.fromkeys((Kind.PLAIN, Kind.SENSORLESS, Kind.CONTINGENT), _plan_game),
    Kind.STOCHASTIC: _policy_game,
    Kind.POMDP: _graph_game,
}
