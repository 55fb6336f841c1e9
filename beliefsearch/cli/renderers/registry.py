"""Registry of answers: the class that answers each kind of problem on the command line."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from ...errors import BeliefSearchError
from ...kinds import Kind
from ...planner.closed_form import FEW_STATES
from ...planner.options import SearchRequest
from ...plans.wording import MOST_DIGITS
from ...running.limits import Budget, Limits
from ...running.observer import Observer
from .. import UNDECIDED
from ..output import emit, message
from ..plan_source import closed_form, plan_from_file, search_for_plan
from ..selected_problem import Asked
from .answer import Answer
from .plan import ClosedFormAnswer

_ANSWERS: Mapping[Kind, str] = {
    Kind.PLAIN: ".plan:PlanAnswer",
    Kind.SENSORLESS: ".plan:PlanAnswer",
    Kind.CONTINGENT: ".plan:PlanAnswer",
    Kind.STOCHASTIC: ".policy:PolicyAnswer",
    Kind.POMDP: ".policy_graph:PolicyGraphAnswer",
}


def answer_class(kind: Kind) -> type[Answer]:
    """Return the class that finds, reads and shows answers to problems of a kind; the others are not loaded."""
    module, _, name = _ANSWERS[kind].partition(":")
    found: type[Answer] = getattr(import_module(module, __package__), name)
    return found


def solve_selected(
    asked: Asked,
    *,
    few_states: int = FEW_STATES,
    places: tuple[int, int] | None = None,
    also: Observer | None = None,
    request: SearchRequest | None = None,
) -> Answer:
    """Return the answer: in closed form if there are more than `few_states` states, else by a search with progress.

    `places` are the actions to be shown of a plan in closed form; `also` and `request` are those of `search_for_plan`.
    """
    found = closed_form(asked, few_states)
    if found is not None:
        return ClosedFormAnswer(asked, found, places)
    if places is not None:
        raise BeliefSearchError("--moves goes with a construction, whose plan may be too long to list")
    return answer_class(asked.kind)(asked, search_for_plan(asked, also, request))


def solve_listed(asked: Asked) -> Answer:
    """Return the answer with its plan listed, also if it is in closed form.

    For a policy of states the solver alone is asked for: options of other searches play no part, and are not refused.
    """
    request = SearchRequest(asked.search.solver) if asked.kind is Kind.STOCHASTIC else None
    return solve_selected(asked, request=request).listed()


def plan_or_exit(asked: Asked) -> tuple[Any, Budget]:
    """Return the plan or the policy, from a file or a search; if there is none, print that and end the command.

    The budget is that of what is done with it: see `budget_after`.
    """
    if asked.plan_file is not None:
        if asked.kind is Kind.STOCHASTIC:  # whose exact values may have many digits
            sys.set_int_max_str_digits(MOST_DIGITS)
        return plan_from_file(asked.plan_file, asked), asked.budget
    answer = solve_listed(asked)
    if answer.plan is None:
        emit(answer.heading())
        raise click.exceptions.Exit(answer.code)
    say_if_undecided(answer)
    return answer.plan, budget_after(answer)


def say_if_undecided(answer: Answer) -> None:
    """Say of a policy that it is the best so far, where a limit ended the search for a better one."""
    if answer.code == UNDECIDED:
        message(f"{answer.heading()}; this is the best policy so far")


def budget_after(answer: Answer) -> Budget:
    """Return the budget of what is done with an answer: that of the command, which ran while it was searched for.

    After a limit the best so far is used, in as much time again. It takes little memory, whether or not that is full.
    """
    asked = answer.asked
    return Budget(Limits(seconds=asked.search.time_limit)) if answer.code == UNDECIDED else asked.budget
