"""`beliefsearch describe`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ...plans.wording import plural
from ...plugins.loading import FILE_MODULE
from .. import SOLVED, UNDECIDED
from ..chosen import Chosen
from ..output import emit
from ..problem_command import ProblemCommand

if TYPE_CHECKING:
    from ...running.limits import Budget
    from ...solving.describe import Count, Facts

__all__ = ["command"]

# Counting the states of a large instance must not keep somebody waiting who wants to read a text.
_SECONDS = 5.0


@click.command("describe", cls=ProblemCommand, startless=True, instance_optional=True, seconds=_SECONDS)
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
        stopped = "stopped" in ctx.meta
        emit(f"\nNo instance{'' if stopped else ' without options'}: {ctx.meta['no instance']}")
        return UNDECIDED if stopped else SOLVED
    emit(f"\nThis instance: {chosen.title}")
    for line in _facts(chosen.problem, chosen.budget):
        emit(f"  {line}")
    return SOLVED


def _facts(problem: Any, budget: Budget) -> list[str]:
    from ...model.stochastic import StochasticProblem
    from ...running.alarm import call_within
    from ...running.limits import STOPS
    from ...solving.describe import describe

    if isinstance(problem, StochasticProblem):
        from ..answers.policy import chance_facts

        return chance_facts(problem, budget)
    try:
        facts = call_within(budget, lambda: describe(problem, tick=budget.tick))
    except STOPS as stop:
        return [f"nothing was counted: {budget.why(stop)}"]
    lines = [f"a {facts.kind} problem{' that can be walked backwards' if facts.reversible else ''}"]
    if facts.no_start is not None:
        lines.append(f"its start is open: {facts.no_start}")
    if facts.starts is not None:
        lines.append(plural(facts.starts.number, "possible start"))
        if not facts.starts.complete:
            lines[-1] = f"more than {lines[-1]}"
        elif facts.canonical_starts is not None and facts.canonical_starts < facts.starts.number:
            lines.append(f"{facts.canonical_starts:,} of them up to symmetry")
    if facts.actions is not None:
        actions = plural(facts.actions.number, "action")
        where = "at the start" if facts.starts is None else "in the first of them"
        lines.append(f"{actions if facts.actions.complete else f'more than {actions}'} {where}, {facts.first_start}")
    lines += _size(facts)
    if facts.stopped is not None:
        lines.append(f"not everything was counted: {facts.stopped}")
    return lines


def _size(facts: Facts) -> list[str]:
    """The numbers of states, and how many beliefs can be made of them."""
    states, unreduced = facts.states, facts.unreduced_states
    if states is None:
        return []
    origin = "" if facts.no_start is None else " that can come up from the possible starts"
    if unreduced is None or unreduced == states:
        told = [(states, "")]
    else:
        told = [(states, " up to symmetry"), (unreduced, " without symmetry")]
    lines = [f"{_at_least(count)}{plural(count.number, 'state')}{which}{origin}" for count, which in told]
    if facts.starts is not None:
        lines += [f"{_at_least(count)}2^{count.number} beliefs{which}" for count, which in told]
    return lines


def _at_least(count: Count) -> str:
    return "" if count.complete else "at least "
