"""Incremental pruning: for every belief at once, the greatest expected reward in so many actions.

The value of a belief is the greatest of finitely many linear functions of it, *alpha vectors*. From those for one
action less, those of an action come by projecting them along each percept and adding up one for each; what is nowhere
the greatest is dropped after each addition (Cassandra, Littman, Zhang 1997), by linear programs (Lark's filter). In
floats; for small problems, as an oracle.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from beliefsearch.running.limits import Budget
from beliefsearch.solvers.pomdp.arrays import NEVER, PomdpArrays

if TYPE_CHECKING:
    from numpy.typing import NDArray

# By how much a vector must be the greatest somewhere to be kept, relative to the largest number there is.
_SLACK = 1e-9


def incremental_pruning(arrays: PomdpArrays, horizon: int, budget: Budget) -> NDArray[np.float64]:
    """The vectors for `horizon` actions, none of which is dominated by the others; shape (vectors, S), float64.

    Every action must apply in every state. O(horizon * A * O) prunings, each of as many linear programs as there
    are vectors. Raises `LimitReached` within a budget.
    """
    if (arrays.rewards <= NEVER).any():
        raise ValueError("every action must apply in every state")
    vectors = np.zeros((1, arrays.S))
    for _ in range(horizon):
        found = [_of_action(arrays, action, vectors, budget) for action in range(arrays.A)]
        vectors = pruned(np.concatenate(found), budget)
    return vectors


def _of_action(arrays: PomdpArrays, action: int, vectors: NDArray[np.float64], budget: Budget) -> NDArray[np.float64]:
    """The vectors of policies that begin with `action`."""
    outcomes = _dense(arrays.to_pointers, arrays.to_states, arrays.to_weights, action, arrays.S, arrays.S)
    percepts = _dense(
        arrays.percept_pointers, arrays.percept_numbers, arrays.percept_weights, action, arrays.S, arrays.O
    )
    sums = arrays.rewards[action][None, :]
    for percept in range(arrays.O):
        if not percepts[:, percept].any():
            continue
        projected = pruned(arrays.discount * (vectors * percepts[:, percept]) @ outcomes.T, budget)
        pairs = [first + second for first, second in product(sums, projected)]
        sums = pruned(np.array(pairs), budget)
    found: NDArray[np.float64] = sums
    return found


def _dense(
    pointers: NDArray[np.int64],
    numbers: NDArray[np.int64],
    weights: NDArray[np.float64],
    action: int,
    states: int,
    width: int,
) -> NDArray[np.float64]:
    """The rows of an action as a matrix of shape (S, width)."""
    matrix = np.zeros((states, width))
    for state in range(states):
        row = slice(pointers[action * states + state], pointers[action * states + state + 1])
        np.add.at(matrix[state], numbers[row], weights[row])
    return matrix


def pruned(vectors: NDArray[np.float64], budget: Budget) -> NDArray[np.float64]:
    """Those of the vectors, of shape (vectors, S), that are the greatest of all at some distribution."""
    from scipy.optimize import linprog

    rest = list(np.unique(vectors, axis=0))
    slack = _SLACK * max(1.0, float(np.abs(vectors).max()))
    kept: list[NDArray[np.float64]] = []
    corners = np.eye(vectors.shape[1])
    while rest:
        budget.tick()
        candidate = rest[-1]
        witness = corners[0] if not kept else _witness(candidate, np.array(kept), slack, linprog)
        if witness is None:
            rest.pop()
            continue
        values = np.array(rest) @ witness
        ties = np.flatnonzero(values >= values.max() - slack)
        # Of several that are the greatest there, the lexicographically greatest is so near by, too.
        best = max(ties, key=lambda place: tuple(rest[place]))
        kept.append(rest.pop(int(best)))
    found: NDArray[np.float64] = np.array(kept)
    return found


def _witness(
    candidate: NDArray[np.float64], kept: NDArray[np.float64], slack: float, linprog: object
) -> NDArray[np.float64] | None:
    """A distribution at which `candidate` is greater than all that are kept; None if there is none."""
    states = candidate.shape[0]
    # Variables: the distribution, and by how much the candidate is greater; the last is to be as large as possible.
    above = np.hstack([kept - candidate, np.ones((len(kept), 1))])
    found = linprog(  # type: ignore[operator]  # SciPy has no types
        np.append(np.zeros(states), -1.0),
        A_ub=above,
        b_ub=np.zeros(len(kept)),
        A_eq=np.append(np.ones(states), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * states + [(None, None)],
        method="highs",
    )
    if found.status != 0 or -found.fun <= slack:
        return None
    witness: NDArray[np.float64] = found.x[:states]
    return witness
