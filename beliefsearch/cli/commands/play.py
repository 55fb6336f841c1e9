"""`beliefsearch play`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ...errors import BeliefSearchError, ProblemError
from ...model.hooks import ConstructionHook
from ...model.problem import Problem
from ...plans.plan import ConditionalPlan
from .. import DOES_NOT_HOLD, HOLDS
from ..chosen import Chosen
from ..chosen import true_start as find_start
from ..limits import Stopped, doing
from ..output import emit
from ..plans import NoPlan, plan_for, plan_option
from ..problem_command import ProblemCommand
from ..problem_options import start_option
from ..search_options import SearchOptions, search_options

if TYPE_CHECKING:
    from ..table.game import TableGame

__all__ = ["command"]

_Result = TypeVar("_Result")


@click.command("play", cls=ProblemCommand, interactive=True)
@search_options
@plan_option
@click.option("--watch", is_flag=True, help="Watch a plan play against chance.")
@click.option("--seed", type=int, help="Makes chance repeatable.")
@click.option(
    "--adversary", is_flag=True, help="Play against somebody who keeps you from winning, as long as that can be."
)
@start_option
@click.pass_context
def command(
    ctx: click.Context,
    chosen: Chosen,
    search: SearchOptions,
    plan_file: Path | None,
    watch: bool,
    seed: int | None,
    adversary: bool,
    true_start: str | None,
) -> int:
    """Play PROBLEM: name an action each turn; in a sensorless game you are not told the state.

    Type `help` in the game for what else you can say. With --watch the plan plays.
    """
    if plan_file is not None and not watch:
        raise BeliefSearchError("--plan goes with --watch: it is the plan that plays")
    if adversary and true_start is not None:
        raise BeliefSearchError("the adversary chooses where the game starts; leave --start out")
    start = None if true_start is None else find_start(chosen, true_start)
    chance = Random(seed)
    if adversary and watch:
        raise BeliefSearchError("--adversary is for a game that you play; --watch lets the plan play against chance")
    if watch and chosen.by_chance:
        from ..answers.policy import watch_chance

        return _watching(chosen, lambda: watch_chance(chosen, search, plan_file, chance))
    if watch:
        try:
            plan = plan_for(chosen, search, plan_file)
        except NoPlan as none:
            return none.code
        if isinstance(plan, ConditionalPlan):
            from ..table.contingent import watch_conditional

            won = _watching(chosen, lambda: watch_conditional(chosen.problem, plan, chance, start))
        else:
            won = _watching(chosen, lambda: _watch(chosen.problem, plan, start, chance))
        return HOLDS if won else DOES_NOT_HOLD
    from ...running.limits import Budget
    from ..table.game import TableGame

    if chosen.by_chance:
        from ..table.stochastic import ChanceGame

        if adversary:
            raise BeliefSearchError(f"{chosen.title} is a game against chance; leave --adversary out")
        game: TableGame = ChanceGame(chosen, search, chance)
    elif adversary:
        game = _game_against_adversary(chosen, search, chance)
    elif not chosen.problem.is_sensorless():
        from ..table.contingent import SightedTableGame

        sighted = chosen.problem
        game = _setting_up(chosen, lambda: SightedTableGame(sighted, search, chance))
    else:
        game = _setting_up(chosen, lambda: TableGame(chosen.problem, search, chance))
    if start is not None:
        game.begin_at(start)
    summary = (ctx.meta["problem class"].__doc__ or "").strip().partition("\n")[0]
    emit(_setting_up(chosen, lambda: game.welcome(f"{chosen.title}: {summary}" if summary else chosen.title)))
    try:
        while not game.over:
            if sys.stdin is None:
                raise EOFError
            line = input(game.prompt())
            budget = Budget(search.limits())  # of this turn: the player may take as long as he likes
            try:
                emit(doing("that was being done", budget, partial(game.say, line.strip())))
            except Stopped as stop:
                emit(f"I gave up: {stop.reason}.")
            except ProblemError:
                raise  # the puzzle is at fault, and will be at every turn
            except BeliefSearchError as error:
                emit(str(error))
    except (EOFError, KeyboardInterrupt):
        emit(f"\n{game.farewell()}")
    return HOLDS


def _setting_up(chosen: Chosen, call: Callable[[], _Result]) -> _Result:
    return doing("the game was being set up", chosen.budget, call)


def _watching(chosen: Chosen, call: Callable[[], _Result]) -> _Result:
    return doing("the game was being played", chosen.budget, call)


def _game_against_adversary(chosen: Chosen, search: SearchOptions, chance: Random) -> TableGame:
    """A game that cannot be won; or, where nothing keeps a player who sees from winning, one that takes longest."""
    from ...proofs.adversary import find_adversary
    from ...running.alarm import call_within
    from ...running.limits import LimitReached, Outgrown
    from ..table.contingent import SightedTableGame
    from ..table.delayed import DelayedGame, DelayedSightedGame
    from ..table.game import TableGame

    problem = chosen.problem
    known = problem.construction() if isinstance(problem, ConstructionHook) else None
    found = None
    if known is None or known.length is None:  # else there is a plan, and so no trap
        try:
            budget = chosen.budget
            found = call_within(budget, lambda: find_adversary(problem, budget.tick, small=False))
        except (LimitReached, Outgrown):
            if isinstance(problem, Problem):
                raise BeliefSearchError(
                    f"{chosen.title} has too many states to look for an adversary's strategy"
                ) from None
    if isinstance(problem, Problem):
        if found is None:
            raise BeliefSearchError(f"{chosen.title}: no adversary can keep a player who sees everything from winning")
        return TableGame(problem, search, chance, found)
    if problem.is_sensorless():
        return DelayedGame(problem, search, chance) if found is None else TableGame(problem, search, chance, found)
    if found is None:
        return DelayedSightedGame(problem, search, chance)
    return SightedTableGame(problem, search, chance, found)


def _watch(problem: Any, plan: Sequence[Any], start: Any, chance: Random) -> bool:
    """A line for each action: its number, the action, what happened, and the state now."""
    from ...games.plan import play_game, possible_starts
    from ...plans.wording import plural

    start = chance.choice(possible_starts(problem)) if start is None else start
    game = play_game(problem, plan, start, chance)
    last = len(plan) if game.won_after is None else game.won_after
    rows = [("", "", problem.format_state(start))]
    for before, action, after in zip(game.states, game.actions[:last], game.states[1:], strict=False):
        told = problem.describe_step(before, action, after)
        rows.append((problem.format_action(action), told, problem.format_state(after)))
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    for number, (act, told, state) in enumerate(rows):
        gap = "" if widths[1] == 0 else f"{told:{widths[1]}}  "
        emit(f"{number:4}  {act:{widths[0]}}  {gap}{state}")
    if game.won_after is None:
        emit(f"not won after {plural(len(plan), 'action')}")
    else:
        emit(f"won after {plural(game.won_after, 'action')} of a plan of {len(plan)}")
    return game.won_after is not None
