"""`beliefsearch explore`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from ...planner.explore import explore_within, walks_back
from ...planner.explore_codes import ENGINES, ExploreRequest
from ...plans.result import Exploration
from ...running.run import Run
from .. import SOLVED, UNDECIDED
from ..options import Choice, Whole, report_options
from ..output import form_to_write, message
from ..problem_command import ProblemCommand
from ..renderers.exploration import ExploreProgress, exploration_report
from ..renderers.text import PICTURES
from ..search_options import store_options
from ..selected_problem import Asked

_FORMS = ("text", "json", "csv", "png", "svg")


def _start_plays_no_part(cls: Any, options: Mapping[str, Any]) -> bool:
    return bool(options["backward"]) and walks_back(cls)


def _say_undecided(asked: Asked, reason: str, options: Mapping[str, Any]) -> None:
    """Report a limit that was reached while the puzzle was being made."""
    seconds = asked.budget.seconds()
    nothing = Exploration("", (), False, backward=options["backward"], reason=reason, seconds=seconds)
    as_json = options["form"] == "json" and options["output"] is None
    exploration_report(asked, nothing).write("json" if as_json else "text", None)


@click.command("explore", cls=ProblemCommand, startless=_start_plays_no_part, when_stopped=_say_undecided)
@click.option(
    "--backward",
    is_flag=True,
    help="Distances to the goal: walking back from it, or where that cannot be done, of all that the start leads to.",
)
@click.option(
    "--engine",
    "counted_by",
    type=Choice(ENGINES),
    default="auto",
    help="naive: one by one; compiled: on arrays; dask: on arrays in --store, by workers of a cluster; auto: as suits "
    "the problem and its size.",
)
@store_options
@click.option("--workers", type=Whole(1), metavar="N", help="With dask: N workers on this machine.")
@click.option(
    "--scheduler", metavar="ADDRESS", help="With dask: the workers of this scheduler, such as tcp://10.0.0.1:8786."
)
@report_options(_FORMS, "Also write the counts, or a picture, to this file.")
@click.option("--quiet", is_flag=True, help="Show no progress.")
def command(
    asked: Asked,
    backward: bool,
    counted_by: str,
    workers: int | None,
    scheduler: str | None,
    form: str | None,
    output: Path | None,
) -> int:
    """Count the states of PROBLEM, or the beliefs, at each distance from the start.

    States are counted where the player sees them, and otherwise beliefs; of what is equivalent, one. Distances are
    numbers of actions. What chance makes unlikely is counted all the same.

    With --backward it is the distance to the goal. Where the puzzle can be walked backwards, that is counted from which
    there is a way to the goal; elsewhere what can be reached from the start, and how much of it is cut off from the
    goal.

    With --store DIR everything is kept in files, so that there may be more than memory holds; --memory-limit says how
    much of that is taken. It can be killed at any moment, and --resume goes on.

    Exit code 0: everything is counted; 3: a limit was reached, or Ctrl-C ended it, and the counts are those of the
    distances that were finished.
    """
    form = form_to_write(form, output, _FORMS, asked.inputs())
    asked.spare_store(output)
    if form == "json":
        asked.check_can_be_saved()
    asked.refuse("explore with", {"backward": backward})
    request = ExploreRequest(backward, counted_by, workers=workers, scheduler=scheduler)
    with ExploreProgress(asked.search.quiet) as progress:
        found = explore_within(asked.problem, request, Run(asked.budget, progress, asked.store))
    empty = form in PICTURES and not found.layers
    exploration_report(asked, found).write("text" if empty else form, None if empty else output)
    if empty:
        message("no picture was written: nothing is counted")
    elif output is not None:
        message(f"{output}: the counts, {form}")
    elif form == "csv" and found.reason is not None:
        message(f"undecided, {found.reason}")
    if found.layers and not found.complete and asked.store is not None:
        message(
            f"{str(asked.store.directory)!r} holds what was counted; the same command with --resume goes on from there"
        )
    return SOLVED if found.complete else UNDECIDED
