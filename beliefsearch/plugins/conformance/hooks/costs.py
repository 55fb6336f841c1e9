"""Rules about `PotentialHook` and `ConstructionHook`: the least cost is not below their bounds, nor above."""

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
from ....model.hooks import Construction, ConstructionHook, PotentialHook
from ....running.limits import EffortExceeded
from ....solvers.path.astar import astar_search
from ....solvers.path.breadth_first import breadth_first_search
from ....verify.plan import check_plan
from ..rule import Broken, NotHere, Partly, Transitions, evenly, given, rule, shortened

# Sums are compared in at most 200 beliefs, the first of which has at most 1,000 starts, and in at most 100,000 steps: a
# result of a state, or a comparison. So many actions are looked at that the first belief takes at most half of them.
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


# The most elementary steps of a search with which a closed form is compared: a tenth of a second's worth, or with the
# author's heuristic two seconds' worth. The most steps of single states for replaying its plan.
_MOST_SEARCHED, _MOST_ESTIMATED = 1_000_000, 20_000_000
_MOST_REPLAYED = 100_000


@rule(
    "construct",
    "construction() gives a plan that wins, and none is shorter; check_construction() agrees",
    ConstructionHook,
    why="Large instances are answered by the closed form and not by a search.",
)
def check_construction(problem: Any, transitions: Transitions) -> None:
    """Check the closed form: by its own checker, by the definition, and by a small search."""
    found = given(problem.construction())
    if not isinstance(found, Construction):
        raise Broken(f"construction() gave {found!r:.80}; it must give a Construction or None")
    try:
        length = problem.check_construction(found.evidence)
    except ValueError as error:
        raise Broken(f"check_construction() refuses the evidence of construction(): {error}") from error
    if length != found.length:
        raise Broken(f"construction() says {found.length}, and check_construction() proves {length} from its evidence")
    left_out = []
    starts = len(list(islice(initial_states(problem), _MOST_REPLAYED)))
    if length is not None and length * starts > _MOST_REPLAYED:
        left_out.append("its plan was not replayed")
    elif length is not None:
        verdict = check_plan(problem, (found.action_at(place) for place in range(length)))
        if not verdict.holds:
            raise Broken(f"its plan of {length} actions does not win: {verdict.complaint}")
    try:
        # Plain problems are included: their beliefs have one state.
        cost = _least_cost(problem) if problem.is_sensorless() and problem.has_unit_costs() else None
    except EffortExceeded:
        left_out.append("no search was made to compare it with")
    else:
        if cost not in (None, math.inf if length is None else length):
            there_is = "there is no plan" if cost == math.inf else f"a plan of {cost} actions wins"
            complaint = f"it says {'that there is no plan' if length is None else f'{length} actions'}, and {there_is}"
            raise Broken(complaint)
    if left_out:
        raise Partly(f"this is large: {' and '.join(left_out)}")


def _least_cost(problem: Any) -> Any:
    with suppress(EffortExceeded):
        return breadth_first_search(BitsetView(problem, allowance=_MOST_SEARCHED)).cost
    view = BitsetView(problem, allowance=_MOST_ESTIMATED)
    if not view.has_heuristic():
        raise EffortExceeded
    return astar_search(view, view.heuristic).cost
