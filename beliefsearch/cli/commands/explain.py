"""`beliefsearch explain`."""

from __future__ import annotations

from collections.abc import Iterator

import click

from ...kinds import is_stochastic
from ...planner.closed_form import argued
from ...plans.result import SearchResult
from ...proofs.explanations.explain import reasons_within
from ...running.alarm import doing
from .. import SOLVED, UNDECIDED, UNSOLVABLE
from ..output import emit, emit_lines
from ..plan_source import answer_class, budget_after, plan_option, plan_or_exit, solve_selected
from ..problem_command import ProblemCommand
from ..problem_options import exact_option
from ..renderers.explanation import explanation_lines
from ..renderers.exploration import plans_lines
from ..search_options import search_options
from ..selected_problem import Asked

# Plans are counted in a graph of so many nodes.
_FEW = 1000


@click.command("explain", cls=ProblemCommand)
@search_options
@plan_option
@click.option(
    "--all", "everything", is_flag=True, help="Show the adversary's whole strategy, or all actions of the plan."
)
@exact_option
def command(asked: Asked, everything: bool) -> int:
    """Say why the plan of PROBLEM works, or how the adversary wins.

    Of a stochastic problem: what the actions at the start are worth and why, how often which action is best, and
    that no policy is better.

    Exit code 0: there is a plan; 1: there is none; 3: neither was found out.
    """
    problem, answer = asked.problem, None
    if asked.plan_file is None:
        answer = solve_selected(asked)
        value, code = answer.value, answer.code
        emit(answer.heading())
        if (code == UNDECIDED or is_stochastic(problem)) and answer.plan is None:  # an infinite value has none
            return code
        budget = budget_after(answer)
    else:
        (value, budget), code = plan_or_exit(asked), SOLVED
        emit(answer_class(asked.kind).saved_heading(asked, value))

    def print_reasons() -> int:
        reasoned = argued(problem, value, asked.search.request) if asked.plan_file is None else value
        if reasoned is not value and reasoned.length is None:
            emit(f"\n{reasoned.explanation}")
        found = reasons_within(problem, reasoned, budget, whole=everything)
        emit_lines(explanation_lines(problem, found, everything=everything))
        return UNSOLVABLE if found.refuted else code

    code = doing("the answer was being explained", budget, print_reasons)
    if answer is not None and (why := answer.why_none_is_cheaper()):
        emit(f"\n{why}")
    if isinstance(value, SearchResult) and value.plan and not value.plan.is_conditional and value.stats.reached <= _FEW:
        emit_lines(doing("the plans were being counted", budget, lambda: [*_other_plans(asked)]))
    return code


def _other_plans(asked: Asked) -> Iterator[str]:
    """Say how many plans are as good, where neither percepts nor chance decide."""
    from ...graph.analysis import analyse
    from ...graph.build import searched_beliefs

    graph = searched_beliefs(asked.problem, asked.budget, _FEW).networkx()
    found = analyse(graph)
    if found.plans is not None and found.plans.count > 1:
        yield ""
        yield from plans_lines(graph, found.plans)
