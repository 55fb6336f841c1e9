"""`beliefsearch simulate`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from ...kinds import is_stochastic
from ...running.alarm import doing
from ...simulation.game import Simulation
from ...simulation.play import PLAYERS, simulate
from .. import DOES_NOT_HOLD, HOLDS, UNDECIDED
from ..options import Whole, report_options
from ..output import form_to_write, message
from ..plan_source import plan_option, plan_or_exit
from ..problem_command import ProblemCommand
from ..problem_options import start_option
from ..renderers.simulation import GamesProgress, games_report
from ..search_options import search_options
from ..selected_problem import Asked
from ..selected_problem import true_start as find_start

_FORMS = ("text", "json", "csv", "png")


@click.command("simulate", cls=ProblemCommand)
@search_options
@plan_option
@click.option("--games", type=Whole(1), default=1000, show_default=True, help="How many games to play.")
@click.option("--every-start", is_flag=True, help="Play --games games from each start, not in all.")
@click.option("--seed", type=int, help="The same seed gives the same games.")
@start_option
@report_options(_FORMS, "Write the result to a file: all of it, or a histogram.")
def command(
    asked: Asked,
    games: int,
    every_start: bool,
    seed: int | None,
    true_start: str | None,
    form: str | None,
    output: Path | None,
) -> int:
    """Play a plan for PROBLEM against chance, many times, and print how long the games took.

    The start is drawn from all possible ones, and every result that an action may have is equally
    likely, unless the problem says how likely they are. Exit code 1 if a game was lost, 3 if a limit or Ctrl-C ended it
    early.
    """
    form = form_to_write(form, output, _FORMS, asked.inputs())
    starts = None if true_start is None else [find_start(asked, true_start)]
    answer, budget = plan_or_exit(asked)
    if starts is None and (every_start or not is_stochastic(asked.problem)):  # else chance draws them by its odds
        list_starts = partial(PLAYERS[asked.kind].starts, asked.problem)
        starts = doing("the starts were being listed", budget, list_starts)
    wanted = games * (len(starts or ()) if every_start else 1)
    with GamesProgress(asked.search.quiet, wanted) as progress:
        how: Any = {"games": games, "seed": seed, "every_start": every_start, "starts": starts}
        outcome = simulate(asked.problem, answer, **how, tell=progress.tell, budget=budget)
    report = games_report(asked, answer, outcome, {"seed": seed, "every_start": every_start, "start": true_start})
    if report.lines:
        report.write(form, output)
    if isinstance(outcome, Simulation) and outcome.lost:
        return DOES_NOT_HOLD
    if outcome.games < wanted:
        message(f"{outcome.stopped}: {wanted - outcome.games:,} games were not played")
        return UNDECIDED
    return HOLDS
