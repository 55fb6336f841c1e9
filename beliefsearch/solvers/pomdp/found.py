"""What a search has found of the value of a POMDP: a policy, and bounds from both sides, for whoever proves them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from .joint import RULED_OUT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .growing import Floats, Integers


@frozen(eq=False)
class FoundBounds:
    """A policy graph with its values, and an upper bound on the value of every belief; for S states and A actions.

    Attributes
    ----------
    vectors
        By node of the policy graph and state: the expected reward from there on, shape (n, S); minus infinity where the
        node must not be used.
    actions
        By node: the number of its action, shape (n,).
    successors
        By node and percept: the next node, shape (n, O).
    root
        The node to begin with.
    planes
        By action and state: the fast informed bound, shape (A, S); minus infinity where the action does not lead on.
    points
        Beliefs as (numbers of states, their probabilities, an upper bound on the value).
    corners
        By state: an upper bound on the value of being sure of it, shape (S,).
    lower, upper
        The bounds on the value of the start, without what is won before the first action.
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
        """From the vectors, actions and successors of a policy graph that begins with node 0, and the rest.

        What a solver writes as a number far below all others becomes minus infinity.
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
