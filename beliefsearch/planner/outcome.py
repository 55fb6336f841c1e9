"""Outcome of a search: an answer that is kept in a store; and what was tried before it stopped, in words."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

from attrs import asdict, evolve

from ..errors import InvalidPlanError, ProblemError
from ..kinds import Kind
from ..model.base import Action
from ..model.belief import initial_states, successors
from ..model.hooks import ArrayHook, BeliefClassHook, PotentialHook
from ..model.problem import BeliefProblem
from ..model.values import listed
from ..plans.result import SearchResult, SearchStats, Status
from ..plugins.installed import is_reader
from ..running.number_codec import number_of, text_of
from ..running.store.checkpoint import Checkpoints
from ..verify.plan import check_plan


def keep_result(problem: BeliefProblem[Any, Action, Any], result: SearchResult[Action], kept: Checkpoints) -> None:
    """Keep an answer; one that is undecided leaves the search as it was kept."""
    if result.status is Status.UNDECIDED:
        return
    plan = None if result.plan is None else _places(problem, tuple(result.plan.as_sequence()))
    kept.finish(
        {
            "status": result.status.value,
            "plan": plan,
            "cost": text_of(inf if result.cost is None else result.cost),
            "lower_bound": text_of(result.lower_bound),
            "solver": result.solver,
            "heuristic": result.heuristic,
            "engine": result.engine,
            "stats": asdict(result.stats),
        }
    )


def kept_result(problem: BeliefProblem[Any, Action, Any], kept: Checkpoints, objective: str) -> SearchResult[Action]:
    """The answer that was kept, its plan checked; raises `StoreError` if it is none of this problem.

    Only the plan is checked. That there is none, or none that costs less, is believed: a store is its owner's.
    """
    found = kept.answer or {}
    try:
        plan = None if found["plan"] is None else _plan(problem, found["plan"])
        result: SearchResult[Action] = SearchResult(
            Status(found["status"]),
            plan,
            number_of(found["cost"]),
            number_of(found["lower_bound"]),
            found["solver"],
            heuristic=found["heuristic"],
            engine=found["engine"],
            stats=SearchStats(**found["stats"]),
            objective=objective,
        )
    except (KeyError, TypeError, ValueError, IndexError):
        raise kept.damaged() from None
    if result.status is Status.UNDECIDED:
        raise kept.damaged()
    check_result(problem, result, kept)
    return result


def check_result(problem: BeliefProblem[Any, Action, Any], result: SearchResult[Action], kept: Checkpoints) -> None:
    """Make sure that the plan of a search that went on from what was kept wins; raises `StoreError` if it does not."""
    if result.plan is None:
        return
    try:
        verdict = check_plan(problem, result.plan.as_sequence(), claimed_cost=result.cost)
    except (InvalidPlanError, ProblemError):
        raise kept.damaged() from None
    if not verdict.holds:
        raise kept.damaged()


def _places(problem: BeliefProblem[Any, Action, Any], plan: tuple[Action, ...]) -> list[int]:
    """A plan by the places of its actions among those of the states on one course of the game."""
    places = []
    state = next(initial_states(problem))
    for action in plan:
        places.append(listed(problem.actions(state)).index(action))
        state = next(successors(problem, state, action))
    return places


def _plan(problem: BeliefProblem[Any, Action, Any], places: list[int]) -> tuple[Action, ...]:
    plan = []
    state = next(initial_states(problem))
    for place in places:
        plan.append(listed(problem.actions(state))[place])
        state = next(successors(problem, state, plan[-1]))
    return tuple(plan)


def explained(
    result: SearchResult[Action], tried: Sequence[str], problem: BeliefProblem[Any, Any, Any], kind: Kind
) -> SearchResult[Action]:
    """An undecided result that says what was `tried` before it was stopped, if anything was, and what may help."""
    if result.status is not Status.UNDECIDED or not tried:
        return result
    # Who gives a file writes no methods.
    lacks = [] if is_reader(type(problem)) else _hooks_that_may_help(problem, kind)
    hooks = f", or what the puzzle lacks: {', '.join(lacks)}" if lacks else ""
    more = "memory" if "memory" in str(result.reason) else "time"
    return evolve(result, reason=f"{result.reason}; tried before: {', '.join(tried)}; more {more} may help{hooks}")


def _hooks_that_may_help(problem: BeliefProblem[Any, Any, Any], kind: Kind) -> list[str]:
    """The hooks that make searches smaller or quicker, as far as the author gives none."""
    hooks = {
        "canonical()": problem.overrides("canonical"),
        "heuristic()": problem.has_heuristic() or (kind is Kind.SENSORLESS and isinstance(problem, PotentialHook)),
        "belief_class()": kind is not Kind.CONTINGENT or isinstance(problem, BeliefClassHook),
        "potential()": kind is not Kind.SENSORLESS or isinstance(problem, PotentialHook),
        "all_results()": kind is not Kind.SENSORLESS or isinstance(problem, ArrayHook),
    }
    return [name for name, given in hooks.items() if not given]
