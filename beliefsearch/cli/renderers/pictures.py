"""Pictures that `export` writes: drawings of plans, heat maps of policies, and the value against a parameter."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import click
from attrs import evolve

from ...errors import BeliefSearchError, ProblemError
from ...graph.plots.drawings import draw_plan
from ...graph.plots.policy_charts import PICTURE_FORMATS, PICTURES, picture_bytes, require_matplotlib, sweep_picture
from ...model.canvas.drawing import Drawing
from ...model.checked import checked_plot_labels
from ...planner.options import SearchRequest
from ...planner.solve import answer
from ...plans.drawings.parts import drawing_png, require_resvg
from ...plans.encoding import number_to_json
from ...plugins.options import make_problem, options_of
from ...running.alarm import doing
from ...running.limits import Budget
from ...running.run import Run
from .. import SOLVED, UNDECIDED
from ..commands.sweep import values_between
from ..options import Choice, Whole, with_options
from ..output import check_writable, emit, message, write_file
from ..plan_source import check_solver, code_of_plan, distances, plan_or_exit
from ..progress import Progress
from ..selected_problem import Asked

_MOST_STEPS = 100_000

_OPTIONS = (
    click.option(
        "--picture",
        type=Choice([*PICTURES, "sweep"]),
        help="Of a stochastic problem: the value of each state, its best action, or the value of the game against a "
        "parameter; as png or svg, a sweep also as json.",
    ),
    click.option("--vary", metavar="OPTION", help="Of a sweep: the problem's option that varies, such as p-a."),
    click.option("--from", "sweep_from", metavar="NUMBER", help="Of a sweep: its first value."),
    click.option("--to", "sweep_to", metavar="NUMBER", help="Of a sweep: its last value."),
    click.option("--steps", type=Whole(2, _MOST_STEPS), help="Of a sweep: how many values; by default 101."),
)


def picture_options(callback: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the picture options."""
    return with_options(callback, *_OPTIONS)


def export_picture(asked: Asked, form: str | None, output: Path, pictures: dict[str, Any]) -> int:
    """Write the picture that `pictures` names; by default the values of the states."""
    picture = pictures["picture"] or ("sweep" if pictures["vary"] else "value")
    allowed = (*PICTURE_FORMATS, "json") if picture == "sweep" else PICTURE_FORMATS
    if form is None and output.suffix[1:] in (*PICTURE_FORMATS, "json"):
        form = output.suffix[1:]
    if form is None or form not in allowed:
        given = f"the format {form}" if form else f"the name {output.name!r}"
        raise BeliefSearchError(f"{given} does not fit this picture; say --format {' or '.join(allowed)}")
    check_writable(output, asked.inputs())
    if form != "json":
        require_matplotlib()
    if picture == "sweep":
        return _export_sweep(asked, form, output, pictures)
    for option, value in (("--vary", "vary"), ("--from", "sweep_from"), ("--to", "sweep_to"), ("--steps", "steps")):
        if pictures[value] is not None:
            raise BeliefSearchError(f"{option} goes with --picture sweep")
    figure = PICTURES[picture](asked.problem, plan_or_exit(evolve(asked, plan_file=None))[0], asked.title)
    write_file(output, picture_bytes(figure, form))
    message(f"{output}: {picture}, {form}")
    return SOLVED


def _export_sweep(asked: Asked, form: str, output: Path, pictures: dict[str, Any]) -> int:
    points: list[tuple[Fraction, Any]] = []
    check_solver(asked)
    with Progress(asked.search.quiet) as progress:
        run = Run(asked.budget, progress)  # of all the searches together
        for place, written in _sweep(asked, pictures):
            option = f"--{pictures['vary']} {written}"
            try:
                problem: Any = make_problem(type(asked.problem), {**asked.written, pictures["vary"]: written})
            except ProblemError as error:
                raise BeliefSearchError(f"{option}: {error}") from error
            result = answer(problem, SearchRequest(asked.search.request.solver), run, None)
            if result.value is None:
                emit(f"{asked.title}: undecided at {option}, {result.reason}; nothing was written")
                return UNDECIDED
            points.append((place, result.value))
    if form == "json":
        listed: list[Any] = [
            [int(place) if place.denominator == 1 else float(place), number_to_json(value)] for place, value in points
        ]
        document = asked.document({"vary": pictures["vary"], "points": listed})
        write_file(output, json.dumps(asked.as_saved(document, output)) + "\n")
    else:
        curve = [(float(place), float(value)) for place, value in points]
        label = checked_plot_labels(problem)[2]
        write_file(output, picture_bytes(sweep_picture(curve, asked.title, pictures["vary"], label), form))
    message(f"{output}: sweep, {len(points):,} values of {pictures['vary']}, {form}")
    return SOLVED


def _sweep(asked: Asked, pictures: dict[str, Any]) -> list[tuple[Fraction, object]]:
    """Return the values of the parameter, as fractions and as written for its option."""
    options = {option.name: option for option in options_of(type(asked.problem))}
    option = options.get(str(pictures["vary"]).removeprefix("--").replace("_", "-"))
    if option is None or option.kind is bool or option.choices:
        numbers = [name for name, known in options.items() if known.kind in (int, float, Fraction)]
        there = ", ".join(numbers) or "none"
        raise BeliefSearchError(f"say with --vary which option varies; {asked.reference} has {there}")
    pictures["vary"] = option.name
    ends = []
    for name in ("from", "to"):
        try:
            ends.append(Fraction(str(pictures[f"sweep_{name}"])))
        except (ValueError, ZeroDivisionError):
            raise BeliefSearchError(f"say with --{name} a number such as 0.5 or 1/2") from None
    first, last = ends
    steps = pictures["steps"] or (int(abs(last - first)) + 1 if option.kind is int else 101)
    if steps > _MOST_STEPS or first == last:
        raise BeliefSearchError(f"a sweep goes from one value to another in at most {_MOST_STEPS:,} steps")
    try:
        return values_between(option, first, last, abs(last - first) / (steps - 1))
    except ValueError as error:
        raise BeliefSearchError(f"--{option.name}: {error} (--from, --to and --steps)") from None


def export_drawing(asked: Asked, form: str, output: Path) -> int:
    """Write the drawing of the plan, which a search finds or a file holds."""
    _check_drawing(asked, form, output)
    plan, budget = plan_or_exit(asked)
    draw = partial(draw_plan, asked.problem, plan, title=asked.title)
    _write_drawing(asked, form, output, budget, "the answer to", draw)
    return code_of_plan(asked, plan, budget)


def export_graph_drawing(asked: Asked, form: str, output: Path, max_nodes: int | None) -> int:
    """Write the drawing of the graph of beliefs."""
    from ...graph.plots.drawings import draw_graph
    from ...plans.drawings.cards import MOST_CARDS

    asked.require("graph of beliefs")
    _check_drawing(asked, form, output)
    draw = partial(draw_graph, asked.problem, asked.budget, asked.title, most=max_nodes or MOST_CARDS)
    return _write_drawing(asked, form, output, asked.budget, "the graph of", draw)


def export_tree_drawing(asked: Asked, form: str, output: Path) -> int:
    """Write the drawing of the tree of a search backwards."""
    from ...graph.plots.drawings import draw_tree
    from ...graph.search_graph import TreeStream

    _check_drawing(asked, form, output)
    table = distances(asked, "--tree")
    tree = TreeStream(asked.problem, table)
    return _write_drawing(asked, form, output, asked.budget, "the tree of", partial(draw_tree, tree))


def _check_drawing(asked: Asked, form: str, output: Path) -> None:
    check_writable(output, asked.inputs())
    if form == "png":
        require_resvg()


def _write_drawing(
    asked: Asked, form: str, output: Path, budget: Budget, what: str, draw: Callable[[], Drawing]
) -> int:
    def drawn() -> str | bytes:
        drawing = draw()
        return drawing_png(drawing) if form == "png" else drawing.svg(width=drawing.width) + "\n"

    write_file(output, doing("it was being drawn", budget, drawn))
    message(f"{output}: {what} {asked.title}, {form}")
    return SOLVED
