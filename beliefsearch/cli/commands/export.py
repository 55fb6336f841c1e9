"""`beliefsearch export`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from ...errors import BeliefSearchError
from ...graph.graph_files import FORMATS, POLICY_FORMATS, PROBLEM_FORMATS, GraphFile
from ...graph.plots.policy_charts import PICTURE_FORMATS
from ...graph.stream import GraphStream
from ...kinds import Kind
from ...model.hooks import PlotHook
from ...model.stochastic import numbering_of
from ...plans.wording import plural
from ...plugins.options import options_of
from ...running.alarm import doing
from ...running.limits import Budget, Limits
from .. import SOLVED, UNDECIDED
from ..options import FILE, Choice, Whole
from ..output import check_different, check_writable, message, write_file
from ..plan_source import answer_class, code_of_plan, distances, plan_option, plan_or_exit, solve_listed
from ..problem_command import ProblemCommand
from ..renderers.exports import export_region, page_text, rewrite_tables
from ..renderers.pictures import (
    export_drawing,
    export_graph_drawing,
    export_picture,
    export_tree_drawing,
    picture_options,
)
from ..renderers.plan import Answer
from ..search_options import search_options
from ..selected_problem import Asked

_PAGE = "html"
_FILES = {**FORMATS, **PROBLEM_FORMATS, **POLICY_FORMATS}
_FORMAT_OF = {ending: name for name, form in _FILES.items() for ending in form.endings}
_FORMAT_OF |= dict.fromkeys((".html", ".htm"), _PAGE)


@click.command("export", cls=ProblemCommand, startless=True)
@search_options
@plan_option
@click.option(
    "--format",
    "form",
    type=Choice([*FORMATS, *PICTURE_FORMATS, *PROBLEM_FORMATS, *POLICY_FORMATS, _PAGE]),
    help="By default as the file name says.",
)
@click.option("--output", type=FILE, required=True, help="The file to write.")
@click.option("--no-plan", is_flag=True, help="Do not search for a plan to mark in the graph.")
@click.option("--max-nodes", type=Whole(1), metavar="N", help="Stop after N nodes.")
@click.option("--all", "all_states", is_flag=True, help="Begin the graph at every possible start of a plain problem.")
@click.option(
    "--tree",
    is_flag=True,
    help="The best first action from every state that can reach a goal, as a tree; for problems derived from "
    "ReversibleProblem.",
)
@click.option(
    "--region",
    is_flag=True,
    help="The winning region: all beliefs from which the player can win with probability 1, and what is safe in each. "
    "Against an adversary, or as a picture, of a problem without percepts: the largest beliefs that are sure to win.",
)
@picture_options
def command(
    asked: Asked,
    form: str | None,
    output: Path,
    no_plan: bool,
    max_nodes: int | None,
    all_states: bool,
    tree: bool,
    region: bool,
    **pictures: Any,
) -> int:
    """Write the graph that a solver searches: beliefs, or the states of a plain problem. Or draw the answer; or a page.

    Where there are percepts it is the graph of the conditional plan, or with --no-plan that of all beliefs.
    Of a stochastic problem it is that of all states, with their values and the best actions, or without them.

    With --tree it is the tree of a search backwards from the goals instead. The format html is the page that `view`
    shows.

    With --region it is the winning region: as json a file that `verify` checks, else a graph of its safe actions.

    As png or svg it is a drawing of the plan: the belief at each step, as the puzzle draws it, or of a plan that
    branches each belief with what may be perceived; with --no-plan all beliefs, with the actions between them. Of a
    stochastic problem it is the values of its states as a heat map, or where these have no place in the plane the
    states that come up under the best policy.

    As pomdp it is the problem itself, in Cassandra's format for other solvers, which `run FILE.pomdp` reads: of any
    kind, with all starts, results and percepts equally likely where a problem has no probabilities. Numbers are exact
    decimals, as far as they have some. As julia it is a model for POMDPs.jl, which reads NAME.pomdp, written beside it.
    As game it is the problem in numbers, which `verify --game` and any program may read; with --plan FILE, a plan file
    or a certificate, what is proved there stands as tables beside it, NAME.certificate.json.

    As policy, alpha, pg or controller it is the policy of a POMDP's file, as SARSOP, pomdp-solve and PAYNT write it.

    Every node carries members, size, g, goal and on_plan; every edge its action, its cost and on_plan; where chance
    decides, nodes carry state, value, action and on_policy, and edges a probability. Goals have no outgoing edges.
    Exit code 3: a limit was reached, and the graph is not complete.
    """
    from ...graph.build import has_start, searched_graph
    from ...graph.search_graph import TreeStream

    drawn, ending = any(value is not None for value in pictures.values()), output.suffix[1:]
    graph_only = {"--no-plan": no_plan, "--all": all_states, "--max-nodes": max_nodes is not None}
    if region:
        others = {**graph_only, "--tree": tree, "--picture": drawn, "--plan": asked.plan_file is not None}
        _refuse(others, "does not go with --region, which has every plan")
        drawing = ending if ending in PICTURE_FORMATS else None
        return export_region(asked, form or _FORMAT_OF.get(output.suffix, drawing), output)
    if tree:
        _refuse({**graph_only, "--picture": drawn}, "does not go with --tree, which has every state and no plan")
    if drawn or (form or ending) in PICTURE_FORMATS:  # json is a graph, unless a sweep was asked for
        if tree and not drawn:
            return export_tree_drawing(asked, form or ending, output)
        if no_plan and not drawn:
            _refuse({"--all": all_states}, "goes with graphs, but this is a picture of one")
            return export_graph_drawing(asked, form or ending, output, max_nodes)
        _refuse({**graph_only, "--tree": tree}, "goes with graphs, but this is a picture")
        if not drawn and not isinstance(asked.problem, PlotHook):  # then no states lie in the plane
            return export_drawing(asked, form or ending, output)
        asked.require("draw a picture")
        return export_picture(asked, form, output, pictures)
    form = form or _FORMAT_OF.get(output.suffix)
    if form == _PAGE:
        _refuse({"--tree": tree, "--all": all_states}, "goes with graphs, but this is a page")
        return _export_page(asked, output, no_plan, max_nodes)
    if form is not None and form in PROBLEM_FORMATS:
        planned = asked.plan_file is not None and form != "game"
        _refuse({**graph_only, "--tree": tree, "--plan": planned}, "goes with graphs; this is a problem")
        return _export_problem(asked, form, output)
    if form is not None and form in POLICY_FORMATS:
        _refuse({**graph_only, "--tree": tree}, "goes with graphs; this is a policy")
        return _export_policy(asked, form, output)
    if form is None:
        known = f"--format {', '.join([*FORMATS, *PICTURE_FORMATS, *PROBLEM_FORMATS, *POLICY_FORMATS])} or {_PAGE}"
        raise BeliefSearchError(f"the name {output.name!r} tells no format; say {known}")
    check_writable(output, asked.inputs())
    if asked.plan_file is not None and (no_plan or all_states or tree):
        raise BeliefSearchError("--plan marks a plan in a graph; it does not go with --no-plan, --all or --tree")
    if all_states:
        asked.require("begin with every start")
    elif not tree and not has_start(asked.problem):
        message("no start was given, so the graph contains every possible start")
        all_states = True
    plan, budget = None, asked.budget  # of the search and of the walk together
    if not (tree or all_states or no_plan):
        plan, budget = _plan_to_mark(asked)

    def build() -> Any:
        if tree:
            return TreeStream(asked.problem, distances(asked, "--tree"))
        how: Any = {"max_nodes": max_nodes, "all_starts": all_states, "engine": asked.search.request.options["engine"]}
        return searched_graph(asked.problem, plan, budget, **how)

    graph = doing("the graph was being made", budget, build)
    graph.about["problem"] = asked.title
    # What there is when a limit ends the walk is worth writing: that may take as long again.
    what = "the file was being written; --max-nodes makes a smaller graph"
    time = Budget(Limits(seconds=asked.search.time_limit))  # memory hardly grows, whether or not it is at its limit
    doing(what, time, lambda: write_file(output, GraphFile(graph, form)))
    size = f"{plural(graph.number_of_nodes(), 'node')}, {plural(graph.number_of_edges(), 'edge')}"
    message(f"{output}: {size}, {form}{_alike(asked, graph)}")
    if not graph.about["complete"]:
        message(f"the graph is not complete: {graph.about['stopped']}")
        return UNDECIDED
    return code_of_plan(asked, plan, budget)


def _alike(asked: Asked, graph: GraphStream) -> str:
    """Say that a node stands for more states than it names, and the option by which each has a node of its own."""
    _, first = next(graph.nodes(), (0, {}))
    if first.get("arrangements", 0) <= first.get("size", 0):
        return ""
    option = next((option for option in options_of(asked.cls) if option.name == "canonical"), None)
    return "; equivalent states count as one" + ("" if option is None else ", with --no-canonical each counts")


def _refuse(options: Mapping[str, bool], why: str) -> None:
    """Refuse the first of these options that is given."""
    for option, given in options.items():
        if given:
            raise BeliefSearchError(f"{option} {why}")


def _export_page(asked: Asked, output: Path, no_plan: bool, max_nodes: int | None) -> int:
    """Write the page instead of a graph."""
    check_writable(output, asked.inputs())
    text = page_text(asked, no_plan=no_plan, max_nodes=max_nodes)
    write_file(output, text)
    message(f"{output}: a page of {len(text) / 1000:,.0f} kB, {_PAGE}")
    return SOLVED


def _export_problem(asked: Asked, form: str, output: Path) -> int:
    """Write the problem itself, for other solvers; as a listed game with the certificate of a plan file beside it."""
    check_writable(output, asked.inputs())
    if asked.plan_file is not None:
        return rewrite_tables(asked, asked.plan_file, output)
    if read := PROBLEM_FORMATS[form].reads:
        beside = output.with_suffix(f".{read}")
        check_different({"--output": output, f"the .{read} file that it reads": beside})
        if not beside.is_file():
            _export_problem(asked, read, beside)
        elif _told(beside.read_text(encoding="utf-8", errors="replace")) != _told(_problem_text(asked, read)):
            raise BeliefSearchError(
                f"{output} would read {beside}, which would be written beside it; but such a file is there, and says "
                "something else: choose another name, or remove it"
            )
    write_file(output, _problem_text(asked, form))
    message(f"{output}: the problem, {form}")
    return SOLVED


def _problem_text(asked: Asked, form: str) -> str:
    def text() -> str:
        return "".join(f"{line}\n" for line in PROBLEM_FORMATS[form].lines(asked.problem, asked.title, asked.budget))

    return doing("the problem was being written", asked.budget, text)


def _told(text: str) -> list[str]:
    """Return the lines that are no comments: these name the problem and the version of the program."""
    return [line for line in text.splitlines() if not line.startswith("#")]


def _export_policy(asked: Asked, form: str, output: Path) -> int:
    """Write a policy graph, searched for or from a plan file, for other solvers."""
    if asked.kind is not Kind.POMDP:
        raise BeliefSearchError(f"--format {form} is for the policies of partially observable stochastic problems")
    numbering_of(asked.problem)  # before a search that may take long
    check_writable(output, asked.inputs())
    policy, budget = plan_or_exit(asked)
    if not len(policy):
        raise BeliefSearchError("the game is over before it begins, so there is no policy to be written")

    def text() -> str:
        return "".join(f"{line}\n" for line in POLICY_FORMATS[form].lines(asked.problem, policy, budget.tick))

    write_file(output, doing("the policy was being written", budget, text))
    message(f"{output}: the policy, {form}")
    return code_of_plan(asked, policy, budget)


def _plan_to_mark(asked: Asked) -> tuple[Any, Budget]:
    """Return the plan or the policy to be marked in the graph, None if there is proved to be none; and a budget."""
    if asked.plan_file is not None or answer_class(asked.kind) is not Answer:
        return plan_or_exit(asked)
    answer = solve_listed(asked)
    if answer.code == UNDECIDED:
        message(f"{answer.heading()}; --no-plan writes the graph without searching for a plan")
        raise click.exceptions.Exit(UNDECIDED)
    return answer.plan, asked.budget
