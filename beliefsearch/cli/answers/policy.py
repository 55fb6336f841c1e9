"""Policies on the command line: solving with progress, reading one from a file, games of it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...plans.wording import MOST_DIGITS
from ..chosen import Chosen
from ..output import emit
from ..search_options import SearchOptions
from .policy_text import verdict_line

if TYPE_CHECKING:
    from ...plans.policy import Policy, PolicyResult


def solve_chance(chosen: Chosen, search: SearchOptions) -> PolicyResult[Any, Any]:
    """Solve the chosen stochastic problem, showing progress on standard error."""
    with solving(chosen, search) as solve:
        return solve(chosen.problem)


@contextmanager
def solving(chosen: Chosen, search: SearchOptions) -> Iterator[Callable[[Any], PolicyResult[Any, Any]]]:
    """A function that solves problems of the chosen class; the command's limits hold for all of them together."""
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
    """The policy to play, from a file or a search; if none was found, prints the verdict and returns None."""
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
