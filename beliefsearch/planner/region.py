"""Winning regions: from which beliefs a player can still win, almost surely or for certain, and what is safe there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Generic

from attrs import evolve, field, frozen

from ..engine.bits.bitset import bit_numbers
from ..engine.bits.contingent import BitsetContingentView
from ..engine.bits.strong_cyclic import beliefs_to_keep_to
from ..engine.views import view_of
from ..errors import BeliefSearchError, ProblemError
from ..kinds import played_by, require
from ..model.adapters import UnreducedContingent
from ..model.base import Action, State
from ..model.belief import Belief
from ..model.hooks import DistinctActionsHook
from ..model.problem import BeliefProblem
from ..model.stochastic import ALMOST_SURE, AnyProblem
from ..plans.winning_region import WinningRegion, region_of
from ..running.alarm import known_within
from ..running.limits import Budget, EffortExceeded, Limits, TooManyStates

# What takes more elementary steps in plain Python is done on arrays.
_SMALL = 50_000
_FEW_STEPS = 20_000_000
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
    region = known_within(budget, "there is no winning region", lambda: find_region(problem, engine, budget))
    return evolve(region, problem=problem)


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


def small_region(problem: Any, budget: Budget) -> WinningRegion[Any, Any] | None:
    """Return the winning region of a stochastic problem; None if that takes much work."""
    view = BitsetContingentView[Any, Any](played_by(ALMOST_SURE, problem), budget.tick)
    with suppress(EffortExceeded):
        return _on_arrays(view, budget, _FEW_STEPS)
    return None


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


def _on_arrays(
    view: BitsetContingentView[Any, Any], budget: Budget, most_steps: int | None = None
) -> WinningRegion[Any, Any]:
    import numpy as np

    from ..engine.compiled.belief_graph import winning_nodes
    from ..engine.compiled.belief_graph_builder import Unfolding
    from ..engine.compiled.bitset_words import members_of_words
    from ..engine.compiled.observed_model import ObservedModel

    budget.require_kernels()
    model = ObservedModel(view, budget.tick)
    unfolding = Unfolding(model)
    unfolding.finish(budget.tick, most_steps=most_steps)
    graph = unfolding.graph()
    kept, safe = winning_nodes(graph, model, budget.tick)

    def found() -> Iterator[tuple[list[int], list[int]]]:
        for node in np.flatnonzero(kept).tolist():
            budget.tick()
            first, last = graph.first_option[node], graph.first_option[node + 1]
            options = graph.actions[first:last][safe[first:last]]
            yield members_of_words(graph.beliefs[node]).tolist(), options.tolist()

    return region_of(view.problem, model.states, model.actions, found(), members_of_words(model.initial).tolist())


@frozen
class WinnableBeliefs(Generic[State]):
    """The maximal winnable beliefs, those won soonest first.

    A player can win from a belief if and only if it lies inside one of them.

    Attributes
    ----------
    beliefs
        Sets of states, each a maximal one.
    moves
        The least number of actions that is sure to win from each.
    start
        The number of one of them that includes the initial belief; None if none does.
    """

    beliefs: tuple[Belief[State], ...] = field(repr=False)
    moves: tuple[int, ...] = field(repr=False)
    start: int | None

    def __len__(self) -> int:
        return len(self.beliefs)


def winnable_beliefs(
    problem: BeliefProblem[State, Any, Any], *, limits: Limits | None = None
) -> WinnableBeliefs[State]:
    """Find the maximal beliefs from which a sensorless problem can be won, over all states that can come up.

    Parameters
    ----------
    problem
        A sensorless problem. Equivalent states (`canonical`) are one.
    limits
        When to give up.

    Raises
    ------
    LimitError
        If a limit or Ctrl-C came before they were known.

    Notes
    -----
    Layer by layer from the goal sets backwards: the states in which an action applies and always leads into a set that
    is won by k actions are won by k + 1. Sets inside others are dropped. There may be exponentially many; time is
    O(sets^2 + sets times actions) operations on bit sets.

    Examples
    --------
    >>> from beliefsearch_problems.devil import DevilProblem
    >>> found = winnable_beliefs(DevilProblem(n=3))
    >>> found.start, [sorted(belief) for belief in found.beliefs], found.moves
    (None, [['HHH', 'TTT']], (1,))
    """
    require("find winnable beliefs", problem)
    budget = Budget(limits)
    return known_within(budget, "the winnable beliefs are not known", lambda: find_winnable(problem, budget.tick))


def find_winnable(problem: Any, tick: Callable[[], None]) -> WinnableBeliefs[Any]:
    """Find them; limits are those of `tick`."""
    view: Any = view_of(problem)
    actions = view.all_actions()
    known: dict[int, int] = {}  # maximal sets so far, as bits, with the number of actions
    layer: list[int] = []

    def add(belief: int, moves: int) -> None:
        tick()
        if any(not belief & ~other for other in known):
            return
        for smaller in [other for other in known if not other & ~belief]:
            del known[smaller]
        known[belief] = moves
        layer.append(belief)

    for goals in view.goal_beliefs():
        add(goals, 0)
    moves = 0
    while layer:
        last, layer, moves = layer, [], moves + 1
        for belief in last:
            for action in actions if belief in known else ():
                before = view.preimage(belief, action)
                if before:
                    add(before, moves)
    start = view.initial_state()
    found = list(known)
    inside = next((number for number, belief in enumerate(found) if not start & ~belief), None)
    return WinnableBeliefs(tuple(frozenset(view.members(b)) for b in found), tuple(known.values()), inside)
