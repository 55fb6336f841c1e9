"""`beliefsearch export`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..budget import Budget
from ..conditional_plan import ConditionalPlan
from ..errors import BeliefSearchError, ProblemError
from ..problem import BeliefProblem, Problem
from . import SOLVED, UNDECIDED
from .chance_pictures import export_chance, picture_options
from .output import check_writable, message, write_file
from .problem_command import Chosen, ProblemCommand
from .search_options import SearchOptions, search_options

__all__ = ["command"]

_SUFFIXES = {".graphml": "graphml", ".gexf": "gexf", ".dot": "dot", ".gv": "dot", ".json": "json"}


@click.command("export", cls=ProblemCommand, startless=True)
@search_options
@click.option(
    "--format",
    "form",
    type=click.Choice(["graphml", "gexf", "dot", "json", "png", "svg"]),
    help="By default what the name of the file says.",
)
@click.option("--output", type=click.Path(path_type=Path), required=True, help="The file to write.")
@click.option("--no-plan", is_flag=True, help="Search for no plan, and mark none in the graph.")
@click.option("--max-nodes", type=click.IntRange(1), help="Stop after so many nodes.")
@click.option("--all", "all_states", is_flag=True, help="The graph of every possible start of a plain problem.")
@picture_options
def command(
    chosen: Chosen,
    search: SearchOptions,
    form: str | None,
    output: Path,
    no_plan: bool,
    max_nodes: int | None,
    all_states: bool,
    pictures: dict[str, Any],
) -> int:
    """Write the graph that a solver searches: beliefs, or the states of a plain problem. Or a picture.

    Where there are percepts it is the graph of the conditional plan, or with --no-plan that of all beliefs.

    Every node carries members, size, g, goal and on_plan; every edge its action, its cost and on_plan. Goals
    have no outgoing edges. Exit code 3: a limit was reached, and the graph is not complete.
    """
    from ..budget import hard_memory_limit
    from ..graph.build import search_graph
    from ..graph.formats import graph_text
    from ..solution import Status
    from ..solving import view_of
    from ..wording import plural
    from .report import verdict_text

    if chosen.by_chance or any(value is not None for value in pictures.values()):
        return export_chance(chosen, search, form, output, pictures)
    form = form or _SUFFIXES.get(output.suffix)
    if form is None or form in ("png", "svg"):
        raise BeliefSearchError(f"the name {output.name!r} tells no format; say --format graphml, gexf, dot or json")
    check_writable(output)
    problem = chosen.problem
    plan, roots = None, None
    if not all_states and isinstance(problem, Problem) and not _has_start(problem):
        message("no start was given, so this is the graph of every possible start")
        all_states = True
    budget = Budget(search.limits())  # of the search and of the walk together
    if all_states:
        if not isinstance(problem, Problem):
            raise BeliefSearchError(f"{chosen.reference} starts from one belief; --all is for plain problems")
        roots = problem.possible_starts()
    elif not no_plan:
        result = search.solve(chosen)
        if result.status is Status.UNDECIDED:
            message(f"{verdict_text(chosen, result)}; --no-plan writes the graph without searching for a plan")
            return UNDECIDED
        plan = result.plan
    try:
        with hard_memory_limit(search.memory_limit):
            if isinstance(problem, BeliefProblem) and not problem.is_sensorless():
                graph = _contingent_graph(problem, plan, max_nodes, budget)
            else:
                assert not isinstance(plan, ConditionalPlan), "nothing is perceived"
                view = view_of(problem, engine=search.engine, budget=budget)
                graph = search_graph(view, plan, roots=roots, max_nodes=max_nodes, budget=budget)
            graph.graph["problem"] = chosen.title
            text = graph_text(graph, form)
    except MemoryError:
        raise BeliefSearchError("memory ran out while the file was made; --max-nodes makes a smaller graph") from None
    write_file(output, text)
    size = f"{plural(graph.number_of_nodes(), 'node')}, {plural(graph.number_of_edges(), 'edge')}"
    message(f"{output}: {size}, {form}")
    if not graph.graph["complete"]:
        message(f"the graph is not complete: {graph.graph['stopped']}")
        return UNDECIDED
    return SOLVED


def _contingent_graph(problem: BeliefProblem[Any, Any, Any], plan: Any, max_nodes: int | None, budget: Budget) -> Any:
    """The conditional plan, or, if there is none, everything that one could be chosen from."""
    from ..engine.bitset_contingent_view import BitsetContingentView
    from ..graph.contingent import and_or_graph, conditional_plan_graph

    view: BitsetContingentView[Any, Any] = BitsetContingentView(problem, budget.tick)
    if plan is None:
        return and_or_graph(view, max_nodes=max_nodes, budget=budget)
    return conditional_plan_graph(view, plan)


def _has_start(problem: Problem[Any, Any]) -> bool:
    try:
        problem.initial_state()
    except ProblemError:
        return False
    return True
