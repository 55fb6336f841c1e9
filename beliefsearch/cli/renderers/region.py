"""`export --region`: the winning region, as a file that `verify` checks or as a graph; the largest winnable beliefs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import BeliefSearchError
from ...graph.graph_files import FORMATS, GraphFile
from ...graph.stream import as_stream
from ...graph.winning_region_graph import region_graph
from ...kinds import Kind
from ...model.canvas.drawing import Drawing
from ...planner.region import find_region
from ...plans.drawings.parts import drawing_png, require_resvg
from ...plans.wording import plural
from ...running.alarm import doing
from .. import SOLVED
from ..output import check_writable, message, write_file
from ..selected_problem import Asked
from .text import PICTURES

if TYPE_CHECKING:
    from ...planner.winnable import WinnableBeliefs


def export_region(asked: Asked, form: str | None, output: Path) -> int:
    """Find the winning region and write it; of a game against an adversary whom nobody sees, what wins for certain."""
    if asked.kind is Kind.SENSORLESS and (form in PICTURES or asked.problem.has_adversary()):
        return _export_winnable(asked, form, output)
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


_MOST_DRAWN = 24  # states of a belief, and beliefs
_SIDE = 22.0


def _export_winnable(asked: Asked, form: str | None, output: Path) -> int:
    """Write the maximal beliefs from which a sensorless player wins, as JSON or as a picture."""
    from ...planner.winnable import find_winnable

    if form not in ("json", *PICTURES):
        raise BeliefSearchError("the largest winnable beliefs are written as --format json, svg or png; choose one")
    check_writable(output, asked.inputs())
    if form == "png":
        require_resvg()
    problem, tick = asked.problem, asked.budget.tick
    found = doing("winnable beliefs were being found", asked.budget, lambda: find_winnable(problem, tick))
    if form == "json":
        beliefs = [sorted(problem.format_state(state) for state in belief) for belief in found.beliefs]
        rows: list[Any] = [
            {"states": states, "moves": moves} for states, moves in zip(beliefs, found.moves, strict=True)
        ]
        content: str | bytes = json.dumps(asked.document({"winnable": rows, "start": found.start})) + "\n"
    elif form == "png":
        content = drawing_png(_picture(problem, found))
    else:
        content = _picture(problem, found).svg(label=f"{asked.title}: the largest winnable beliefs")
    write_file(output, content)
    start = "the start lies in none of them" if found.start is None else "the start lies in one of them"
    message(f"{output}: {plural(len(found), 'maximal winnable belief')}, {form}; {start}")
    return SOLVED


def _picture(problem: Any, found: WinnableBeliefs[Any]) -> Drawing:
    """A row for each belief: in how many moves it is won, and its states."""
    rows = list(zip(found.beliefs, found.moves, strict=True))[:_MOST_DRAWN]
    columns = max((min(len(belief), _MOST_DRAWN) for belief, _ in rows), default=1)
    drawing = Drawing(34 + columns * (_SIDE + 2), 4 + max(1, len(rows)) * (_SIDE + 4))
    for row, (belief, moves) in enumerate(rows):
        y = 4 + row * (_SIDE + 4)
        drawing.text(16, y + 9, plural(moves, "move"), size=5, fill="ink", bold=True)
        drawing.text(16, y + 16, plural(len(belief), "state"), size=4, fill="soft")
        for column, state in enumerate(sorted(belief, key=problem.format_state)[:_MOST_DRAWN]):
            one = problem.svg_state(state)
            scale = _SIDE / max(one.width, one.height)
            drawing.place(one, 32 + column * (_SIDE + 2), y, scale=scale)
    return drawing
