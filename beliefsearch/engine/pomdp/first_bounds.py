"""The first bounds of large models, in place: no table is as long as there are groups of percepts.

They are those of `solvers/pomdp/blind_policies.py` and `solvers/pomdp/fast_informed_bound.py`, by sweeps in which a
value that has changed counts at once (Gauss and Seidel). Values of policies rise from below what they are, and the fast
informed bound falls from above; so any sweep may be the last.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...running.limits import STOPS
from ...solvers.pomdp.arrays import NEVER
from ...solvers.pomdp.blind_policies import FirstPolicies
from ..compiled.jit import kernel
from .belief_tree import Rows

if TYPE_CHECKING:
    from ...solvers.pomdp.arrays import Floats, PomdpArrays

# Models of fewer pairs of a row and a plane are left to NumPy and SciPy.
_LARGE = 4_000_000
# Sweeps end when no value changes by more than this share of the largest reward, or after so many; those of the planes
# also after so many steps.
_RISE, _MOST_SWEEPS = 1e-9, 2000
_FALL, _MOST_STEPS = 1e-7, 4_000_000_000
# What sums may miss by rounding, as a share of the largest value.
_ROUNDING = 1e-13


def are_large(arrays: PomdpArrays) -> bool:
    """Whether sweeps are called for, and possible: with a discount, and where every action applies."""
    return arrays.rewards.size * arrays.A > _LARGE and arrays.discount < 1 and bool((arrays.rewards > NEVER).all())


def swept_bounds(arrays: PomdpArrays, tick: Callable[[], None]) -> tuple[Floats, FirstPolicies, BaseException | None]:
    """Find the planes of the fast informed bound, shape (A, S), and the blind policies.

    Where a limit is reached, or at an interrupt, it is those found so far, and what stopped the sweeps.
    """
    size, actions, discount = arrays.S, arrays.A, arrays.discount
    rewards = arrays.rewards
    scale = max(1e-9, float(np.abs(rewards).max()))
    vectors = np.repeat(np.minimum(rewards.min(axis=1), 0.0)[:, None] / (1 - discount), size, axis=1)
    planes = np.full((size, actions), max(0.0, float(rewards.max())) / (1 - discount))
    rows = Rows.of(arrays, rewards, planes)
    stop: BaseException | None = None

    def settle(values: Floats, first: int, end: int) -> None:
        """Raise values by the best of these actions until they hardly change."""
        for sweep in range(_MOST_SWEEPS):
            tick()
            if sweep_values(values, first, end, sweep % 2, rows, discount) <= _RISE * scale:
                break

    try:
        for action in range(actions):
            settle(vectors[action], action, action + 1)
        values = vectors.max(axis=0)
        settle(values, 0, actions)
        excess = after_all(rows, values, discount)
        planes += discount * (excess + _ROUNDING * scale) / (1 - discount)
        sums, met, best = np.zeros((arrays.O, actions)), np.zeros(2 * arrays.O, np.int64), planes.max(axis=1)
        for sweep in range(10 + int(_MOST_STEPS // (10 * rewards.size))):
            tick()
            if sweep_planes(rows, best, sweep % 2, discount, sums, met) <= _FALL * scale:
                break
    except STOPS as stopped:
        stop = stopped
    vectors -= _ROUNDING * np.maximum(scale, np.abs(vectors).max(axis=1))[:, None]
    blind = np.arange(actions)
    return planes.T, FirstPolicies(vectors, blind, np.repeat(blind[:, None], arrays.O, axis=1)), stop


@kernel
def sweep_values(values: Any, first: int, end: int, back: int, rows: Rows, discount: float) -> float:
    """Raise each value once to what the best of the actions from `first` to `end` gives; return the greatest rise."""
    pointers, states, weights, rewards = rows.to_pointers, rows.to_states, rows.to_weights, rows.rewards
    rise = 0.0
    size = len(values)
    for i in range(size):
        state = size - 1 - i if back else i
        best = -np.inf
        for action in range(first, end):
            row = action * size + state
            mean = 0.0
            for entry in range(pointers[row], pointers[row + 1]):
                mean += weights[entry] * values[states[entry]]
            best = max(best, rewards[action, state] + discount * mean)
        if best > values[state]:
            rise = max(rise, best - values[state])
            values[state] = best
    return rise


@kernel
def after_all(rows: Rows, values: Any, discount: float) -> float:
    """Write to the planes, by state and action, what an action gives; return how much the best exceeds the values."""
    pointers, states, weights, planes = rows.to_pointers, rows.to_states, rows.to_weights, rows.planes
    excess = 0.0
    size, actions = planes.shape
    for state in range(size):
        best = -np.inf
        for action in range(actions):
            row = action * size + state
            mean = 0.0
            for entry in range(pointers[row], pointers[row + 1]):
                mean += weights[entry] * values[states[entry]]
            planes[state, action] = rows.rewards[action, state] + discount * mean
            best = max(best, planes[state, action])
        excess = max(excess, best - values[state])
    return excess


@kernel
def sweep_planes(rows: Rows, best: Any, back: int, discount: float, sums: Any, met: Any) -> float:
    """Lower each number of the planes once; returns the greatest fall. `best` has the greatest number of a state.

    `sums`, by percept and plane, and `met`, a mark by percept and a list of percepts, are room to work in.
    """
    pointers, states, weights = rows.to_pointers, rows.to_states, rows.to_weights
    percept_pointers, percept_numbers, planes = rows.percept_pointers, rows.percept_numbers, rows.planes
    fall = 0.0
    size, actions = planes.shape
    percepts = len(sums)
    for i in range(size):
        state = size - 1 - i if back else i
        for action in range(actions):
            row = action * size + state
            total = 0.0
            if pointers[row + 1] - pointers[row] == 1:  # whatever is perceived, the state is known
                total = weights[pointers[row]] * best[states[pointers[row]]]
            else:
                count = 0
                for entry in range(pointers[row], pointers[row + 1]):
                    target = states[entry]
                    seen = rows.percept_rows[action * size + target]
                    for k in range(percept_pointers[seen], percept_pointers[seen + 1]):
                        percept = percept_numbers[k]
                        if met[percept] == 0:
                            met[percept] = 1
                            met[percepts + count] = percept
                            count += 1
                            sums[percept] = 0.0
                        chance = weights[entry] * rows.percept_weights[k]
                        for plane in range(actions):
                            sums[percept, plane] += chance * planes[target, plane]
                for place in range(count):
                    percept = met[percepts + place]
                    met[percept] = 0
                    total += sums[percept].max()
            value = rows.rewards[action, state] + discount * total
            if value < planes[state, action]:
                fall = max(fall, planes[state, action] - value)
                planes[state, action] = value
        best[state] = planes[state].max()
    return fall
