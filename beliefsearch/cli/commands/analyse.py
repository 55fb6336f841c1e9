"""`beliefsearch analyse`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ...running.alarm import doing
from .. import SOLVED, UNDECIDED
from ..options import Whole, report_options
from ..output import form_to_write
from ..problem_command import ProblemCommand
from ..renderers.exploration import analysis_report
from ..selected_problem import Asked

_FORMS = ("text", "json", "csv")


@click.command("analyse", cls=ProblemCommand)
@click.option("--max-nodes", type=Whole(1), metavar="N", help="Stop after N nodes.")
@report_options(_FORMS, "Write the result to this file.")
def command(asked: Asked, max_nodes: int | None, form: str | None, output: Path | None) -> int:
    """Count what there is in the graph of PROBLEM's beliefs, which `export` writes.

    Beliefs by their distance from the start and by their size; from how many a plan is sure to win, and which of these
    lie in no other; how many contain another one that is reached as cheaply. Where neither percepts nor chance decide
    what follows: the number of plans of least cost, and the beliefs that all of them come through.

    Exit code 3: a limit was reached, and the graph is not complete.
    """
    from ...graph.analysis import analyse
    from ...graph.build import searched_beliefs

    form = form_to_write(form, output, _FORMS, asked.inputs())
    asked.require("graph of beliefs")

    problem, budget = asked.problem, asked.budget
    walked = doing("the graph was being made", budget, lambda: searched_beliefs(problem, budget, max_nodes))

    def found() -> tuple[Any, Any]:
        graph = walked.networkx()
        return graph, analyse(graph)

    # What there is when a limit ends the walk is worth looking at: that may take as long again.
    what = "the graph was being looked at; --max-nodes makes a smaller one"
    graph, analysis = doing(what, asked.anew().budget, found)
    analysis_report(asked, graph, analysis).write(form, output)
    return UNDECIDED if analysis.stopped else SOLVED
