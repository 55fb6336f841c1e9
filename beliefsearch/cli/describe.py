"""`beliefsearch describe`."""

from __future__ import annotations

from typing import Any

import click

from . import SOLVED
from .output import emit
from .problem_command import Chosen, ProblemCommand

__all__ = ["command"]

# Counting the states of a large instance must not keep somebody waiting who wants to read a text.
_SECONDS = 5.0


@click.command("describe", cls=ProblemCommand, startless=True)
@click.pass_context
def command(ctx: click.Context, chosen: Chosen) -> int:
    """Tell the story of PROBLEM, its model, source, known answers, options, and the size of the instance."""
    from inspect import cleandoc

    cls = ctx.meta["problem class"]
    emit(f"{chosen.reference}: {cls.__module__}:{cls.__qualname__}\n")
    emit(cleandoc(cls.__doc__ or "(no description)"))
    if ctx.meta["problem options"]:
        formatter = ctx.make_formatter()
        with formatter.section("\nOptions"):
            formatter.write_dl([r for made, _ in ctx.meta["problem options"] if (r := made.get_help_record(ctx))])
        emit(formatter.getvalue().rstrip())
    emit(f"\nThis instance: {chosen.title}")
    for line in _facts(chosen.problem):
        emit(f"  {line}")
    return SOLVED


def _facts(problem: Any) -> list[str]:
    from ..errors import BeliefSearchError
    from ..problem import BeliefProblem, ReversibleProblem, StochasticProblem
    from .report import plural

    if isinstance(problem, StochasticProblem):
        return ["a stochastic problem"]
    if isinstance(problem, BeliefProblem):
        return [
            f"a {'sensorless' if problem.is_sensorless() else 'partially observable'} problem",
            *_belief_facts(problem),
        ]
    lines = ["a plain problem" + (" that can be walked backwards" if isinstance(problem, ReversibleProblem) else "")]
    try:
        start = problem.initial_state()
    except BeliefSearchError as error:
        return [*lines, f"its start is open: {error}"]
    return [
        *lines,
        f"{plural(len(list(problem.actions(start))), 'action')} at the start, {problem.format_state(start)}",
    ]


def _belief_facts(problem: Any) -> list[str]:
    from ..belief import initial_states
    from ..budget import Budget, LimitReached
    from ..solution import Limits
    from .report import plural

    count = 0
    representatives = set()
    first = None
    try:
        for state in initial_states(problem, Budget(Limits(seconds=_SECONDS)).tick):
            first = state if count == 0 else first
            count += 1
            representatives.add(problem.canonical(state))
    except LimitReached:
        return [f"more than {plural(count, 'possible start')} (counting was stopped after {_SECONDS:g} s)"]
    lines = [plural(count, "possible start")]
    if len(representatives) < count:
        lines.append(f"{len(representatives):,} of them up to symmetry")
    return [
        *lines,
        f"{plural(len(list(problem.actions(first))), 'action')} at the first, {problem.format_state(first)}",
    ]
