"""Trials of heuristic search value iteration: their target gap, the base of their three forms, and their result."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from ...running.limits import EffortExceeded, LimitReached
from ...running.run import Run
from ...running.store.checkpoint import Checkpoint
from .blind_policies import first_policies
from .fast_informed_bound import fast_informed_bound
from .joint import RULED_OUT, JointRows, known_lower

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .arrays import Floats, Integers, PomdpArrays, Truths
    from .blocks import Blocks
    from .pomdp_model import PomdpModel

FIRST_DEPTH = 100
"""The longest path of the first trial; each trial that reaches the limit raises it by the factor `DEEPER`."""
DEEPER = 1.1

BY_PLANES, BY_CORNERS = -1, -2
"""Witnesses of upper bounds that are no points."""

SHARE_OF_GAP = 0.85
"""A trial aims at this share of the gap at the start."""
# The least gain of a vector or a point, relative to the precision.
_LEAST_GAIN = 1e-3
_ROUNDING = 1e-14
# The factor by which the target and the least gain shrink after a trial that changed nothing, and their limit.
_FINER = 1 / 8
_FINEST = 2.0**-60


@frozen(eq=False)
class Witnesses:
    """Record of the bounds that justify the values of points: an entry for each successor that was looked at.

    Entries of point j are from `bounds[j]` to `bounds[j + 1]`, in ascending order of `keys`: action times the number of
    percepts plus the percept. `witnesses` are points by their place, `BY_PLANES` or `BY_CORNERS`.
    """

    bounds: Integers
    keys: Integers
    witnesses: Integers


@frozen(eq=False)
class ShownBelief:
    """A belief (numbers of states, their probabilities) with an upper bound, and its justification.

    Other beliefs are referred to by their places. The bound follows from those of all successors, `children` with their
    action and percept; or from a belief that is a `part` of this one, or from a mean of points of the grid with the
    denominator `fine`, in both cases with planes for the rest; or, if none of these is given, from the planes.
    """

    states: Integers
    shares: Floats
    value: float
    children: Sequence[tuple[int, int, int]] | None
    part: int
    fine: int


@frozen(eq=False)
class FoundBounds:
    """A policy graph with its values, and an upper bound on the value of every belief; for S states and A actions.

    The policy graph begins at node 0. `vectors` has the expected reward by node and state, minus infinity where the
    node must not be used; `actions` has the action of each node, `successors` the next node by node and percept.

    `planes` is the fast informed bound, shape (A, S), minus infinity where the action does not apply or leads to a dead
    end. `points` are beliefs: numbers of states, their probabilities, and an upper bound on the value. `corners` are
    upper bounds on the values of beliefs with one state. `witnesses` justify the points, if the search recorded them,
    together with the planes of actions that were not looked at. `lower` and `upper` bound the value of the start,
    without the utility of terminal starts.

    `by_graph` is whether the bounds come from a graph of beliefs. `goes_on` is whether rewards have one sign and the
    policy may go on for ever without rewards; then `shown` are the beliefs that justify the upper bound, the start
    first. `model` is the model that was searched.

    If vectors are about one block of states each, `homes` has the blocks, and the block of each node: column i of its
    vector is about the state number i of the block, and the rest of the row is minus infinity.

    With a horizon, `left` has the number of actions left in each node, and upper bounds are about states with a number
    of actions left: state s with k actions left has the number `(k - 1) * S + s`.
    """

    vectors: Floats
    actions: Integers
    successors: Integers
    planes: Floats
    points: Sequence[tuple[Integers, Floats, float]]
    corners: Floats
    lower: float
    upper: float
    by_graph: bool = False
    goes_on: bool = False
    shown: Sequence[ShownBelief] | None = None
    left: Integers | None = None
    model: PomdpModel[Any, Any, Any] | None = None
    homes: tuple[Blocks, Integers] | None = None
    witnesses: Witnesses | None = None

    @property
    def columns(self) -> tuple[Integers, Truths]:
        """The states of the columns of each node's vector, and a mask without the padding."""
        if self.homes is not None:
            return self.homes[0].columns(self.homes[1])
        shape = self.vectors.shape
        return np.broadcast_to(np.arange(shape[1]), shape), np.ones(shape, np.bool_)


class Aim:
    """The target gap of the next trial, and the least gain that counts.

    Both are coarse as long as trials improve the bounds. After a trial that changed nothing, the next one would do the
    same again, so they become finer.
    """

    def __init__(self, precision: float) -> None:
        self._precision = precision
        self._share = 1.0
        self._before: tuple[object, float] = None, 0.0

    def after(self, state: object, depth: float) -> None:
        """Note the bounds after a trial, and the depth of the next one.

        Raises `LimitReached` if not even the finest trial changes the bounds, and the depth has not grown.
        """
        found, deepest = self._before
        if state == found:
            if self._share < _FINEST and depth == deepest:
                raise LimitReached(
                    "no trial changes anything any more: floats cannot tell the bounds apart, or the game can be kept "
                    "going at no cost"
                )
            self._share = max(self._share * _FINER, _FINEST * _FINER)
        self._before = state, depth

    def next(self, lower: float, upper: float, share_of_gap: float = SHARE_OF_GAP) -> tuple[float, float]:
        """Return the target gap and the least gain, from the bounds at the start."""
        if lower <= RULED_OUT:  # no policy is known: nothing is narrow enough
            return 0.0, self._share * _ROUNDING * abs(upper)
        size = max(abs(lower), abs(upper))
        wanted = self._precision * size
        target = max(wanted, share_of_gap * (upper - lower))
        return self._share * target, max(self._share * _LEAST_GAIN * wanted, _ROUNDING * size)


class Trials(ABC):
    """Search by trials for the value of `arrays.start`; `run` may be interrupted, and `found` asked for, at any time.

    `start_value` is the reward won before the first action; the precision is a share of the whole value. Raises
    `ProblemError` if the problem's value may be infinite or its game cannot end.
    """

    def __init__(self, arrays: PomdpArrays, precision: float, run: Run, start_value: float = 0.0) -> None:
        self._budget, self._observer = run.budget, run.observer
        self._checkpoint = run.checkpoint
        self._precision, self._start_value, self._aim = precision, start_value, Aim(precision)
        self._arrays = arrays
        self._begin(arrays)
        self._share = float(arrays.start.sum())
        self._start_belief = arrays.start / self._share
        self._depth = float(FIRST_DEPTH)
        self.trials = 0

    def _begin(self, arrays: PomdpArrays) -> None:
        """Find the first bounds."""
        self._joint = JointRows.of(arrays)
        self.planes = fast_informed_bound(arrays, self._joint, self._budget.tick)
        self._first = first_policies(arrays, self._joint, self._budget.tick)

    @abstractmethod
    def _start_bounds(self) -> tuple[float, float]:
        """Return the bounds on the value of the start, given that the game is not over there."""

    @abstractmethod
    def counts(self) -> list[int]:
        """Count back-ups, alpha vectors, points, and beliefs."""

    @abstractmethod
    def _trial(self, target: float, gain: float) -> None:
        """Make one trial with this target gap and least gain."""

    def _share_of_gap(self) -> float:
        """Return the ratio of the next trial's target to the gap at the start."""
        return SHARE_OF_GAP

    def _round_is_over(self) -> bool:
        """Whether trials of all kinds have been made, so that finer ones are needed if none changed anything."""
        return True

    @property
    def backups(self) -> int:
        """Count the beliefs that were backed up."""
        return self.counts()[0]

    @property
    def belief_count(self) -> int:
        """Count the beliefs that were met."""
        return self.counts()[-1]

    @property
    def bounds(self) -> tuple[float, float]:
        """The bounds on the value of the start, with the reward won before the first action."""
        lower, upper = self._start_bounds()
        return self._share * lower + self._start_value, self._share * upper + self._start_value

    def run(self, most_backups: int | None = None) -> None:
        """Search until the bounds are as narrow as they should be; raise `EffortExceeded` after so many backups."""
        checkpoint = self._checkpoint
        while True:
            lower, upper = self.bounds
            if upper - lower <= self._precision * max(abs(lower), abs(upper)):
                break
            if most_backups is not None and self.backups >= most_backups:
                raise EffortExceeded
            self._budget.check_expanded(self.backups)
            aim = self._aim.next(lower, upper, self._share_of_gap())
            self._trial(*(number / self._share for number in aim))
            self.trials += 1
            if self._round_is_over():
                self._aim.after((self.bounds, self.counts()[1:]), self._depth)
            lower, upper = self.bounds
            self._observer.narrowed(known_lower(lower), upper, self.belief_count)
            if checkpoint is not None and checkpoint.due():
                self._save(checkpoint)
        if checkpoint is not None:
            self._save(checkpoint)

    def _save(self, checkpoint: Checkpoint) -> None:
        """Save everything, between two trials."""
        # Only the compiled form is saved; the planner refuses a store for the others.
        raise NotImplementedError("this form of the search keeps no store")

    def _found(
        self,
        policy: tuple[Floats, Integers, Integers],
        points: Sequence[tuple[Integers, Floats, float]],
        corners: Floats,
        homes: tuple[Blocks, Integers] | None = None,
        witnesses: Witnesses | None = None,
    ) -> FoundBounds:
        """Return the result, with the vectors, actions and successors of a policy graph; see `FoundBounds`.

        Numbers below `RULED_OUT` become minus infinity.
        """

        def marked(numbers: Any) -> Any:
            return np.where(numbers > RULED_OUT, numbers, -np.inf)

        lower, upper = (float(marked(self._share * bound)) for bound in self._start_bounds())
        nodes, planes = (marked(policy[0]), *policy[1:]), marked(self.planes)
        return FoundBounds(*nodes, planes, points, marked(corners), lower, upper, homes=homes, witnesses=witnesses)
