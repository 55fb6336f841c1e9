"""`beliefsearch simulate`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from . import DOES_NOT_HOLD, HOLDS, UNDECIDED
from .output import emit, message
from .plans import NoPlan, plan_for, plan_option
from .problem_command import Chosen, ProblemCommand
from .search_options import SearchOptions, search_options

__all__ = ["command"]

_MOST_ROWS = 40


@click.command("simulate", cls=ProblemCommand)
@search_options
@plan_option
@click.option("--games", type=click.IntRange(1), default=1000, show_default=True, help="How many games to play.")
@click.option("--every-start", is_flag=True, help="So many games from each start, not so many in all.")
@click.option("--seed", type=int, help="Makes the games repeatable.")
def command(
    chosen: Chosen, search: SearchOptions, plan_file: Path | None, games: int, every_start: bool, seed: int | None
) -> int:
    """Play a plan for PROBLEM against chance, many times, and print how long the games took.

    The start is drawn from all possible ones, and every result that an action may have is equally
    likely. Exit code 1 if a game was lost, 3 if
    Ctrl-C ended it early.
    """
    from ..conditional_games import simulate_conditional
    from ..conditional_plan import ConditionalPlan
    from ..games import Simulation, possible_starts, simulate
    from ..problem import BeliefProblem
    from ..wording import plural
    from .report import bars

    if chosen.by_chance:
        from .chance import simulate_chance

        return simulate_chance(chosen, search, plan_file, games, seed)
    try:
        plan = plan_for(chosen, search, plan_file)
    except NoPlan as none:
        return none.code
    outcome: Simulation[Any]
    if isinstance(plan, ConditionalPlan):
        assert isinstance(chosen.problem, BeliefProblem)
        outcome = simulate_conditional(chosen.problem, plan, games=games, seed=seed, every_start=every_start)
        length = plural(plan.steps, "step")
    else:
        outcome = simulate(chosen.problem, plan, games=games, seed=seed, every_start=every_start)
        length = plural(len(plan), "action")
    wanted = games * (len(possible_starts(chosen.problem)) if every_start else 1)
    lost = len(outcome.lost_from)
    won = outcome.games - lost
    emit(f"{chosen.title}: {plural(outcome.games, 'game')} of a plan of {length}, {won:,} won")
    if won:
        mean = sum(steps * count for steps, count in outcome.won_after.items()) / won
        emit(f"won after {mean:.2f} actions on average\n")
        every = range(max(outcome.won_after) + 1)
        counts = {step: outcome.won_after.get(step, 0) for step in every}
        rows = _gathered(counts)
        for line in bars(rows, heads=("actions", "games won")):
            emit(line)
    if lost:
        example = chosen.problem.format_state(outcome.lost_from[0])
        emit(f"\n{plural(lost, 'game')} lost, the first from the start {example}")
        return DOES_NOT_HOLD
    if outcome.games < wanted:
        message(f"interrupted: {wanted - outcome.games:,} games were not played")
        return UNDECIDED
    return HOLDS


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
