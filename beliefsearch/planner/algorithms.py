"""Algorithms as functions of any problem that they fit: `astar(problem)` is `solve(problem, solver="astar")`."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from attrs import frozen

from ..plans.policy import PolicyResult
from ..plans.result import SearchResult
from ..running.limits import Limits
from ..running.observer import Observer
from .solve import solve

_Result = TypeVar("_Result", covariant=True)


@frozen
class Algorithm(Generic[_Result]):
    """Solver of this name as a function; the view of a problem that it searches is chosen by the problem's kind."""

    name: str

    def __call__(
        self, problem: Any, *, limits: Limits | None = None, observer: Observer | None = None, **options: Any
    ) -> _Result:
        """Solve a problem; the options are those of `solve` that go with the solver, such as `heuristic`."""
        found: Any = solve(problem, solver=self.name, limits=limits, observer=observer, **options)
        return found  # type: ignore[no-any-return]  # which is what the solver finds


breadth_first: Algorithm[SearchResult[Any]] = Algorithm("breadth-first")
uniform_cost: Algorithm[SearchResult[Any]] = Algorithm("uniform-cost")
astar: Algorithm[SearchResult[Any]] = Algorithm("astar")
weighted_astar: Algorithm[SearchResult[Any]] = Algorithm("weighted-astar")
greedy_best_first: Algorithm[SearchResult[Any]] = Algorithm("greedy-best-first")
ida_star: Algorithm[SearchResult[Any]] = Algorithm("ida-star")
iterative_deepening: Algorithm[SearchResult[Any]] = Algorithm("iterative-deepening")
depth_first: Algorithm[SearchResult[Any]] = Algorithm("depth-first")
bidirectional: Algorithm[SearchResult[Any]] = Algorithm("bidirectional")
regression: Algorithm[SearchResult[Any]] = Algorithm("regression")
and_or: Algorithm[SearchResult[Any]] = Algorithm("and-or")
and_or_graph: Algorithm[SearchResult[Any]] = Algorithm("and-or-graph")
alpha_beta: Algorithm[SearchResult[Any]] = Algorithm("alpha-beta")
expected_and_or: Algorithm[SearchResult[Any]] = Algorithm("expected-and-or")
backward_induction: Algorithm[PolicyResult[Any, Any]] = Algorithm("backward-induction")
policy_iteration: Algorithm[PolicyResult[Any, Any]] = Algorithm("policy-iteration")
value_iteration: Algorithm[PolicyResult[Any, Any]] = Algorithm("value-iteration")
finite_horizon: Algorithm[PolicyResult[Any, Any]] = Algorithm("finite-horizon")
hsvi: Algorithm[PolicyResult[Any, Any]] = Algorithm("heuristic-search-value-iteration")
