"""The winning region: from which beliefs a player can still win almost surely, and what is safe to do there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from attrs import evolve

from ..engine.bits.bitset import bit_numbers
from ..engine.bits.contingent import BitsetContingentView
from ..engine.bits.strong_cyclic import beliefs_to_keep_to
from ..errors import BeliefSearchError, LimitError, ProblemError
from ..kinds import played_by, require
from ..model.adapters import UnreducedContingent
from ..model.base import Action, State
from ..model.hooks import DistinctActionsHook
from ..model.stochastic import ALMOST_SURE, AnyProblem
from ..plans.winning_region import WinningRegion, region_of
from ..running.alarm import call_within
from ..running.limits import STOPS, Budget, EffortExceeded, Limits, TooManyStates

# What takes more elementary steps in plain Python is done on arrays.
_SMALL = 50_000
_ENGINES = ("auto", "bits", "compiled")


def winning_region(
    problem: AnyProblem[State, Action], *, engine: str = "auto", limits: Limits | None = None
) -> WinningRegion[State, Action]:
    """All beliefs that can come up from which the player can win with probability 1, and the safe actions in each.

    Of a stochastic problem only what is possible counts, and not how probable it is. Who perceives that the game is
    over has won if it ended in a goal.

    Parameters
    ----------
    problem
        A contingent, sensorless, partially observable or stochastic problem.
    engine
        "bits": in plain Python; "compiled": on arrays, by compiled kernels; "auto": as the size suggests. The region
        is the same.
    limits
        When to give up.

    Returns
    -------
    WinningRegion
        Its beliefs are of the problem's own states, without `canonical`.

    Raises
    ------
    ProblemError
        If it is a plain problem, or one with an adversary, or breaks its contract.
    LimitError
        If a limit or Ctrl-C came before it was known.

    Notes
    -----
    The greatest set of beliefs from which, in each of their states, a way of safe actions leads on to a won belief.
    O(n m) at the most for n pairs of a belief and a state and m ways from one to the next; mostly a few passes do.
    K. Chatterjee, L. Doyen, T. Henzinger and J.-F. Raskin, "Algorithms for omega-regular games with imperfect
    information" (2007); S. Junges, N. Jansen and S. Seshia, "Enforcing almost-sure reachability in POMDPs" (2021).

    Examples
    --------
    >>> from beliefsearch_problems.vacuum import VacuumProblem
    >>> region = winning_region(VacuumProblem(sensing="local", variant="slippery"))
    >>> region.start is not None, len(region) > 0
    (True, True)
    """
    require("find a winning region", problem)
    budget = Budget(limits)
    try:
        return evolve(call_within(budget, lambda: find_region(problem, engine, budget)), problem=problem)
    except STOPS as stop:
        raise LimitError(f"there is no winning region: {budget.why(stop)}") from None


def find_region(problem: Any, engine: str, budget: Budget) -> WinningRegion[Any, Any]:
    """`winning_region` within a budget whose signals the caller hears."""
    if engine not in _ENGINES:
        raise BeliefSearchError(f"there is no engine {engine!r} for a winning region; choose {', '.join(_ENGINES)}")
    problem = played_by(ALMOST_SURE, problem)
    if problem.has_adversary():
        name = type(problem).__name__
        raise ProblemError(f"{name} has an adversary, against whom nobody wins by keeping on trying: it has no region")
    if problem.overrides("canonical") or isinstance(problem, DistinctActionsHook):
        problem = UnreducedContingent(problem)
    if engine != "compiled":
        view = BitsetContingentView[Any, Any](problem, budget.tick)
        view.set_allowance(_SMALL if engine == "auto" else None)
        with suppress(EffortExceeded):
            return _in_python(view, budget)
    view = BitsetContingentView[Any, Any](problem, budget.tick)
    try:
        return _on_arrays(view, budget)
    except TooManyStates:
        raise BeliefSearchError(
            f"{type(problem).__name__} has too many states and actions for arrays; choose the engine bits"
        ) from None


def _in_python(view: BitsetContingentView[Any, Any], budget: Budget) -> WinningRegion[Any, Any]:
    kept = beliefs_to_keep_to(view, budget.tick)
    places: dict[Any, int] = {}

    def safe(belief: int) -> list[int]:
        if view.is_goal(belief):
            return []
        return [
            places.setdefault(action, len(places))
            for action in view.model.actions(belief)
            if kept.issuperset(after for _, after in view.outcomes(belief, action))
        ]

    found = [([*bit_numbers(belief)], safe(belief)) for belief in kept]
    start = [*bit_numbers(view.initial_node())]
    return region_of(view.problem, view.model.states, list(places), found, start)


def _on_arrays(view: BitsetContingentView[Any, Any], budget: Budget) -> WinningRegion[Any, Any]:
    import numpy as np

    from ..engine.compiled.belief_graph import winning_nodes
    from ..engine.compiled.belief_graph_builder import Unfolding
    from ..engine.compiled.bitset_words import members_of_words
    from ..engine.compiled.observed_model import ObservedModel

    budget.require_kernels()
    model = ObservedModel(view, budget.tick)
    unfolding = Unfolding(model)
    unfolding.finish(budget.tick)
    graph = unfolding.graph()
    kept, safe = winning_nodes(graph, model, budget.tick)

    def found() -> Iterator[tuple[list[int], list[int]]]:
        for node in np.flatnonzero(kept).tolist():
            budget.tick()
            first, last = graph.first_option[node], graph.first_option[node + 1]
            options = graph.actions[first:last][safe[first:last]]
            yield members_of_words(graph.beliefs[node]).tolist(), options.tolist()

    return region_of(view.problem, model.states, model.actions, found(), members_of_words(model.initial).tolist())
