"""The transitions of a belief problem as arrays, from which heuristics on physical states are computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from ..engine.compiled.jit import inner_kernel
from ..running.limits import TooDear


@frozen(eq=False)
class StateGraph:
    """The states of a belief problem by number, with the results and costs of each action.

    Attributes
    ----------
    offsets, targets
        The results of action a in state s are `targets[offsets[a, s] : offsets[a, s + 1]]`.
    applies
        Whether action a applies in state s; shape (actions, states).
    costs
        What it costs there; shape (actions, states), float64.
    goals
        Whether state s is in goal set g; shape (goal sets, states).
    tick
        Called between two stretches of work; raises to stop.
    seconds_left
        How long a stretch may take, for libraries that cannot call `tick`.
    allowance
        The most elementary steps a table may take; None for any number.
    """

    offsets: NDArray[np.int64]
    targets: NDArray[Any]
    applies: NDArray[np.bool_]
    costs: NDArray[np.float64]
    goals: NDArray[np.bool_]
    tick: Callable[[], None]
    seconds_left: Callable[[], float]
    allowance: int | None = field(default=None)

    @property
    def states(self) -> int:
        """How many states there are."""
        return int(self.applies.shape[1])


# Elementary steps in one call of a kernel: a tenth of a second or so.
_STRETCH = 30_000_000


def settled(values: NDArray[np.float64], graph: StateGraph, sweep: Callable[..., Any]) -> NDArray[np.float64]:
    """Repeat Bellman updates of the table `values` until nothing changes; gives lower bounds.

    `sweep(offsets, targets, applies, costs, values, start, work)` relaxes rows from `start` on until that
    much work is done, and returns the next row, whether anything changed, and the work that is left. More work than
    the graph's allowance raises `TooDear`.
    """
    done = 0
    changed = True
    while changed:
        changed = False
        row = 0
        while row < graph.states:
            graph.tick()
            row, improved, left = sweep(graph.offsets, graph.targets, graph.applies, graph.costs, values, row, _STRETCH)
            changed |= bool(improved)
            done += _STRETCH - left
            if graph.allowance is not None and done > graph.allowance:
                raise TooDear
    costs = graph.costs[graph.applies]
    # Sums of floats may exceed the bound by rounding.
    return values if bool((costs == np.floor(costs)).all()) else values * (1 - 1e-9)


@inner_kernel
def worst_result(
    offsets: NDArray[np.int64], targets: NDArray[Any], values: NDArray[np.float64], action: int, state: int
) -> float:
    """The largest value of a result of `action` in `state`."""
    worst = 0.0
    for place in range(offsets[action, state], offsets[action, state + 1]):
        worst = max(worst, values[targets[place]])
    return worst
