"""`beliefsearch identify`: `run`, for matrices of hypotheses and tests."""

from __future__ import annotations

import click

from ...plugins.installed import reader_of
from ...running.limits import Budget
from ..problem_command import ProblemCommand
from .run import command as run
from .run import say_undecided

_ADDED = ("reference", "blindfold", "belief")  # by the class itself


class _IdentifyCommand(ProblemCommand):
    """A command for matrices only."""

    def _find(self, ctx: click.Context, reference: str, budget: Budget) -> None:
        if reader_of(reference) not in ("csv", "tsv"):
            said = f"{reference!r} is no matrix, whose name ends in .csv or .tsv"
            raise click.UsageError(f"{said}; `beliefsearch run` solves everything else", ctx)
        super()._find(ctx, reference, budget)


command = _IdentifyCommand(
    "identify",
    callback=run.callback,
    when_stopped=say_undecided,
    params=[param for param in run.params if param.name not in _ADDED],
    help="Find the tests that tell which hypothesis of a matrix holds, FILE.csv: the tree of least cost.\n\n"
    "The worst case counts, or with --objective expected the mean. Exit codes are those of `run`.",
)
