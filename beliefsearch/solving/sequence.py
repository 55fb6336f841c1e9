"""Running the chosen solver of plans that are sequences of actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import evolve

from ..heuristics.registry import HEURISTICS
from ..kinds import Kind
from ..model.problem import Action, Problem
from ..plans.result import SearchResult
from ..running.limits import Budget
from ..running.observer import Observer
from ..solvers.registry import SOLVERS, find_solver
from .request import SearchRequest


def named_solver(seen: Problem[Any, Any], request: SearchRequest) -> str | None:
    """The solver that was named, or A* if a heuristic was; None if neither was."""
    if request.solver != "auto":
        return find_solver(request.solver)
    # Somebody who names a heuristic wants a solver that takes one.
    return "astar" if request.heuristic != "auto" or seen.has_heuristic() else None


def run_solver(
    name: str,
    function: Callable[..., SearchResult[Action]],
    searched: Problem[Any, Action],
    request: SearchRequest,
    budget: Budget,
    observer: Observer | None,
    *,
    heuristic: str,
    kind: Kind,
    setting: object,
    **options: Any,
) -> SearchResult[Action]:
    """Call a solver with the heuristic and the weight if it takes them; `setting` makes the heuristic."""
    informed = SOLVERS[name].informed
    estimates = [HEURISTICS[heuristic].makers[kind](setting, None)] if informed else []
    if request.weight is not None:
        options["weight"] = request.weight
    result = function(searched, *estimates, budget=budget, observer=observer, **options)
    return evolve(result, heuristic=heuristic if informed else None)
