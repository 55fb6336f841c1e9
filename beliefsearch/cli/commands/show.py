"""`beliefsearch show`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ...errors import BeliefSearchError
from ...graph.pictures import PICTURE_FORMATS, require_matplotlib
from ...running.alarm import doing
from .. import SOLVED
from ..answers.registry import ANSWERS
from ..chosen import Chosen
from ..output import check_writable, emit_lines, message, terminal_width, write_file
from ..plans import plan_option
from ..problem_command import ProblemCommand
from ..search_options import SearchOptions, search_options


@click.command("show", cls=ProblemCommand)
@search_options
@plan_option
@click.option("--width", type=click.IntRange(40), help="Width in columns; by default the terminal's, or 100.")
@click.option("--all", "everything", is_flag=True, help="Of a stochastic problem: all states, not only the first.")
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    help="Also write a picture of the beliefs, as .png or .svg; of a stochastic problem the table of all states, as "
    ".csv or .json.",
)
def command(
    chosen: Chosen,
    search: SearchOptions,
    plan_file: Path | None,
    width: int | None,
    everything: bool,
    output: Path | None,
) -> int:
    """Show the belief after every action of a plan for PROBLEM, as a table.

    Each state has a column of its own, which is blank where that state is no longer possible. A table
    that would be too wide has its states written downwards; one that would still be too wide gives the
    number of states and some of them. A plan that branches on percepts has a line for each step instead.

    Of a stochastic problem it shows what the policy does in each state, the value of the state, which action is
    second best, what that is worth, and by how much less.
    """
    picture = output if output is not None and output.suffix[1:] in PICTURE_FORMATS else None
    if picture is not None:
        chosen.require("picture of beliefs")
        output = None
    chosen.refuse("show with", {"--all": everything, "--output": output is not None})
    if output is not None and output.suffix not in (".csv", ".json"):
        raise BeliefSearchError(f"the name {output.name!r} tells no format; a table is written as .csv or .json")
    check_writable(picture or output)
    if picture is not None:
        require_matplotlib()
    answers = ANSWERS[chosen.kind]
    plan = answers.plan(chosen, search, plan_file)
    if picture is not None:
        _write_picture(chosen, plan, picture)
    lines = answers.table(chosen, plan, width or terminal_width(), output, everything=everything)
    doing("it was being shown", chosen.budget, lambda: emit_lines(lines))
    return SOLVED


def _write_picture(chosen: Chosen, plan: Any, output: Path) -> None:
    """Write which states are possible after each action, and how many."""
    from ...graph.pictures import picture_bytes
    from ...graph.plan_pictures import beliefs_picture

    form = output.suffix[1:]
    what = "the picture was being drawn"
    draw = lambda: picture_bytes(beliefs_picture(chosen.problem, plan, chosen.title), form)  # noqa: E731
    write_file(output, doing(what, chosen.budget, draw))
    message(f"{output}: beliefs, {form}")
