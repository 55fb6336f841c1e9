"""`beliefsearch play`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from functools import partial
from random import Random
from typing import Any

import click

from ...errors import BeliefSearchError, ProblemError
from ...kinds import Kind, is_stochastic, require
from ...model.hooks import has_closed_form
from ...plans.wording import plural, telling_of
from ...running.alarm import Stopped, call_within, doing
from ...running.limits import EffortExceeded, LimitReached
from ...simulation.game import Game
from ...simulation.play import play_game
from .. import DOES_NOT_HOLD, HOLDS
from ..interactive.chance import PomdpTableGame, StochasticTableGame
from ..interactive.contingent import ContingentTableGame, DelayedContingentGame, DelayedGame
from ..interactive.game import SensorlessTableGame, TableGame
from ..output import emit
from ..plan_source import plan_option, plan_or_exit
from ..problem_command import ProblemCommand
from ..problem_options import start_option
from ..search_options import search_options
from ..selected_problem import Asked
from ..selected_problem import true_start as find_start


@click.command("play", cls=ProblemCommand, interactive=True)
@search_options
@plan_option
@click.option("--watch", is_flag=True, help="Watch a plan play against chance.")
@click.option("--seed", type=int, help="The same seed gives the same game.")
@click.option(
    "--adversary", is_flag=True, help="Play against an adversary who keeps you from winning as long as possible."
)
@start_option
@click.pass_context
def command(
    ctx: click.Context, asked: Asked, watch: bool, seed: int | None, adversary: bool, true_start: str | None
) -> int:
    """Play PROBLEM: name an action each turn; in a sensorless game you do not see the state.

    Type `help` in the game for the other commands. With --watch the plan plays.
    """
    if asked.plan_file is not None and not watch:
        raise BeliefSearchError("--plan goes with --watch, where the plan plays")
    if adversary and true_start is not None:
        raise BeliefSearchError("with --adversary the adversary chooses the start; leave --start out")
    start = None if true_start is None else find_start(asked, true_start)
    if adversary and watch:
        raise BeliefSearchError("--adversary is for a game that you play; with --watch the plan plays against chance")
    if watch:
        return _watch(asked, seed, start)
    if adversary:
        game = _game_against_adversary(asked, Random(seed))
    else:
        game = doing("the game was being set up", asked.budget, lambda: TABLES[asked.kind](asked, Random(seed)))
    if start is not None:
        game.begin_at(start)
    summary = (ctx.meta["problem class"].__doc__ or "").strip().partition("\n")[0]

    def welcome() -> str:
        question = asked.problem.question() if is_stochastic(asked.problem) else None
        about = summary if question is None else "" if question.text in asked.title else question.text
        return game.welcome(f"{asked.title}: {about}" if about else asked.title)

    emit(doing("the game was being set up", asked.budget, welcome))
    try:
        while not game.over:
            if sys.stdin is None:
                raise EOFError
            line = input(game.prompt())
            budget = asked.anew().budget  # of this turn: the player may take as long as he likes
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


def _watch(asked: Asked, seed: int | None, start: Any) -> int:
    """Let a plan play, and print a line for each action."""
    answer, budget = plan_or_exit(asked)

    def play() -> tuple[bool, str]:
        game = play_game(asked.problem, answer, seed=seed, start=start)
        return game.lost, "\n".join(_game_lines(asked, answer, game))

    lost, lines = doing("the game was being played", budget, play)
    emit(lines)
    return DOES_NOT_HOLD if lost else HOLDS


TABLES: Mapping[Kind, type[TableGame]] = {
    Kind.PLAIN: TableGame,
    Kind.SENSORLESS: SensorlessTableGame,
    Kind.CONTINGENT: ContingentTableGame,
    Kind.STOCHASTIC: StochasticTableGame,
    Kind.POMDP: PomdpTableGame,
}
"""By kind, the game against chance, or against an adversary (the third argument) who never lets the player win."""

DELAYED: Mapping[Kind, type[TableGame]] = {
    Kind.SENSORLESS: DelayedGame,
    Kind.CONTINGENT: DelayedContingentGame,
}
"""By kind, the game against an adversary who can only delay the player's win."""


def _game_against_adversary(asked: Asked, chance: Random) -> TableGame:
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
                too_many = f"{asked.title} has too many states to look for an adversary's strategy"
                raise BeliefSearchError(too_many) from None
    if found is not None:
        return TABLES[kind](asked, chance, found)
    require("play against an adversary who delays", problem, asked.title)
    return DELAYED[kind](asked, chance)


def _game_lines(asked: Asked, answer: Any, game: Game[Any, Any, Any]) -> Iterator[str]:
    """Yield a line for each action of a game, with its percept and the state after it, and the end of the game."""
    problem, chance = asked.problem, is_stochastic(asked.problem)
    perceives = asked.kind is Kind.POMDP if chance else answer.is_conditional
    before, rows = game.start, [("", "", problem.format_state(game.start))]
    for turn in game.turns if chance else game.turns[: game.won_after]:
        if not perceives:
            seen = problem.describe_step(before, turn.action, turn.state)
        else:
            unseen = problem.is_terminal(turn.state) if chance else turn.percept is None
            seen = "" if unseen else problem.format_percept(turn.percept)
        rows.append((problem.format_action(turn.action), seen, problem.format_state(turn.state)))
        before = turn.state
    act_width, text_width = (6, 6)
    if asked.kind is not Kind.STOCHASTIC:
        act_width, text_width = (max(len(row[column]) for row in rows) for column in range(2))
    for number, (act, text, state) in enumerate(rows):
        # Without texts their column is only there for percepts; what a policy does leads to some, now and then.
        has_text = bool(text) if asked.kind is Kind.STOCHASTIC else perceives or text_width > 0
        gap = f"{text:{text_width}}  " if has_text else ""
        yield f"{number:4}  {act:{act_width}}  {gap}{state}"
    utility, actions = game.utility, plural(len(rows) - 1, "action")
    if utility is None:
        whole = "" if perceives or game.lost else f" of a plan of {len(answer)}"
        yield f"{'not won' if game.lost else 'won'} after {actions}{whole}"
    elif perceives:
        yield f"ended after {actions}: {float(telling_of(problem).value(utility)):.6g} in all"
    else:
        telling = telling_of(problem)
        yield f"over after {actions}: {telling.of_games} {telling.value(utility)}"
