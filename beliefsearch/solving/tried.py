"""What a search that was stopped has tried, and what may help, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import evolve

from ..kinds import Kind
from ..model.hooks import ArrayHook, BeliefClassHook, PotentialHook
from ..model.problem import Action, BeliefProblem
from ..plans.result import SearchResult, Status


def explained(
    result: SearchResult[Action], tried: Sequence[str], problem: BeliefProblem[Any, Any, Any], kind: Kind
) -> SearchResult[Action]:
    """An undecided result that says what was `tried` before it was stopped, if anything was, and what may help."""
    if result.status is not Status.UNDECIDED or not tried:
        return result
    lacks = _hooks_that_may_help(problem, kind)
    hooks = f", or what the puzzle lacks: {', '.join(lacks)}" if lacks else ""
    more = "memory" if "memory" in str(result.reason) else "time"
    return evolve(result, reason=f"{result.reason}; tried before: {', '.join(tried)}; more {more} may help{hooks}")


def _hooks_that_may_help(problem: BeliefProblem[Any, Any, Any], kind: Kind) -> list[str]:
    """The hooks that make searches smaller or quicker, as far as the author gives none."""
    hooks = {
        "canonical()": problem.overrides("canonical"),
        "heuristic()": problem.has_heuristic(),
        "belief_class()": kind is not Kind.CONTINGENT or isinstance(problem, BeliefClassHook),
        "potential()": kind is not Kind.SENSORLESS or isinstance(problem, PotentialHook),
        "all_results()": kind is not Kind.SENSORLESS or isinstance(problem, ArrayHook),
    }
    return [name for name, given in hooks.items() if not given]
