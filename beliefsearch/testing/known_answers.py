"""The answers that an author knows, computed anew: what `solve` finds for the same instances."""

from __future__ import annotations

from typing import Any

from ..kinds import is_stochastic
from ..model.adapters import Blindfolded
from ..model.problem import KnownAnswer, Number
from ..plans.result import SearchResult, Status
from ..plugins.options import make_problem
from ..solving.solve import solve

_ANY = KnownAnswer({}, None)


def problem_of(problem_class: Any, known: KnownAnswer) -> Any:
    """The instance that an answer is about."""
    problem: Any = make_problem(problem_class, known.options)
    return Blindfolded(problem) if known.blindfold else problem


def computed_answer(problem: Any, known: KnownAnswer = _ANY) -> Number | None:
    """What `solve` finds, written as in `KnownAnswer`; raises `RuntimeError` if it is not proved."""
    if is_stochastic(problem):
        return solve(problem, horizon=known.horizon).value
    result: SearchResult[Any] = solve(problem, objective=known.objective)
    if result.status is Status.UNSOLVABLE:
        return None
    if not result.optimal:
        raise RuntimeError(f"{problem} was not decided: {result.reason}")
    return result.cost
