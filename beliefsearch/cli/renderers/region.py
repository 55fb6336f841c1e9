"""`export --region`: the winning region, as a file that `verify` checks or as a graph."""

from __future__ import annotations

import json
from pathlib import Path

from ...errors import BeliefSearchError
from ...graph.graph_files import FORMATS, GraphFile
from ...graph.stream import as_stream
from ...graph.winning_region_graph import region_graph
from ...planner.region import find_region
from ...plans.wording import plural
from ...running.alarm import doing
from .. import SOLVED
from ..output import check_writable, message, write_file
from ..selected_problem import Asked


def export_region(asked: Asked, form: str | None, output: Path) -> int:
    """Find the winning region and write it."""
    if form is None or form not in FORMATS:
        raise BeliefSearchError(f"a winning region is written as --format {', '.join(FORMATS)}; choose one of these")
    check_writable(output, asked.inputs())
    asked.require("find a winning region")
    asked.check_can_be_saved()
    problem, budget = asked.problem, asked.budget
    region = doing(
        "the winning region was being found", budget, lambda: find_region(problem, asked.search.engine, budget)
    )
    if form != "json":
        graph = doing("the graph was being made", budget, lambda: region_graph(problem, region))
        graph.graph["problem"] = asked.title
        write_file(output, GraphFile(as_stream(graph), form))
    else:
        write_file(output, json.dumps(asked.as_saved(asked.plan_document(region), output)) + "\n")
    start = "the start is none of them" if region.start is None else "the start is one of them"
    size = f"{plural(len(region), 'belief')} and {plural(sum(map(len, region.safe)), 'safe action')}"
    message(f"{output}: {size}, {form}; {start}")
    return SOLVED
