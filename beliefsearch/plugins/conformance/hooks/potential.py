"""The rule about `PotentialHook`: sums of potentials before and after actions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from typing import Any

from ....engine.bits.bitset import StateValues, mask_of
from ....engine.bits.sensorless import BitsetView
from ....model.belief import initial_states
from ....model.checked import checked_potential
from ....model.hooks import PotentialHook
from ....running.limits import EffortExceeded
from ..rule import Broken, NotHere, Partly, Transitions, evenly, rule, shortened

# Sums are compared along at most this many beliefs, the first of them made of so many starts, until so many results
# were asked for and sums compared. Of the actions of the first belief there are as many as half of that is enough for.
_MANY_BELIEFS = 200
_MANY_STARTS = 1000
_MANY_STEPS = 100_000


@rule(
    "potential",
    "no action lowers the sum of potential() over a belief by more than it costs; won states have none",
    PotentialHook,
    why="The sum is taken for a lower bound on the cost from there; one that falls too fast is none, and the best plan "
    "is missed.",
)
def check_potential(problem: Any, transitions: Transitions) -> None:
    """Check that no action lowers the sum too much."""
    if not problem.is_sensorless():
        raise NotHere
    for state in transitions:
        if problem.potential(state) and any(state in goals for goals in problem.goal_sets()):
            raise Broken(f"potential({state!r}) is not 0, but the player has won there", state)
    steps = 0

    def step() -> None:
        nonlocal steps
        steps += 1
        if steps > _MANY_STEPS:
            raise EffortExceeded

    view: BitsetView[Any, Any] = BitsetView(problem, step)
    total = StateValues(lambda number: checked_potential(problem, view.model.states[number])).total
    starts = list(islice(initial_states(problem), _MANY_STARTS + 1))
    frontier = [mask_of(view.model.number(state) for state in starts[:_MANY_STARTS])]
    met = set(frontier)
    results = (results for by_action in transitions.values() for results in by_action.values())
    most_results = max(map(len, results), default=1)
    every: Sequence[Any] = ()
    looked_at: set[Any] = set()
    with suppress(EffortExceeded):
        every = view.actions(frontier[0])
        looked_at = set(evenly(every, max(1, _MANY_STEPS // 2 // (view.size(frontier[0]) * most_results))))
        for belief in frontier:  # grows while it is walked: breadth-first
            before = total(belief)
            for action in view.actions(belief):
                if len(looked_at) < len(every) and action not in looked_at:
                    continue
                step()
                after = view.result(belief, action)
                drop, cost = before - total(after), view.action_cost(belief, action)
                if drop > cost and not math.isclose(drop, cost):
                    written = shortened(problem, view.members(belief))
                    raise Broken(f"action {action!r} costs {cost} and lowers the sum over {written} by {drop}")
                if after not in met:
                    met.add(after)
                    frontier += [after] * (len(frontier) < _MANY_BELIEFS)
    whole = len(starts) <= _MANY_STARTS and len(looked_at) == len(every) and len(met) == len(frontier)
    if not whole or steps > _MANY_STEPS:
        of_starts = f" from the first {_MANY_STARTS:,} starts" if len(starts) > _MANY_STARTS else ""
        raise Partly(f"along {len(frontier):,} beliefs{of_starts}, with {len(looked_at):,} of {len(every):,} actions")
