"""Full-observability relaxation: the cost for a player who sees the state, against an adversary who chooses results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..engine.compiled.jit import kernel
from ..model.base import Cost
from ..model.exact import EXACT_FLOATS
from ..model.values import whole
from ..running.limits import TooDear
from .state_graph import BeliefSetting, StateGraph

_Array: TypeAlias = NDArray[Any]

# Elementary steps in one call of the kernel: a tenth of a second or so.
_STRETCH = 30_000_000


def perfect_sight_distances(graph: StateGraph) -> NDArray[np.float64]:
    """Return the least worst-case cost of each state for a player who sees the state.

    It is the least solution of V(s) = min over actions of cost + max over results of V, with V = 0 in goals; infinite
    in the *losing region*, where the adversary can keep the player from the goal for ever. O(transitions) for each
    sweep. More work than the graph's allowance raises `TooDear`.
    """
    values = np.where(graph.goals.any(axis=0), 0.0, np.inf)
    done, changed = 0, True
    while changed:
        changed, state = False, 0
        while state < graph.states:
            graph.tick()
            state, improved, left = _sweep(
                graph.offsets, graph.targets, graph.applies, graph.costs, values, state, _STRETCH
            )
            changed |= bool(improved)
            done += _STRETCH - left
            if graph.allowance is not None and done > graph.allowance:
                raise TooDear
    costs = graph.costs[graph.applies]
    # Sums of floats may be rounded up, unless they are whole numbers that floats hold exactly.
    exact = (costs == np.floor(costs)).all() and values[np.isfinite(values)].max(initial=0) < EXACT_FLOATS
    return values if exact else values * (1 - 1e-9)


def perfect_sight(setting: BeliefSetting, allowance: int | None) -> Callable[[Any], Cost]:
    """Return the heuristic: the largest distance of a member; consistent, and infinite only if there is no plan."""
    distances = perfect_sight_distances(setting.graph(allowance))

    def estimate(belief: Any) -> Cost:
        return whole(float(distances[setting.numbers(belief)].max()))

    return estimate


@kernel
def _sweep(
    offsets: _Array, targets: _Array, applies: _Array, costs: _Array, values: _Array, start: int, work: int
) -> tuple[int, bool, int]:
    """Relax states from `start` on until so much work is done.

    Returns the next state, whether any value changed, and the work that is left.
    """
    changed = False
    for state in range(start, applies.shape[1]):
        if work <= 0:
            return state, changed, work
        for action in range(applies.shape[0]):
            if not applies[action, state]:
                continue
            work -= 1 + offsets[action, state + 1] - offsets[action, state]
            worst = 0.0
            for place in range(offsets[action, state], offsets[action, state + 1]):
                worst = max(worst, values[targets[place]])
            value = costs[action, state] + worst
            if value < values[state]:
                values[state] = value
                changed = True
    return applies.shape[1], changed, work
