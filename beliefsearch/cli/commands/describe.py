"""`beliefsearch describe`."""

from __future__ import annotations

import click

from ...plugins.loading import FILE_MODULE
from .. import SOLVED, UNDECIDED
from ..answers.registry import ANSWERS
from ..chosen import Chosen
from ..output import emit
from ..problem_command import ProblemCommand

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
    for line in ANSWERS[chosen.kind].facts(chosen.problem, chosen.budget):
        emit(f"  {line}")
    return SOLVED
