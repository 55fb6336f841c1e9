"""Policy evaluation in a component: the linear equations v = r + P v of its states."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .model import ChanceModel

# Floats of more states than this are left to SciPy, which is then worth loading.
_SMALL = 60


def evaluate(
    model: ChanceModel[Any, Any],
    choices: Mapping[int, int],
    values: Sequence[Any],
    tick: Callable[[], None],
) -> dict[int, Any]:
    """By state of a component: the expected reward under these actions; `values` are those of the states outside.

    Without a discount the game must leave the component with certainty; then the equations have exactly one solution.
    A discount is as good as a chance to leave for nothing. Exact if all numbers
    are: elimination in O(n^3), but near n for components like chains. Floats of large components are solved by SciPy's
    sparse LU decomposition.
    """
    rows: dict[int, dict[int, Any]] = {}
    constants: dict[int, Any] = {}
    exits: dict[int, Any] = {}  # the probability of leaving the component
    for state, place in choices.items():
        discount: Any = model.discount
        rows[state], constants[state], exits[state] = {}, model.rewards[state][place], 1 - discount
        for probability, result in model.outcomes[state][place]:
            if result in choices:
                rows[state][result] = discount * probability
            else:
                constants[state] += discount * probability * values[result]
                exits[state] += discount * probability
    if model.exact or len(rows) <= _SMALL:
        return _eliminate(rows, constants, exits, tick)
    return _solve_sparse(rows, constants)


def _eliminate(
    rows: dict[int, dict[int, Any]], constants: dict[int, Any], exits: dict[int, Any], tick: Callable[[], None]
) -> dict[int, Any]:
    """Gaussian elimination, states with the fewest links first; each equation reads state = constant + row.

    Nothing is ever subtracted: the probability of not staying is the sum of all others. So floats lose no digits,
    however long the game stays. (W. Grassmann, M. Taksar and D. Heyman, 1985.)
    """
    used_by: dict[int, set[int]] = {state: set() for state in rows}
    for state, row in rows.items():
        for other in row:
            used_by[other].add(state)
    order = sorted(rows, key=lambda state: len(rows[state]) * len(used_by[state]))
    for state in order:
        row = rows[state]
        stays = row.pop(state, 0)
        if stays:
            # A whole number divided by one would be a float; a probability below 1 is never a whole number.
            leaves = exits[state] + sum(row.values())
            constants[state] /= leaves
            exits[state] /= leaves
            for other in row:
                row[other] /= leaves
        used_by[state].discard(state)
        for other in row:
            used_by[other].discard(state)
        for user in used_by[state]:
            tick()
            share = rows[user].pop(state)
            constants[user] += share * constants[state]
            exits[user] += share * exits[state]
            for other, probability in row.items():
                rows[user][other] = rows[user].get(other, 0) + share * probability
                used_by[other].add(user)
    solved: dict[int, Any] = {}
    for state in reversed(order):  # what is left of a row was eliminated later
        solved[state] = constants[state] + sum(p * solved[other] for other, p in rows[state].items())
    return solved


def _solve_sparse(rows: dict[int, dict[int, Any]], constants: dict[int, Any]) -> dict[int, Any]:
    import numpy as np
    from scipy.sparse import csc_array, eye_array
    from scipy.sparse.linalg import spsolve

    place_of = {state: place for place, state in enumerate(rows)}
    entries = [(place_of[state], place_of[other], p) for state, row in rows.items() for other, p in row.items()]
    across, down, shares = zip(*entries, strict=True) if entries else ((), (), ())
    inside = csc_array((np.array(shares, float), (across, down)), shape=(len(rows), len(rows)))
    solution = spsolve((eye_array(len(rows)) - inside).tocsc(), np.array([constants[state] for state in rows], float))
    return dict(zip(rows, solution.tolist(), strict=True))
