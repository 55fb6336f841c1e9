"""The largest knowledge that still wins: the maximal beliefs from which a sensorless player can win."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic

from attrs import field, frozen

from ..engine.views import view_of
from ..errors import LimitError
from ..kinds import require
from ..model.base import State
from ..model.belief import Belief
from ..model.problem import BeliefProblem
from ..running.alarm import call_within
from ..running.limits import STOPS, Budget, Limits


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
    try:
        return call_within(budget, lambda: find_winnable(problem, budget.tick))
    except STOPS as stop:
        raise LimitError(f"the winnable beliefs are not known: {budget.why(stop)}") from None


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
