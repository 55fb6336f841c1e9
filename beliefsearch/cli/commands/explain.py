"""`beliefsearch explain`."""

from __future__ import annotations

from pathlib import Path

import click

from ...proofs.explanations.explain import reasons_within
from ...running.alarm import doing
from .. import SOLVED, UNDECIDED, UNSOLVABLE
from ..output import emit, emit_lines
from ..plan_source import plan_option
from ..problem_command import ProblemCommand
from ..renderers.explanation import explanation_lines
from ..renderers.registry import answer_class, solve_chosen
from ..search_options import SearchOptions, search_options
from ..selected_problem import Chosen


@click.command("explain", cls=ProblemCommand)
@search_options
@plan_option
@click.option(
    "--all", "everything", is_flag=True, help="Show the adversary's whole strategy, or all actions of the plan."
)
def command(chosen: Chosen, search: SearchOptions, plan_file: Path | None, everything: bool) -> int:
    """Say why the plan of PROBLEM works, or how the adversary wins.

    Of a stochastic problem: what the actions at the start are worth and why, how often which action is best, and
    that no policy is better.

    Exit code 0: there is a plan; 1: there is none; 3: neither was found out.
    """
    answers, problem, budget = answer_class(chosen.kind), chosen.problem, chosen.budget
    answer = None
    if plan_file is None:
        answer = solve_chosen(chosen, search, few_states=0)
        value, code = answer.value, answer.code
        emit(answer.heading())
        if code == UNDECIDED:
            return UNDECIDED
    else:
        value, code = answers.plan(chosen, search, plan_file), SOLVED
        emit(answers.saved_heading(chosen, value, plan_file))

    def print_reasons() -> int:
        found = reasons_within(problem, value, budget, whole=everything)
        emit_lines(explanation_lines(problem, found, everything=everything))
        return UNSOLVABLE if found.refuted else code

    code = doing("the answer was being explained", budget, print_reasons)
    proof = None if answer is None else answer.why_none_is_cheaper(search)
    if proof is not None:
        emit(f"\nwhy none is shorter: {proof}")
    return code
