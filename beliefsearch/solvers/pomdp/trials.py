"""Heuristic search value iteration: trials from the start, which narrow the gap between two bounds.

T. Smith and R. Simmons, "Point-Based POMDP Algorithms: Improved Analysis and Implementation" (UAI 2005). A trial goes
down from the start by the action that the upper bound takes for best, to the percept under which the gap is too wide by
most, weighted by its probability; where it is narrow enough the trial ends, and both bounds are backed up along the way
back. What is narrow enough depends on the gap at the start, as in SARSOP (H. Kurniawati, D. Hsu and W. Lee, 2008), whose
beliefs are those, too, that good policies come to.

Each belief is compared only with those vectors and points that were found since it was looked at last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...running.limits import Outgrown
from .beliefs import Beliefs, Branches
from .first_bounds import fast_informed_bound
from .first_policies import first_policies
from .found import FoundBounds
from .growing import with_room
from .joint import NEVER, RULED_OUT, JointRows
from .lower import LowerBound, policy_graph_from
from .upper import UpperBound

if TYPE_CHECKING:
    from collections.abc import Callable

    from .arrays import PomdpArrays
    from .found import Floats, Integers

FIRST_DEPTH = 100
"""A trial ends after so many steps; each that does so for want of anything better lets the next go further."""
DEEPER = 1.1
SHARE_OF_GAP = 0.5
"""A trial aims at this share of the gap at the start."""
LEAST_GAIN = 1e-3
"""What is gained by less than this share of the precision is not worth a vector or a point."""


def is_narrow(lower: float, upper: float, precision: float) -> bool:
    """Whether two bounds are equal up to this share of the larger one."""
    return upper - lower <= precision * max(abs(lower), abs(upper))


def next_target(lower: float, upper: float, precision: float) -> tuple[float, float]:
    """The gap that the next trial aims at, given the bounds at the start; and the least gain that counts."""
    wanted = precision * max(abs(lower), abs(upper)) if lower > RULED_OUT else 0.0
    return max(wanted, SHARE_OF_GAP * (upper - lower)), LEAST_GAIN * wanted


class TrialSearch:
    """A search for the value of `arrays.start`, in NumPy; `run` may be interrupted, and `found` asked for, at any time.

    `start_value` is what is won before the first action; the precision is a share of all. Raises `ProblemError` if
    the problem's value may be infinite or its game cannot end.
    """

    def __init__(
        self, arrays: PomdpArrays, precision: float, tick: Callable[[], None], start_value: float = 0.0
    ) -> None:
        self._joint = joint = JointRows.of(arrays)
        self._precision = precision
        self._tick = tick
        self._start_value = start_value
        self._upper = UpperBound(fast_informed_bound(arrays, joint, tick))
        self._lower = LowerBound(joint, first_policies(arrays, joint, tick))
        self._beliefs = Beliefs(joint, arrays.start)
        # By belief: its bounds, the vector of the lower one, and the vectors and points that it was compared with.
        self._low = np.full(1, NEVER)
        self._high = np.full(1, np.inf)
        self._vector = np.zeros(1, np.int64)
        self._vectors_seen = np.zeros(1, np.int64)
        self._points_seen = np.zeros(1, np.int64)
        self._depth = float(FIRST_DEPTH)
        self.trials = 0
        self.backups = 0
        self._refresh(np.array([0]))

    @property
    def bounds(self) -> tuple[float, float]:
        """The bounds on the value of the start, with what is won before the first action."""
        return float(self._low[0]) + self._start_value, float(self._high[0]) + self._start_value

    @property
    def belief_count(self) -> int:
        """How many beliefs were met."""
        return self._beliefs.count

    def run(self, most_backups: int | None = None) -> None:
        """Search until the bounds are as narrow as they should be; raises `Outgrown` after so many back-ups."""
        while not is_narrow(*self.bounds, self._precision):
            if most_backups is not None and self.backups >= most_backups:
                raise Outgrown
            self._trial()
            self.trials += 1

    def found(self) -> FoundBounds:
        """What was found so far."""
        lower, upper = self._lower, self._upper
        instead = lower.instead if self._joint.discount < 1 else np.arange(len(lower.instead))
        graph = policy_graph_from(int(self._vector[0]), lower.vectors, lower.actions, lower.successors, instead)
        points = []
        for place in upper.lasting():
            states = np.flatnonzero(upper.beliefs[place])
            points.append((states, upper.beliefs[place][states], float(upper.values[place])))
        return FoundBounds.of(graph, upper.planes, points, upper.corners, float(self._low[0]), float(self._high[0]))

    def _trial(self) -> None:
        """Go down while the gap is too wide, and back up."""
        target, gain = next_target(*self.bounds, self._precision)
        path = [0]
        while True:
            self._tick()
            number = path[-1]
            branches = self._beliefs.branches(number)
            self._refresh(branches.beliefs)
            action = int(self._worth(branches, self._high).argmax())
            target /= self._joint.discount
            some = slice(branches.bounds[action], branches.bounds[action + 1])
            following = branches.beliefs[some]
            excess = branches.shares[some] * (self._high[following] - self._low[following] - target)
            if not len(excess) or excess.max() <= 0:
                break
            if len(path) >= self._depth:
                self._depth *= DEEPER
                break
            path.append(int(following[excess.argmax()]))
        for number in reversed(path):
            self._tick()
            self._back_up(number, gain)

    def _worth(self, branches: Branches, values: Floats) -> Floats:
        """By action, what it is worth if beliefs are worth these values."""
        after = branches.shares * values[branches.beliefs]
        total = np.append(0, np.cumsum(after))
        if len(after) and after.min() < RULED_OUT:  # differences of such sums say nothing
            pairs = zip(branches.bounds[:-1], branches.bounds[1:], strict=True)
            means = np.array([after[first:last].sum() for first, last in pairs])
        else:
            means = total[branches.bounds[1:]] - total[branches.bounds[:-1]]
        return np.where(branches.applies, branches.rewards + self._joint.discount * means, NEVER)

    def _refresh(self, numbers: Integers) -> None:
        """Compare beliefs with what was found since they were looked at last."""
        for name in ("_low", "_high", "_vector", "_vectors_seen", "_points_seen"):
            array = getattr(self, name)
            if len(array) < self._beliefs.count:
                known = len(array)
                array = with_room(array, self._beliefs.count)
                if name in ("_low", "_high"):
                    array[known:] = NEVER if name == "_low" else np.inf
                setattr(self, name, array)
        if not len(numbers):
            return
        rows = self._beliefs.rows[numbers]
        since = int(self._vectors_seen[numbers].min())
        if since < self._lower.count:
            values, vectors = self._lower.best(rows, since)
            better = values > self._low[numbers]
            self._low[numbers[better]], self._vector[numbers[better]] = values[better], vectors[better]
            self._vectors_seen[numbers] = self._lower.count
        since = int(self._points_seen[numbers].min())
        if since < self._upper.count or np.isinf(self._high[numbers]).any():
            self._high[numbers] = self._upper.value(rows, self._high[numbers], since)
            self._points_seen[numbers] = self._upper.count

    def _back_up(self, number: int, gain: float) -> None:
        """Improve both bounds of a belief by those of what may become of it."""
        self.backups += 1
        branches = self._beliefs.branches(number)
        self._refresh(np.append(branches.beliefs, number))
        high = float(self._worth(branches, self._high).max())
        if high < self._high[number] - gain:
            self._high[number] = high
            self._upper.add(number, self._beliefs.rows[number], high)
        worth = self._worth(branches, self._low)
        action = int(worth.argmax())
        if worth[action] > self._low[number] + gain and worth[action] > RULED_OUT:
            successors = np.full(self._joint.percept_count, self._vector[number])
            some = slice(branches.bounds[action], branches.bounds[action + 1])
            successors[branches.percepts[some]] = self._vector[branches.beliefs[some]]
            self._lower.add(action, successors)
            self._refresh(np.array([number]))
