"""Exports beside graphs and pictures: pages, winning regions, and certificates as tables."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...errors import BeliefSearchError, InvalidProofError
from ...graph.graph_files import FORMATS, GraphFile
from ...kinds import Kind
from ...model.canvas.drawing import Drawing
from ...plans.drawings.parts import drawing_png, require_resvg
from ...plans.wording import number_order, plural
from ...running.alarm import doing
from .. import DOES_NOT_HOLD, SOLVED, UNDECIDED
from ..output import check_writable, message, write_file
from ..plan_source import budget_after, code_of_plan, document_from_file, plan_from_file, solve_selected
from ..selected_problem import Asked
from .plan import Answer
from .text import PICTURES, state_texts

if TYPE_CHECKING:
    from ...planner.region import WinnableBeliefs
    from ...plans.plan_writer import Proof


def page_text(asked: Asked, *, no_plan: bool, max_nodes: int | None) -> str:
    """Return the page; if it is not known whether there is a plan, say so and end the command."""
    from ...graph.build import has_start
    from ...graph.page.build import made_page

    if asked.plan_file is not None and no_plan:
        raise BeliefSearchError("--plan is the plan that the page shows; it does not go with --no-plan")
    problem: Any = asked.problem
    if not has_start(problem):
        problem.initial_state()  # which says how to give one
    answer: Any = None
    budget = asked.budget
    if asked.plan_file is not None:
        answer = plan_from_file(asked.plan_file, asked)
        if code_of_plan(asked, answer, budget) != SOLVED:
            raise click.exceptions.Exit(DOES_NOT_HOLD)
    elif not no_plan:
        found = solve_selected(asked)
        if found.code == UNDECIDED:
            none = "; --no-plan makes the page without searching for a plan"
            message(f"{found.heading()}{none if found.plan is None else '; the page has the best policy so far'}")
            if found.plan is None:
                raise click.exceptions.Exit(UNDECIDED)
        answer, budget = found.value, budget_after(found)
    return doing(
        "the page was being made; --max-nodes makes a smaller one",
        budget,
        lambda: made_page(problem, answer, budget, title=asked.title, max_nodes=max_nodes),
    )


def export_region(asked: Asked, form: str | None, output: Path) -> int:
    """Find the winning region and write it; of a game against an adversary whom nobody sees, what wins for certain."""
    from ...graph.and_or_graph import region_graph
    from ...planner.region import find_region

    if asked.kind is Kind.SENSORLESS and (form in PICTURES or asked.problem.has_adversary()):
        return _export_winnable(asked, form, output)
    if form is None or form not in FORMATS:
        raise BeliefSearchError(f"a winning region is written as --format {', '.join(FORMATS)}; choose one of these")
    check_writable(output, asked.inputs())
    asked.require("find a winning region")
    asked.check_can_be_saved()
    problem, budget = asked.problem, asked.budget
    find = partial(find_region, problem, asked.search.request.options["engine"], budget)
    region = doing("the winning region was being found", budget, find)
    if form != "json":
        graph = doing("the graph was being made", budget, lambda: region_graph(problem, region))
        graph.graph["problem"] = asked.title
        write_file(output, GraphFile(graph, form))
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
    from ...planner.region import find_winnable

    if form not in ("json", *PICTURES):
        raise BeliefSearchError("the largest winnable beliefs are written as --format json, svg or png; choose one")
    check_writable(output, asked.inputs())
    if form == "png":
        require_resvg()
    problem, tick = asked.problem, asked.budget.tick
    found = doing("winnable beliefs were being found", asked.budget, lambda: find_winnable(problem, tick))
    if form == "json":
        beliefs = (state_texts(problem, belief) for belief in found.beliefs)
        pairs = zip(beliefs, found.moves, strict=True)
        rows: list[Any] = [{"states": states, "moves": moves} for states, moves in pairs]
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
        order = sorted(belief, key=lambda state: number_order(problem.format_state(state)))
        for column, state in enumerate(order[:_MOST_DRAWN]):
            one = problem.svg_state(state)
            scale = _SIDE / max(one.width, one.height)
            drawing.place(one, 32 + column * (_SIDE + 2), y, scale=scale)
    return drawing


def game_path(certificate: Path | None) -> Path:
    """The file of the listed game beside a certificate; an error if that has no name, or is compressed."""
    if certificate is None:
        raise BeliefSearchError("--format game writes two files; say --certificate FILE")
    if certificate.suffix == ".gz":
        raise BeliefSearchError(f"{str(certificate)!r}: tables are not compressed; take a name without .gz")
    return certificate.with_suffix(".game.json")


def list_game(asked: Asked) -> Any:
    """The game in numbers; an error if it is too large for that."""
    from ...proofs.game_documents import listed_game

    return doing("the game was being listed", asked.budget, lambda: listed_game(asked.problem, asked.budget.tick))


def write_tables(answer: Answer, proof: Proof[Any], path: Path) -> int:
    """Write a certificate as tables, and the game; the exit code says whether there are any."""
    document = json.loads(json.dumps(answer.document(proof.data)))
    return _write_both(answer.asked.anew(), document, game_path(path), path)


def rewrite_tables(asked: Asked, plan_file: Path, game: Path) -> int:
    """Write the certificate in a plan file as tables, NAME.certificate.json, and the game beside it."""
    certificate = game.with_suffix(".certificate.json")
    check_writable(certificate, (*asked.inputs(), game))
    return _write_both(asked, document_from_file(plan_file, asked), game, certificate)


def _write_both(asked: Asked, document: Any, game: Path, certificate: Path) -> int:
    from ...proofs.game_documents import game_document
    from ...proofs.tables import tables_of

    budget = asked.budget
    try:
        listed, tables = doing("hints were looked for", budget, lambda: tables_of(asked.problem, document, budget.tick))
    except InvalidProofError as error:
        message(f"no tables were written: {error}")
        return UNDECIDED
    sizes = []
    for name, data in ((game, game_document(listed)), (certificate, tables)):
        text = json.dumps({**data, "title": asked.title}, separators=(",", ":"))
        write_file(name, f"{text}\n")
        sizes.append(f"{name}, {len(text) / 1000:,.1f} kB")
    kinds = " and ".join(table["kind"] for table in tables["tables"])
    message(f"the game: {sizes[0]}; the tables {kinds}: {sizes[1]}; `verify --game` and any other checker check them")
    return 0
