"""`export` as png or svg: the plan or the policy, drawn as the puzzle draws its states and actions."""

from __future__ import annotations

from pathlib import Path

from ...drawings.raster import drawing_png, require_resvg
from ...graph.draw import draw_plan
from ...model.hooks import PlotHook
from ...running.alarm import doing
from .. import SOLVED
from ..chosen import Chosen
from ..output import check_writable, message, write_file
from ..search_options import SearchOptions
from .registry import ANSWERS


def is_drawn(chosen: Chosen) -> bool:
    """Whether the picture of an answer is drawn, unless another one is asked for: no states lie in the plane."""
    return not isinstance(chosen.problem, PlotHook)


def export_drawing(chosen: Chosen, search: SearchOptions, plan_file: Path | None, form: str, output: Path) -> int:
    """Write the drawing of the plan, which is searched for or comes from a file."""
    check_writable(output, chosen.inputs())
    if form == "png":
        require_resvg()
    plan = ANSWERS[chosen.kind].plan(chosen, search, plan_file)

    def draw() -> str | bytes:
        drawing = draw_plan(chosen.problem, plan, title=chosen.title)
        return drawing_png(drawing) if form == "png" else drawing.svg(width=drawing.width) + "\n"

    write_file(output, doing("the plan was being drawn", chosen.budget, draw))
    message(f"{output}: the answer to {chosen.title}, {form}")
    return SOLVED
