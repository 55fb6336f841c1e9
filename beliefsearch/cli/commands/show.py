"""`beliefsearch show`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ...errors import BeliefSearchError
from ...graph.plots.policy_charts import PICTURE_FORMATS, require_matplotlib
from ...running.alarm import doing
from ...running.limits import Budget
from .. import SOLVED
from ..options import FILE, Whole
from ..output import check_writable, emit_lines, message, terminal_width, write_file
from ..plan_source import answer_class, code_of_plan, plan_option, plan_or_exit
from ..problem_command import ProblemCommand
from ..search_options import search_options
from ..selected_problem import Asked
from ..state_report import debug_lines


@click.command("show", cls=ProblemCommand)
@search_options
@plan_option
@click.option("--width", type=Whole(40), help="Width in columns; by default the terminal's, or 100.")
@click.option("--all", "everything", is_flag=True, help="Of a stochastic problem: all states, not only the first.")
@click.option(
    "--output",
    type=FILE,
    help="Also write a picture of the beliefs, as .png or .svg; of a stochastic problem the table of all states, as "
    ".csv or .json.",
)
@click.option(
    "--debug",
    is_flag=True,
    help="For authors: no plan, but one state and all that is said of it: actions, results, percepts, broken rules. "
    "(For the traceback of an error: `beliefsearch --debug show`.)",
)
@click.option("--at", metavar="STATE", multiple=True, help="With --debug: the state to look at; by default each start.")
def command(
    asked: Asked, width: int | None, everything: bool, output: Path | None, debug: bool, at: tuple[str, ...]
) -> int:
    """Show the belief after every action of a plan for PROBLEM, as a table.

    Each state has a column of its own, which is blank where that state is no longer possible. A table
    that would be too wide has its states written downwards; one that would still be too wide gives the
    number of states and some of them. A plan that branches on percepts has a line for each step instead.

    Of a stochastic problem it shows what the policy does in each state, the value of the state, which action is
    second best, what that is worth, and by how much less.

    With --debug it searches for nothing, and shows what the author's methods say of one state.
    """
    if debug:
        plays_no_part = {"--plan": asked.plan_file, "--all": everything or None, "--output": output, "--width": width}
        for option, given in plays_no_part.items():
            if given is not None:
                raise BeliefSearchError(f"--debug looks at states, and {option} plays no part in that; leave it out")
        lines = debug_lines(asked, at)
        doing("the state was being looked at", asked.budget, lambda: emit_lines(lines))
        return SOLVED
    if at:
        raise BeliefSearchError("--at says which state --debug looks at; give --debug, too")
    picture = output if output is not None and output.suffix[1:] in PICTURE_FORMATS else None
    if picture is not None:
        asked.require("picture of beliefs")
        output = None
    asked.refuse("show with", {"all": everything, "output": output is not None})
    if output is not None and output.suffix not in (".csv", ".json"):
        raise BeliefSearchError(f"the name {output.name!r} tells no format; a table is written as .csv or .json")
    check_writable(picture or output, asked.inputs())
    if picture is not None:
        require_matplotlib()
    plan, budget = plan_or_exit(asked)
    if picture is not None:
        _write_picture(asked, plan, budget, picture)
    table = answer_class(asked.kind).table(asked, plan, width or terminal_width(), output, everything=everything)
    doing("it was being shown", budget, lambda: emit_lines(table))
    return code_of_plan(asked, plan, budget)


def _write_picture(asked: Asked, plan: Any, budget: Budget, output: Path) -> None:
    """Write which states are possible after each action, and how many."""
    from ...graph.plots.plan_charts import beliefs_picture
    from ...graph.plots.policy_charts import picture_bytes

    form = output.suffix[1:]

    def draw() -> bytes:
        return picture_bytes(beliefs_picture(asked.problem, plan, asked.title), form)

    write_file(output, doing("the picture was being drawn", budget, draw))
    message(f"{output}: beliefs, {form}")
