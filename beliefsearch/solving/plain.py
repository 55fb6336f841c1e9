"""Plain problems: the choice of solver and heuristic."""

from __future__ import annotations

from typing import Any

from ..engine.choose import view_of
from ..heuristics.registry import PlainSetting
from ..kinds import Kind
from ..model.hooks import ReversibleProblem
from ..model.problem import Action, Problem
from ..plans.result import SearchResult
from ..running.limits import Budget
from ..running.observer import Observer
from ..running.record import Record
from ..solvers.registry import SOLVERS
from .request import SearchRequest
from .sequence import named_solver, run_solver


def search(
    problem: Problem[Any, Action],
    request: SearchRequest,
    budget: Budget,
    observer: Observer | None,
    record: Record[Any, Action],
) -> SearchResult[Action]:
    """Solve a plain problem (see `solve`)."""
    seen = view_of(problem)
    name = named_solver(seen, request) or _solver_for(seen)
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


def _solver_for(seen: Problem[Any, Any]) -> str:
    if not seen.has_unit_costs():
        return "uniform-cost"
    return "bidirectional" if isinstance(seen, ReversibleProblem) else "breadth-first"
