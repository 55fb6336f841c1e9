"""`beliefsearch describe`."""

from __future__ import annotations

from itertools import islice
from typing import Any

import click
from attrs import evolve

from ..plugins import FILE_MODULE
from . import SOLVED
from .output import emit
from .problem_command import Chosen, ProblemCommand

__all__ = ["command"]

# Counting the states of a large instance must not keep somebody waiting who wants to read a text.
_SECONDS = 5.0
# More actions are not counted: some puzzles have more than anybody could list.
_MOST_ACTIONS = 100_000


@click.command("describe", cls=ProblemCommand, startless=True, instance_optional=True)
@click.pass_context
def command(ctx: click.Context, chosen: Chosen) -> int:
    """Tell the story of PROBLEM, its model, source, known answers, options, and the size of the instance."""
    from inspect import cleandoc

    cls = ctx.meta["problem class"]
    place = "" if cls.__module__.startswith(FILE_MODULE) else f"{cls.__module__}:"
    emit(f"{chosen.reference}: {place}{cls.__qualname__}\n")
    emit(cleandoc(cls.__doc__ or "(no description)"))
    if ctx.meta["problem options"]:
        formatter = ctx.make_formatter()
        with formatter.section("\nOptions"):
            formatter.write_dl([r for made, _ in ctx.meta["problem options"] if (r := made.get_help_record(ctx))])
        emit(formatter.getvalue().rstrip())
    if "no instance" in ctx.meta:
        emit(f"\nNo instance without options: {ctx.meta['no instance']}")
        return SOLVED
    emit(f"\nThis instance: {chosen.title}")
    for line in _facts(chosen.problem):
        emit(f"  {line}")
    return SOLVED


def _facts(problem: Any) -> list[str]:
    from ..errors import BeliefSearchError
    from ..problem import BeliefProblem, ReversibleProblem, StochasticProblem

    if isinstance(problem, StochasticProblem):
        from .chance import chance_facts

        return chance_facts(problem, _SECONDS)
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
        f"{_count_actions(problem, start)} at the start, {problem.format_state(start)}",
    ]


def _count_actions(problem: Any, state: Any) -> str:
    from ..wording import plural

    count = len(list(islice(problem.actions(state), _MOST_ACTIONS + 1)))
    return f"more than {_MOST_ACTIONS:,} actions" if count > _MOST_ACTIONS else plural(count, "action")


def _belief_facts(problem: Any) -> list[str]:
    from ..belief import initial_states
    from ..budget import Budget, LimitReached
    from ..solution import Limits
    from ..views import Blindfolded
    from ..wording import plural

    tick = Budget(Limits(seconds=_SECONDS)).tick
    if isinstance(problem, Blindfolded):
        problem = evolve(problem, tick=tick)
    count = 0
    representatives = set()
    first = None
    lines = []
    try:
        for state in initial_states(problem, tick):
            first = state if count == 0 else first
            count += 1
            representatives.add(problem.canonical(state))
        lines.append(plural(count, "possible start"))
        if len(representatives) < count:
            lines.append(f"{len(representatives):,} of them up to symmetry")
        lines.append(f"{_count_actions(problem, first)} in the first of them, {problem.format_state(first)}")
    except LimitReached:
        lines = lines or [f"more than {plural(count, 'possible start')}"]
        lines.append(f"counting was stopped after {_SECONDS:g} s")
    return lines
