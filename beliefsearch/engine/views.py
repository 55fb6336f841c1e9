"""Choosing the view of a search: frozensets, bit sets, or rows of words under compiled kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import evolve

from ..belief_space.sensorless import SensorlessView
from ..errors import ProblemError
from ..kinds import is_plain, require
from ..model.adapters import Blindfolded, Quotient
from ..model.base import Action, State
from ..model.hooks import blocks_of, factors_of
from ..model.problem import BeliefProblem, Problem
from ..running.limits import Budget
from ..running.observer import Observer
from .bits.sensorless import BitsetView

if TYPE_CHECKING:
    from ..belief_space.contingent import ContingentView
    from .factored.view import BlocksView


def view_of(
    problem: BeliefProblem[State, Action, Any],
    *,
    engine: str = "auto",
    budget: Budget | None = None,
    observer: Observer | None = None,
    allowance: int | None = None,
    most_pairs: int | None = None,
) -> Problem[Any, Action]:
    """The plain problem that a solver searches for `problem`: a view, or the problem itself.

    `engine` is one of `ENGINES`, "auto" being "bits"; a `BitsetView` may take `allowance` elementary steps before it
    raises `EffortExceeded`, a `CompiledView` may walk `most_pairs` pairs of a state and an action. Raises
    `ProblemError` if the problem is of a kind that has no solver, and `LimitReached` if numbering the states takes too
    much, which only "compiled" does now.
    """
    require("search for a plan", problem)
    if is_plain(problem):
        return Quotient(problem) if problem.overrides("canonical") else problem
    tick = (budget or Budget()).tick
    numbered = observer.numbered if observer else lambda states: None
    if isinstance(problem, Blindfolded):
        problem = evolve(problem, tick=tick)
    if engine == "naive":
        return SensorlessView(problem, tick)
    if engine == "factored":
        from .factored.view import FactoredView

        factors = factors_of(problem) or ()
        seeing = next((factor.problem for factor in factors if not factor.problem.is_sensorless()), None)
        if seeing is not None:
            raise ProblemError(f"{type(seeing).__name__} is a factor, and has percepts")
        return FactoredView(problem, factors, tick)
    if engine == "compiled":
        from .compiled.sensorless import CompiledView

        return CompiledView(problem, tick, numbered, most_pairs)
    return BitsetView(problem, tick, numbered, allowance)


def contingent_view_of(
    problem: BeliefProblem[State, Action, Any],
    *,
    engine: str,
    expected: bool,
    budget: Budget,
    observer: Observer | None,
) -> ContingentView[Any, State, Action] | BlocksView[Action]:
    """The AND-OR problem that a solver searches for a belief problem; with `expected`, for the expected cost."""
    if engine == "naive":
        from ..belief_space.contingent import FrozensetContingentView, WeightedView

        return WeightedView(problem, budget.tick) if expected else FrozensetContingentView(problem, budget.tick)
    if engine == "factored":
        from .factored.view import BlocksView

        return BlocksView(problem, blocks_of(problem) or (), budget.tick)
    from .bits.contingent import BitsetContingentView

    numbered = observer.numbered if observer else lambda states: None
    return BitsetContingentView(problem, budget.tick, numbered, equally_likely=expected)
