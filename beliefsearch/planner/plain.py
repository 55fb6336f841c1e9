"""Plain problems: the choice of solver and heuristic; and running any solver whose plans are sequences of actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import evolve

from ..engine.views import view_of
from ..heuristics.registry import HEURISTICS, PlainSetting
from ..kinds import Kind
from ..model.base import Action
from ..model.hooks import ReversibleProblem
from ..model.problem import Problem
from ..plans.result import SearchResult
from ..running.limits import Budget
from ..running.observer import Observer
from ..running.run import Record
from .options import SearchRequest
from .solver_table import SOLVERS, find_solver


def search(
    problem: Problem[Any, Action],
    request: SearchRequest,
    budget: Budget,
    observer: Observer | None,
    record: Record[Any, Action],
) -> SearchResult[Action]:
    """Solve a plain problem (see `solve`)."""
    seen = view_of(problem)
    name = named_solver(seen, request)
    if name is None and not seen.has_unit_costs():
        name = "uniform-cost"
    elif name is None:
        name = "bidirectional" if isinstance(seen, ReversibleProblem) else "breadth-first"
    entry = SOLVERS[name]
    heuristic = request.heuristic
    if heuristic == "auto":
        heuristic = "own" if seen.has_heuristic() else "none"
    return run_solver(
        name,
        entry.functions[Kind.PLAIN],
        # Predecessors of representatives are not known, so walking backwards makes no use of symmetry.
        problem if entry.backwards else seen,
        request,
        budget,
        observer,
        heuristic=heuristic,
        kind=Kind.PLAIN,
        setting=PlainSetting(seen),
    )


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
    engine: str | None = None,
    **options: Any,
) -> SearchResult[Action]:
    """Call a solver with the heuristic, the weight and a checkpoint if it takes them; `setting` makes the heuristic.

    What is kept under one engine, which may be in a form of its own, is not for another.
    """
    informed = SOLVERS[name].informed
    estimates = [HEURISTICS[heuristic].makers[kind](setting, None)] if informed else []
    if request.weight is not None:
        options["weight"] = request.weight
    if request.checkpoints is not None:
        options["checkpoint"] = request.checkpoints.of(name if engine is None else f"{name}-{engine}")
    result = function(searched, *estimates, budget=budget, observer=observer, **options)
    return evolve(result, heuristic=heuristic if informed else None)
