"""Policies on the command line: solving with progress, reading one from a file, games of it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from ...plans.wording import MOST_DIGITS, plural
from .. import HOLDS, UNDECIDED
from ..chosen import Chosen
from ..output import emit, message
from ..search_options import SearchOptions
from .policy_text import verdict_line

if TYPE_CHECKING:
    from ...plans.policy import Policy, PolicyResult
    from .games import GamesWriter

__all__ = [
    "policy_for",
    "simulate_chance",
    "solve_chance",
    "solving",
    "watch_chance",
]

_MOST_ROWS = 40


def solve_chance(chosen: Chosen, search: SearchOptions) -> PolicyResult[Any, Any]:
    """Solve the chosen stochastic problem, showing progress on standard error."""
    with solving(chosen, search) as solve:
        return solve(chosen.problem)


@contextmanager
def solving(chosen: Chosen, search: SearchOptions) -> Iterator[Callable[[Any], PolicyResult[Any, Any]]]:
    """A function that solves problems of the chosen class, all within the limits of the command."""
    from ...solving.stochastic import solve_stochastic
    from ..progress import Progress

    search.check(chosen)
    sys.set_int_max_str_digits(MOST_DIGITS)
    solver = "auto" if search.solver == "search" else search.solver
    with Progress(search.quiet) as progress:

        def solve(problem: Any) -> PolicyResult[Any, Any]:
            return solve_stochastic(problem, solver=solver, budget=chosen.budget, observer=progress)

        yield solve


def policy_for(chosen: Chosen, search: SearchOptions, plan_file: Path | None) -> Policy[Any, Any] | None:
    """The policy to play: from a file, or the best one; None, with the verdict printed, if none was found."""
    if plan_file is None:
        result = solve_chance(chosen, search)
        if result.value is None:
            emit(verdict_line(chosen, result))
            return None
        return result.policy
    from ..plans import plan_from_file

    sys.set_int_max_str_digits(MOST_DIGITS)
    policy: Policy[Any, Any] = plan_from_file(plan_file, chosen)
    return policy


def simulate_chance(
    chosen: Chosen, search: SearchOptions, plan_file: Path | None, games: int, seed: int | None, writer: GamesWriter
) -> int:
    """`simulate`: many games, their mean utility, and how many ended with which."""
    from ...games.policy import simulate_policy
    from .games import GamesProgress, GamesResult
    from .report import bars

    problem: Any = chosen.problem
    policy = policy_for(chosen, search, plan_file)
    if policy is None:
        return UNDECIDED
    with GamesProgress(search.quiet, games) as progress:
        told = simulate_policy(problem, policy, games=games, seed=seed, tell=progress.tell, budget=chosen.budget)
    start = problem.initial_state()
    value = problem.utility(start) if problem.is_terminal(start) else policy.value(start)
    lines = []
    if told.games:
        lines = [
            f"{chosen.title}: {plural(told.games, 'game')}, {told.steps / told.games:.2f} actions on average",
            f"mean utility {told.mean:.6g}, standard error {told.standard_error:.2g}; the value is {float(value):.6g}",
            "",
            *bars(_gathered(told.utilities), heads=("utility", "games")),
        ]
    document = {
        "problem": chosen.reference,
        "parameters": dict(chosen.parameters),
        "seed": seed,
        "games": told.games,
        "actions": told.steps,
        "mean": told.mean if told.games else None,
        "standard_error": told.standard_error if told.games else None,
        "value": float(value),
        "utilities": {str(utility): count for utility, count in told.utilities.items()},
        "version": 1,
    }
    if told.games:
        writer.write(GamesResult(chosen.title, lines, document, told.utilities, ("utility", "games")))
    if told.games < games:
        message(f"{told.stopped}: {games - told.games:,} games were not played")
        return UNDECIDED
    return HOLDS


def _gathered(utilities: Any) -> dict[str, int]:
    """The histogram; many different utilities in intervals of equal length."""
    if len(utilities) <= _MOST_ROWS:
        return {str(utility): count for utility, count in utilities.items()}
    low, high = float(min(utilities)), float(max(utilities))
    width = (high - low) / (_MOST_ROWS // 2)
    rows = [0] * (_MOST_ROWS // 2)
    for utility, count in utilities.items():
        rows[min(int((float(utility) - low) / width), len(rows) - 1)] += count
    return {f"from {low + place * width:.6g}": count for place, count in enumerate(rows)}


def watch_chance(chosen: Chosen, search: SearchOptions, plan_file: Path | None, chance: Random) -> int:
    """`play --watch`: one game of the policy, a line for each action."""
    from ...games.policy import play_policy

    problem: Any = chosen.problem
    policy = policy_for(chosen, search, plan_file)
    if policy is None:
        return UNDECIDED
    state, steps = problem.initial_state(), 0
    emit(f"{0:4}  {'':6}  {problem.format_state(state)}")
    for before, action, state in play_policy(problem, policy, chance):  # the last state is told
        steps += 1
        told = problem.describe_step(before, action, state)
        gap = f"{told:6}  " if told else ""
        emit(f"{steps:4}  {problem.format_action(action):6}  {gap}{problem.format_state(state)}")
    emit(f"over after {plural(steps, 'action')}: utility {problem.utility(state)}")
    return HOLDS
