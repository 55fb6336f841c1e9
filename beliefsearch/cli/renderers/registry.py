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
from ...running.observer import Observer
from ..output import emit
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


def plan_or_exit(asked: Asked) -> Any:
    """Return the plan or the policy, from a file or a search; if there is none, print that and end the command."""
    if asked.plan_file is not None:
        if asked.kind is Kind.STOCHASTIC:  # whose exact values may have many digits
            sys.set_int_max_str_digits(MOST_DIGITS)
        return plan_from_file(asked.plan_file, asked)
    answer = solve_listed(asked)
    if answer.plan is None:
        emit(answer.heading())
        raise click.exceptions.Exit(answer.code)
    return answer.plan
