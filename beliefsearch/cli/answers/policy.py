"""Policies, the answers to stochastic problems: solved with progress, read from a file, and shown."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import click
from attrs import frozen

from ...plans.wording import MOST_DIGITS, value_text
from .. import SOLVED, UNDECIDED
from ..chosen import Chosen
from ..output import emit, message, write_file
from ..plans import plan_from_file
from ..progress import Progress
from ..search_options import SearchOptions
from .answer import Answer
from .policy_text import policy_text, table_file, table_lines, verdict_line

if TYPE_CHECKING:
    from ...plans.policy import Policy, PolicyResult

_MOST_ROWS = 40


@frozen
class PolicyAnswer(Answer):
    """The best policy, or the part of it that was found. A saved policy needs no other certificate."""

    value: PolicyResult[Any, Any]
    indent: ClassVar[int | None] = None

    @property
    def code(self) -> int:
        return UNDECIDED if self.value.value is None else SOLVED

    def heading(self) -> str:
        return verdict_line(self.chosen, self.value) + ("" if self.value.value is None else "\n")

    def text(self) -> str:
        return policy_text(self.chosen, self.value)

    @staticmethod
    def plan(chosen: Chosen, search: SearchOptions, plan_file: Path | None) -> Any:
        return policy_for(chosen, search, plan_file)

    @staticmethod
    def saved_heading(chosen: Chosen, plan: Any, plan_file: Path) -> str:
        return f"{chosen.title}: value {value_text(plan.value(chosen.problem.initial_state()))}\n"

    @staticmethod
    def table(chosen: Chosen, plan: Any, width: int, output: Path | None, *, everything: bool) -> Iterator[str]:
        from ...proofs.trace import trace

        problem = chosen.problem
        start = problem.initial_state()
        if problem.is_terminal(start):
            yield f"The game is over at the start, {problem.format_state(start)}: utility {problem.utility(start)}"
        rows = trace(problem, plan).rows
        if output is not None:
            write_file(output, table_file(chosen, rows, as_csv=output.suffix == ".csv"))
            message(f"{output}: {len(rows):,} states")
        shown = rows if everything else rows[:_MOST_ROWS]
        if shown:
            yield from table_lines(problem, shown, width)
        if len(rows) > len(shown):
            yield f"... and {len(rows) - len(shown):,} more states; --all shows them, --output FILE writes them all"


def solve_chance(chosen: Chosen, search: SearchOptions) -> PolicyResult[Any, Any]:
    """Solve the chosen stochastic problem, showing progress on standard error."""
    with solving(chosen, search) as solve:
        return solve(chosen.problem)


@contextmanager
def solving(chosen: Chosen, search: SearchOptions) -> Iterator[Callable[[Any], PolicyResult[Any, Any]]]:
    """A function that solves problems of the chosen class; the command's limits hold for all of them together."""
    from ...solving.stochastic import solve_stochastic

    search.check(chosen)
    sys.set_int_max_str_digits(MOST_DIGITS)
    solver = "auto" if search.solver == "search" else search.solver
    with Progress(search.quiet) as progress:

        def solve(problem: Any) -> PolicyResult[Any, Any]:
            return solve_stochastic(problem, solver=solver, budget=chosen.budget, observer=progress)

        yield solve


def policy_for(chosen: Chosen, search: SearchOptions, plan_file: Path | None) -> Policy[Any, Any]:
    """The policy to play, from a file or a search; if none is found, prints the verdict and ends the command."""
    if plan_file is None:
        result = solve_chance(chosen, search)
        if result.policy is None or result.value is None:
            emit(verdict_line(chosen, result))
            raise click.exceptions.Exit(UNDECIDED)
        return result.require_policy()
    sys.set_int_max_str_digits(MOST_DIGITS)
    policy: Policy[Any, Any] = plan_from_file(plan_file, chosen)
    return policy
