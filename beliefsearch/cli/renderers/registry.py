"""Registry of answers: the class that answers each kind of problem on the command line."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from ...errors import BeliefSearchError
from ...kinds import Kind
from ...planner.closed_form import FEW_STATES
from ...running.observer import Observer
from ..plan_source import closed_form, search_for_plan
from ..search_options import SearchOptions, StoreOptions
from ..selected_problem import Chosen
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


def solve_chosen(
    chosen: Chosen,
    search: SearchOptions,
    *,
    few_states: int = FEW_STATES,
    places: tuple[int, int] | None = None,
    also: Observer | None = None,
    store: StoreOptions | None = None,
) -> Answer:
    """The answer: in closed form if there are more than `few_states` states, else by a search with progress.

    `places`: of a plan in closed form, the actions to be shown; `also`: an observer that hears of layers; `store`:
    where a search is kept.
    """
    search.check(chosen)
    found = closed_form(chosen, search, few_states)
    if found is not None:
        return ClosedFormAnswer(chosen, found, places)
    if places is not None:
        raise BeliefSearchError("--moves goes with a construction, whose plan may be too long to list")
    return answer_class(chosen.kind)(chosen, search_for_plan(chosen, search, also, store))
