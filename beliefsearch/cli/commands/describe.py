"""`beliefsearch describe`."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import cleandoc

import click

from ...planner.describe import Facts, describe
from ...plans.wording import plural
from ...plugins.loading import FILE_MODULE
from ...plugins.options import fields_without_option
from .. import SOLVED, UNDECIDED
from ..output import emit, emit_lines
from ..problem_command import ProblemCommand
from ..selected_problem import Asked

# Counting the states of a large instance must not keep somebody waiting who wants to read a text.
_SECONDS = 5.0


@click.command("describe", cls=ProblemCommand, startless=True, instance_optional=True, seconds=_SECONDS)
@click.pass_context
def command(ctx: click.Context, asked: Asked) -> int:
    """Tell the story of PROBLEM, its model, source, known answers, options, and the size of the instance."""
    cls = ctx.meta["problem class"]
    place = "" if cls.__module__.startswith(FILE_MODULE) else f"{cls.__module__}:"
    emit(f"{asked.reference}: {place}{cls.__qualname__}\n")
    emit(cleandoc(cls.__doc__ or "(no description)"))
    if ctx.meta["problem options"]:
        formatter = ctx.make_formatter()
        with formatter.section("\nOptions"):
            formatter.write_dl([r for made, _ in ctx.meta["problem options"] if (r := made.get_help_record(ctx))])
        emit(formatter.getvalue().rstrip())
    emit_lines(f"\nnote: {line}" for line in fields_without_option(cls).values())
    if "no instance" in ctx.meta:
        stopped = "stopped" in ctx.meta
        emit(f"\nNo instance{'' if stopped else ' without options'}: {ctx.meta['no instance']}")
        return UNDECIDED if stopped else SOLVED
    emit(f"\nThis instance: {asked.title}")
    facts = describe(asked.problem, budget=asked.budget)
    emit_lines(f"  {line}" for line in _lines(facts))
    # That there is too much to count without symmetry is no limit of the user's.
    return SOLVED if facts.stopped is None or facts.stopped.startswith("more than") else UNDECIDED


def _lines(facts: Facts) -> Iterator[str]:
    yield f"a {facts.kind} problem{' that can be walked backwards' if facts.reversible else ''}"
    if facts.no_start is not None:
        yield f"no start was given: {facts.no_start}"
    if facts.starts is not None:
        starts = plural(facts.starts.number, "possible start")
        yield starts if facts.starts.complete else f"more than {starts}"
        if facts.canonical_starts is not None and facts.canonical_starts < facts.starts.number:
            yield f"{facts.canonical_starts:,} of them up to symmetry"
    if facts.actions is not None:
        actions = plural(facts.actions.number, "action")
        where = "at the start" if facts.starts is None else "in the first of them"
        yield f"{actions if facts.actions.complete else f'more than {actions}'} {where}, {facts.first_start}"
    yield from _size(facts)
    if facts.stopped is not None:
        counted = facts.states or facts.starts or facts.first_start
        yield f"{'not everything' if counted else 'nothing'} was counted: {facts.stopped}"


def _size(facts: Facts) -> Iterator[str]:
    """The numbers of states and of sets of states."""
    states, unreduced = facts.states, facts.unreduced_states
    if states is None:
        return
    if facts.percepts is not None:
        yield f"{plural(states.number, 'state')} that {'is' if states.number == 1 else 'are'} not terminal"
        yield plural(facts.percepts, "percept")
        return
    if facts.terminal is not None:
        yield f"{plural(states.number, 'state')}, {facts.terminal:,} of them terminal"
        again = f"the game may come back to {plural(facts.recurring or 0, 'state')}"
        yield again if facts.recurring else "it never comes back to a state"
        return
    origin = "" if facts.no_start is None else " that can come up from the possible starts"
    counts = [(states, "")]
    if unreduced is not None and unreduced != states:
        counts = [(states, " up to symmetry"), (unreduced, " without symmetry")]
    least = {True: "", False: "at least "}
    yield from (f"{least[n.complete]}{plural(n.number, 'state')}{which}{origin}" for n, which in counts)
    if facts.starts is not None:
        yield from (f"{least[n.complete]}2^{n.number} beliefs{which}" for n, which in counts)
