"""Trials of heuristic search value iteration: their aim, and the answer of all of them, in NumPy and in kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from ...running.limits import LimitReached
from .joint import RULED_OUT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .arrays import Floats, Integers

FIRST_DEPTH = 100

"""A trial ends after so many steps; each trial that does so lets the next go further."""

DEEPER = 1.1

# A trial aims at this share of the gap at the start.
_SHARE_OF_GAP = 0.85

# A gain below this share of the precision is not worth a vector or a point.
_LEAST_GAIN = 1e-3

_ROUNDING = 1e-14

# Where a trial changed nothing the next one is finer by this factor, down to this share.
_FINER = 1 / 8
_FINEST = 2.0**-60


@frozen(eq=False)
class FoundBounds:
    """A policy graph with its values, and an upper bound on the value of every belief; for S states and A actions.

    `vectors` has, by node of the policy graph and state, the expected reward from there on, minus infinity where the
    node must not be used; `actions` the number of the node's action, `successors` by node and percept the next node;
    `root` is the first. `planes` is the fast informed bound, shape (A, S), minus infinity where the action does not
    lead on; `points` are beliefs as (numbers of states, their probabilities, an upper bound on the value); `corners`
    are, by state, upper bounds on the value of being sure of it. `lower` and `upper` bound the value of the start,
    without what is won before the first action.
    """

    vectors: Floats
    actions: Integers
    successors: Integers
    root: int
    planes: Floats
    points: Sequence[tuple[Integers, Floats, float]]
    corners: Floats
    lower: float
    upper: float

    @classmethod
    def of(
        cls,
        graph: tuple[Floats, Integers, Integers],
        planes: Floats,
        points: Sequence[tuple[Integers, Floats, float]],
        corners: Floats,
        lower: float,
        upper: float,
    ) -> FoundBounds:
        """Make it of the vectors, actions and successors of a policy graph that begins with node 0, and the rest.

        A number below `RULED_OUT` becomes minus infinity.
        """
        vectors, actions, successors = graph
        return cls(
            np.where(vectors > RULED_OUT, vectors, -np.inf),
            actions,
            successors,
            0,
            np.where(planes > RULED_OUT, planes, -np.inf),
            points,
            np.where(corners > RULED_OUT, corners, -np.inf),
            lower if lower > RULED_OUT else -np.inf,
            upper if upper > RULED_OUT else -np.inf,
        )


def is_narrow(lower: float, upper: float, precision: float) -> bool:
    """Whether two bounds are equal up to this share of the larger one."""
    return upper - lower <= precision * max(abs(lower), abs(upper))


class Aim:
    """Gap that the next trial aims at, and the least gain that counts.

    Both are coarse as long as trials improve something. After a trial that changed nothing the next one would do the
    same again, so they become finer.
    """

    def __init__(self, precision: float) -> None:
        self._precision = precision
        self._share = 1.0
        self._before: tuple[object, float] = None, 0.0

    def after(self, state: object, depth: float) -> None:
        """Note what a trial has found, and how deep the next may go.

        Raises `LimitReached` if not even the finest trial changes what is found, and no deeper one is to come.
        """
        found, deepest = self._before
        if state == found:
            if self._share < _FINEST and depth == deepest:
                raise LimitReached("floats cannot tell the bounds apart any more")
            self._share = max(self._share * _FINER, _FINEST * _FINER)
        self._before = state, depth

    def next(self, lower: float, upper: float) -> tuple[float, float]:
        """Return both, given the bounds at the start."""
        if lower <= RULED_OUT:  # no policy is known: nothing is narrow enough
            return 0.0, self._share * _ROUNDING * abs(upper)
        size = max(abs(lower), abs(upper))
        wanted = self._precision * size
        target = max(wanted, _SHARE_OF_GAP * (upper - lower))
        return self._share * target, max(self._share * _LEAST_GAIN * wanted, _ROUNDING * size)
