"""Plain problems: the choice of solver and heuristic."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from ..engine.views import view_of
from ..heuristics.registry import HEURISTICS, PlainSetting
from ..kinds import Kind
from ..model.base import Action
from ..model.hooks import ReversibleProblem
from ..model.problem import Problem
from ..plans.result import SearchResult
from ..running.run import Record, Run
from .options import PathOptions
from .solver_table import SOLVERS


def search(
    problem: Problem[Any, Action], options: PathOptions, run: Run, record: Record[Any, Action]
) -> SearchResult[Action]:
    """Solve a plain problem (see `solve`)."""
    seen = view_of(problem)
    name = named_solver(seen, options)
    if name is None and not seen.has_unit_costs():
        name = "uniform-cost"
    elif name is None:
        name = "bidirectional" if isinstance(seen, ReversibleProblem) else "breadth-first"
    heuristic = options.heuristic
    if heuristic == "auto":
        heuristic = "own" if seen.has_heuristic() else "none"
    entry = SOLVERS[name]
    function = entry.functions[Kind.PLAIN]
    estimates = [HEURISTICS[heuristic].makers[Kind.PLAIN](PlainSetting(seen), None)] if entry.informed else []
    # Predecessors of representatives are not known, so walking backwards makes no use of symmetry.
    searched = problem if entry.backwards else seen
    result: SearchResult[Action] = function(searched, *estimates, **keywords_of(name, options, run))
    return evolve(result, heuristic=heuristic if entry.informed else None)


def named_solver(seen: Problem[Any, Any], options: PathOptions) -> str | None:
    """Return the solver that was named, or A* if a heuristic was; None if neither was."""
    if options.solver != "auto":
        return options.solver
    # Somebody who names a heuristic wants a solver that takes one.
    return "astar" if options.heuristic != "auto" or seen.has_heuristic() else None


def keywords_of(name: str, options: PathOptions, run: Run, engine: str | None = None) -> dict[str, Any]:
    """Return the keywords of a solver of paths.

    The checkpoint of one engine, which may be in a form of its own, is not for another.
    """
    keywords: dict[str, Any] = {"budget": run.budget, "observer": run.listener}
    if options.weight is not None:
        keywords["weight"] = options.weight
    if run.checkpoints is not None:
        keywords["checkpoint"] = run.checkpoints.of(name if engine is None else f"{name}-{engine}")
    return keywords
