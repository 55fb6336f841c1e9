"""`beliefsearch simulate`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .. import DOES_NOT_HOLD, HOLDS, UNDECIDED
from ..answers.games import GamesProgress, GamesResult, GamesWriter, games_output_options
from ..chosen import Chosen
from ..chosen import true_start as find_start
from ..limits import doing
from ..output import message
from ..plans import NoPlan, plan_for, plan_option
from ..problem_command import ProblemCommand
from ..problem_options import start_option
from ..search_options import SearchOptions, search_options

if TYPE_CHECKING:
    from ...games.plan import Simulation

__all__ = ["command"]

_MOST_ROWS = 40


@click.command("simulate", cls=ProblemCommand)
@search_options
@plan_option
@click.option("--games", type=click.IntRange(1), default=1000, show_default=True, help="How many games to play.")
@click.option("--every-start", is_flag=True, help="So many games from each start, not so many in all.")
@click.option("--seed", type=int, help="Makes the games repeatable.")
@start_option
@games_output_options
def command(
    chosen: Chosen,
    search: SearchOptions,
    plan_file: Path | None,
    games: int,
    every_start: bool,
    seed: int | None,
    true_start: str | None,
    form: str | None,
    output: Path | None,
) -> int:
    """Play a plan for PROBLEM against chance, many times, and print how long the games took.

    The start is drawn from all possible ones, and every result that an action may have is equally
    likely. Exit code 1 if a game was lost, 3 if a limit or Ctrl-C ended it early.
    """
    from ...games.conditional import simulate_conditional
    from ...games.plan import possible_starts, simulate
    from ...plans.plan import ConditionalPlan
    from ...plans.wording import plural

    writer = GamesWriter(form, output)
    starts: list[Any] | None = None if true_start is None else [find_start(chosen, true_start)]
    if chosen.by_chance:
        from ..answers.policy import simulate_chance

        return simulate_chance(chosen, search, plan_file, games, seed, writer)
    try:
        plan = plan_for(chosen, search, plan_file)
    except NoPlan as none:
        return none.code
    if starts is None:
        starts = doing("the starts were being listed", chosen.budget, lambda: possible_starts(chosen.problem))
    wanted = games * (len(starts) if every_start else 1)
    outcome: Simulation[Any]
    with GamesProgress(search.quiet, wanted) as progress:
        how: Any = {"games": games, "seed": seed, "every_start": every_start, "starts": starts, "tell": progress.tell}
        how["budget"] = chosen.budget
        if isinstance(plan, ConditionalPlan):
            outcome = simulate_conditional(chosen.problem, plan, **how)
            length = plural(plan.steps, "step")
        else:
            outcome = simulate(chosen.problem, plan, **how)
            length = plural(len(plan), "action")
    writer.write(_result(chosen, outcome, length, {"seed": seed, "every_start": every_start, "start": true_start}))
    if outcome.lost_from:
        return DOES_NOT_HOLD
    if outcome.games < wanted:
        message(f"{outcome.stopped}: {wanted - outcome.games:,} games were not played")
        return UNDECIDED
    return HOLDS


def _result(chosen: Chosen, outcome: Simulation[Any], length: str, asked: dict[str, Any]) -> GamesResult:
    from ...plans.wording import plural
    from ..answers.report import bars

    lost = len(outcome.lost_from)
    won = outcome.games - lost
    lines = [f"{chosen.title}: {plural(outcome.games, 'game')} of a plan of {length}, {won:,} won"]
    mean = None
    if won:
        mean = sum(steps * count for steps, count in outcome.won_after.items()) / won
        lines += [f"won after {mean:.2f} actions on average", ""]
        every = range(max(outcome.won_after) + 1)
        rows = _gathered({step: outcome.won_after.get(step, 0) for step in every})
        lines += bars(rows, heads=("actions", "games won"))
    if lost:
        example = chosen.problem.format_state(outcome.lost_from[0])
        lines += ["", f"{plural(lost, 'game')} lost, the first from the start {example}"]
    document = {
        "problem": chosen.reference,
        "parameters": dict(chosen.parameters),
        "blindfold": chosen.blindfold,
        **({} if chosen.belief is None else {"belief": list(chosen.belief)}),
        **asked,
        "games": outcome.games,
        "won": won,
        "lost": lost,
        "mean": mean,
        "won_after": {str(step): count for step, count in outcome.won_after.items()},
        "lost_from": dict(Counter(map(chosen.problem.format_state, outcome.lost_from))),
        "version": 1,
    }
    counts: dict[int | None, int] = dict(outcome.won_after.items())
    if lost:
        counts[None] = lost
    return GamesResult(chosen.title, lines, document, counts, ("actions", "games"))


def _gathered(counts: dict[int, int]) -> dict[str, int]:
    """The histogram with as many rows as fit a screen: a long one is gathered in bins, if possible all equally wide."""
    least = -(-len(counts) // _MOST_ROWS)
    size = next((size for size in range(least, 2 * least) if len(counts) % size == 0), least)
    if size == 1:
        return {str(step): count for step, count in counts.items()}
    bins: dict[str, int] = {}
    for first in range(0, len(counts), size):
        last = min(first + size, len(counts)) - 1
        bins[f"{first}-{last}"] = sum(counts[step] for step in range(first, last + 1))
    return bins
