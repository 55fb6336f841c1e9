"""`beliefsearch export`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ...errors import BeliefSearchError, ProblemError
from ...model.hooks import ArrayHook, ReversibleProblem
from ...model.problem import BeliefProblem, Problem
from ...plans.plan import ConditionalPlan
from ...running.limits import Budget
from .. import SOLVED, UNDECIDED
from ..answers.policy_pictures import export_chance, picture_options
from ..chosen import Chosen
from ..limits import doing
from ..output import check_writable, message, write_file
from ..plans import plan_from_file, plan_option
from ..problem_command import ProblemCommand
from ..search_options import SearchOptions, search_options

__all__ = ["command"]

# Of more states than this, one action in all of them is worth arrays, unless there are more than can be explored.
_MANY, _TOO_MANY = 1000, 1_000_000
_SUFFIXES = {".graphml": "graphml", ".gexf": "gexf", ".dot": "dot", ".gv": "dot", ".json": "json"}


@click.command("export", cls=ProblemCommand, startless=True)
@search_options
@plan_option
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
@click.option(
    "--tree",
    is_flag=True,
    help="The tree of best first moves towards the goals, from every state that has a way there; for a problem that "
    "can be walked backwards.",
)
@picture_options
def command(
    chosen: Chosen,
    search: SearchOptions,
    plan_file: Path | None,
    form: str | None,
    output: Path,
    no_plan: bool,
    max_nodes: int | None,
    all_states: bool,
    tree: bool,
    pictures: dict[str, Any],
) -> int:
    """Write the graph that a solver searches: beliefs, or the states of a plain problem. Or a picture.

    Where there are percepts it is the graph of the conditional plan, or with --no-plan that of all beliefs.
    Of a stochastic problem it is that of all states, with their values and the best actions, or without them.

    With --tree it is the tree of a search backwards from the goals instead.

    Every node carries members, size, g, goal and on_plan; every edge its action, its cost and on_plan; where chance
    decides, nodes carry state, value, action and on_policy, and edges a probability. Goals have no outgoing edges.
    Exit code 3: a limit was reached, and the graph is not complete.
    """
    from ...engine.choose import view_of
    from ...graph.formats import graph_text
    from ...graph.search_graph import search_graph
    from ...plans.result import Status
    from ...plans.wording import plural
    from ..answers.report import verdict_text

    if tree:
        for option, is_given in {
            "--no-plan": no_plan,
            "--all": all_states,
            "--max-nodes": max_nodes is not None,
            "--picture": any(value is not None for value in pictures.values()),
        }.items():
            if is_given:
                raise BeliefSearchError(f"{option} does not go with --tree, which has every state and no plan")
        if not isinstance(chosen.problem, ReversibleProblem):
            raise BeliefSearchError(
                f"{chosen.reference} cannot be walked backwards, which --tree needs (see ReversibleProblem)"
            )
    # Of a stochastic problem json is a graph, unless a sweep was asked for.
    draw = any(value is not None for value in pictures.values())
    if draw or (chosen.by_chance and (form or output.suffix[1:]) in ("png", "svg")):
        for option, given in (("--all", all_states), ("--no-plan", no_plan), ("--max-nodes", max_nodes is not None)):
            if given:
                raise BeliefSearchError(f"{option} goes with graphs, and this is a picture")
        return export_chance(chosen, search, form, output, pictures)
    form = form or _SUFFIXES.get(output.suffix)
    if form is None or form in ("png", "svg"):
        forms = "graphml, gexf, dot, json, png or svg" if chosen.by_chance else "graphml, gexf, dot or json"
        raise BeliefSearchError(f"the name {output.name!r} tells no format; say --format {forms}")
    check_writable(output, chosen.inputs())
    if plan_file is not None and (no_plan or all_states or tree):
        raise BeliefSearchError("--plan marks a plan in a graph; leave --no-plan, --all and --tree out")
    if chosen.by_chance and all_states:
        raise BeliefSearchError(f"--all is for plain problems, and {chosen.reference} is none")
    problem: Any = chosen.problem
    plan: Any = None
    roots = None
    if not (tree or all_states) and isinstance(problem, Problem) and not _has_start(problem):
        message("no start was given, so this is the graph of every possible start")
        all_states = True
    budget = chosen.budget  # of the search and of the walk together
    if all_states:
        if not isinstance(problem, Problem):
            raise BeliefSearchError(f"{chosen.reference} starts from one belief; --all is for plain problems")
        roots = doing("the starts were being listed", budget, problem.possible_starts)
    elif chosen.by_chance:
        from ..answers.policy import policy_for

        plan = None if no_plan else policy_for(chosen, search, plan_file)
        if plan is None and not no_plan:
            return UNDECIDED
    elif plan_file is not None:
        plan = plan_from_file(plan_file, chosen)
    elif not (tree or no_plan):
        result = search.solve(chosen)
        if result.status is Status.UNDECIDED:
            message(f"{verdict_text(chosen, result)}; --no-plan writes the graph without searching for a plan")
            return UNDECIDED
        plan = result.plan

    def build() -> Any:
        if tree:
            return _tree(problem, search, budget)
        if chosen.by_chance:
            from ...graph.policy_graph import policy_graph

            return policy_graph(problem, plan, max_nodes=max_nodes, budget=budget)
        if not problem.is_sensorless():
            return _contingent_graph(problem, plan, max_nodes, budget)
        assert not isinstance(plan, ConditionalPlan), "nothing is perceived"
        view = view_of(problem, engine=_engine(problem, search.engine), budget=budget)
        return search_graph(view, plan, roots=roots, max_nodes=max_nodes, budget=budget)

    graph = doing("the graph was being made", budget, build)
    graph.graph["problem"] = chosen.title
    # What there is when a limit ends the walk is worth writing: that may take as long again.
    what = "the file was being written; --max-nodes makes a smaller graph"
    text = doing(what, Budget(search.limits()), lambda: graph_text(graph, form))
    write_file(output, text)
    size = f"{plural(graph.number_of_nodes(), 'node')}, {plural(graph.number_of_edges(), 'edge')}"
    message(f"{output}: {size}, {form}")
    if not graph.graph["complete"]:
        message(f"the graph is not complete: {graph.graph['stopped']}")
        return UNDECIDED
    return SOLVED


def _tree(problem: Any, search: SearchOptions, budget: Budget) -> Any:
    """The tree of one search backwards, with progress on standard error."""
    from ...graph.search_graph import tree_graph
    from ...solvers.path.distance_table import distance_table
    from ..progress import Progress

    with Progress(search.quiet) as progress:
        table = distance_table(problem, budget=budget, observer=progress)
    return tree_graph(problem, table)


def _contingent_graph(problem: BeliefProblem[Any, Any, Any], plan: Any, max_nodes: int | None, budget: Budget) -> Any:
    """The conditional plan, or, if there is none, everything that one could be chosen from."""
    from ...engine.bits.contingent_view import BitsetContingentView
    from ...graph.and_or_graph import and_or_graph, conditional_plan_graph

    view: BitsetContingentView[Any, Any] = BitsetContingentView(problem, budget.tick)
    if plan is None:
        return and_or_graph(view, max_nodes=max_nodes, budget=budget)
    return conditional_plan_graph(view, plan)


def _engine(problem: Any, asked: str) -> str:
    """The engine to walk with: where there are arrays of very many states, asking state by state takes minutes."""
    listed = problem.all_states() if asked == "auto" and isinstance(problem, ArrayHook) else None
    return "compiled" if listed is not None and _MANY < len(listed) < _TOO_MANY else asked


def _has_start(problem: Problem[Any, Any]) -> bool:
    try:
        problem.initial_state()
    except ProblemError:
        return False
    return True
