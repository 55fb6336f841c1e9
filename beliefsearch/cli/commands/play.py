"""`beliefsearch play`."""

from __future__ import annotations

import sys
from functools import partial
from random import Random
from typing import Any

import click

from ...errors import BeliefSearchError, ProblemError
from ...running.alarm import Stopped, doing
from ...simulation.play import play_game
from .. import DOES_NOT_HOLD, HOLDS
from ..interactive.choose import game_against_adversary, game_against_chance, game_lines
from ..output import emit
from ..plan_source import plan_option
from ..problem_command import ProblemCommand
from ..problem_options import start_option
from ..renderers.registry import plan_or_exit
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
    ctx: click.Context,
    asked: Asked,
    watch: bool,
    seed: int | None,
    adversary: bool,
    true_start: str | None,
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
    begin = game_against_adversary if adversary else game_against_chance
    game = begin(asked, Random(seed))
    if start is not None:
        game.begin_at(start)
    summary = (ctx.meta["problem class"].__doc__ or "").strip().partition("\n")[0]
    title = f"{asked.title}: {summary}" if summary else asked.title
    emit(doing("the game was being set up", asked.budget, lambda: game.welcome(title)))
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
        return game.lost, "\n".join(game_lines(asked.problem, answer, game))

    lost, lines = doing("the game was being played", budget, play)
    emit(lines)
    return DOES_NOT_HOLD if lost else HOLDS
