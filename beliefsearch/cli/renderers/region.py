"""`export --region`: the winning region, as a file that `verify` checks or as a graph."""

from __future__ import annotations

import json
from pathlib import Path

from ...graph.graph_files import FORMATS, GraphFile
from ...graph.stream import as_stream
from ...graph.winning_region_graph import region_graph
from ...planner.region import find_region
from ...plans.plan_writer import plan_document
from ...plans.wording import plural
from ...running.alarm import doing
from .. import SOLVED
from ..output import check_writable, message, write_file
from ..search_options import SearchOptions
from ..selected_problem import Chosen

GRAPHS = tuple(name for name in FORMATS if name != "json")
"""The formats in which the region is written as a graph; as json it is the file that `verify` checks."""


def export_region(chosen: Chosen, search: SearchOptions, form: str, output: Path) -> int:
    """Find the winning region and write it."""
    check_writable(output, chosen.inputs())
    chosen.require("find a winning region")
    chosen.check_can_be_saved()
    problem, budget = chosen.problem, chosen.budget
    region = doing("the winning region was being found", budget, lambda: find_region(problem, search.engine, budget))
    if form in GRAPHS:
        graph = doing("the graph was being made", budget, lambda: region_graph(problem, region))
        graph.graph["problem"] = chosen.title
        write_file(output, GraphFile(as_stream(graph), form))
    else:
        document = plan_document(
            region,
            problem,
            name=chosen.name,
            parameters=chosen.parameters,
            blindfold=chosen.blindfold,
            data_files=chosen.data_files,
            belief=chosen.belief,
        )
        write_file(output, json.dumps(chosen.as_saved(document, output)) + "\n")
    start = "the start is none of them" if region.start is None else "the start is one of them"
    size = f"{plural(len(region), 'belief')} and {plural(sum(map(len, region.safe)), 'safe action')}"
    message(f"{output}: {size}, {form}; {start}")
    return SOLVED
