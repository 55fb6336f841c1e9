"""Heuristic search value iteration: trials from the start, which narrow the gap between two bounds.

T. Smith and R. Simmons, "Point-Based POMDP Algorithms: Improved Analysis and Implementation" (UAI 2005). A trial goes
down from the start by the action that the upper bound takes for best, to the percept under which the gap is too wide by
most, weighted by its probability; where it is narrow enough the trial ends, and both bounds are backed up on the way
back. What is narrow enough depends on the gap at the start, as in SARSOP (H. Kurniawati, D. Hsu and W. Lee, 2008).

Each belief is compared only with those vectors and points that were found since it was looked at last, and only where
that may matter: an upper bound that is not up to date is too high, but no less a bound. So of the actions that look
best only those have to be looked at that still do when they have been; and an action need not be asked for a better
lower bound if even its upper bound is no better.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...running.limits import Budget, Outgrown
from ...running.observer import Observer
from ...running.store.checkpoint import Checkpoint
from .arrays import with_room
from .beliefs import Beliefs, Branches
from .blind_policies import first_policies
from .exact_policy_values import FoundBounds
from .fast_informed_bound import fast_informed_bound
from .joint import NEVER, RULED_OUT, JointRows
from .lower import LowerBound
from .upper import UpperBound

if TYPE_CHECKING:
    from .arrays import Floats, Integers, PomdpArrays

FIRST_DEPTH = 100
"""A trial ends after so many steps; each that does so for want of anything better lets the next go further."""
DEEPER = 1.1
SHARE_OF_GAP = 0.85
"""A trial aims at this share of the gap at the start."""
LEAST_GAIN = 1e-3
"""What is gained by less than this share of the precision is not worth a vector or a point."""

_ROUNDING = 1e-14
# What is known by belief, and of the vectors of the lower bound.
_KNOWN = ("_low", "_high", "_vector", "_vectors_seen", "_points_seen")
_OF_LOWER = ("vectors", "actions", "successors", "instead")


def is_narrow(lower: float, upper: float, precision: float) -> bool:
    """Whether two bounds are equal up to this share of the larger one."""
    return upper - lower <= precision * max(abs(lower), abs(upper))


def next_target(lower: float, upper: float, precision: float) -> tuple[float, float]:
    """The gap that the next trial aims at, given the bounds at the start; and the least gain that counts."""
    if lower <= RULED_OUT:  # no policy is known: nothing is narrow enough
        return 0.0, _ROUNDING * abs(upper)
    size = max(abs(lower), abs(upper))
    wanted = precision * size
    return max(wanted, SHARE_OF_GAP * (upper - lower)), max(LEAST_GAIN * wanted, _ROUNDING * size)


class TrialSearch:
    """A search for the value of `arrays.start`, in NumPy; `run` may be interrupted, and `found` asked for, at any time.

    `start_value` is what is won before the first action; the precision is a share of all. With a `checkpoint` it goes
    on from what was kept, and keeps how far it has come. Raises `ProblemError` if the problem's value may be infinite
    or its game cannot end.
    """

    def __init__(
        self,
        arrays: PomdpArrays,
        precision: float,
        budget: Budget,
        start_value: float = 0.0,
        observer: Observer | None = None,
        checkpoint: Checkpoint | None = None,
    ) -> None:
        tick = budget.tick
        self._budget = budget
        self._joint = joint = JointRows.of(arrays)
        self._precision = precision
        self._tick = tick
        self._start_value = start_value
        self._observer = observer or Observer()
        self._upper = UpperBound(fast_informed_bound(arrays, joint, tick))
        self._lower = LowerBound(joint, first_policies(arrays, joint, tick))
        self._share = float(arrays.start.sum())
        self._start = arrays.start / self._share
        self._beliefs = Beliefs(joint, self._start)
        # By belief: its bounds, the vector of the lower one, and the vectors and points that it was compared with.
        self._known = 0
        self._low = self._high = np.zeros(0)
        self._vector = self._vectors_seen = self._points_seen = np.zeros(0, np.int64)
        self._depth = float(FIRST_DEPTH)
        self.trials = 0
        self.backups = 0
        self._extend()
        self._raise_low(np.array([0]))
        self._arrays = arrays
        self._checkpoint = checkpoint
        if checkpoint is not None and checkpoint.kept:
            self._go_on(checkpoint)

    @property
    def bounds(self) -> tuple[float, float]:
        """The bounds on the value of the start, with what is won before the first action."""
        return (
            self._share * float(self._low[0]) + self._start_value,
            self._share * float(self._high[0]) + self._start_value,
        )

    @property
    def belief_count(self) -> int:
        """Count the beliefs that were met."""
        return self._beliefs.count

    def run(self, most_backups: int | None = None) -> None:
        """Search until the bounds are as narrow as they should be; raises `Outgrown` after so many back-ups."""
        checkpoint = self._checkpoint
        while not is_narrow(*self.bounds, self._precision):
            if most_backups is not None and self.backups >= most_backups:
                raise Outgrown
            self._budget.check_expanded(self.backups)
            self._trial()
            self.trials += 1
            self._observer.narrowed(*self.bounds, self.belief_count)
            if checkpoint is not None and checkpoint.due():
                self._save(checkpoint)
        if checkpoint is not None:
            self._save(checkpoint)

    def found(self) -> FoundBounds:
        """Return the bounds and the policy found so far."""
        lower, upper = self._lower, self._upper
        graph = lower.policy_graph(int(self._vector[0]))
        points = []
        for place in upper.lasting():
            states = np.flatnonzero(upper.beliefs[place])
            points.append((states, upper.beliefs[place][states], float(upper.values[place])))
        low, high = float(graph[0][0] @ self._start), float(self._high[0])
        return FoundBounds.of(graph, upper.planes, points, upper.corners, self._share * low, self._share * high)

    def _save(self, checkpoint: Checkpoint) -> None:
        """Keep everything, between two trials."""
        self._extend()
        lower, upper, count = self._lower, self._upper, self._known
        state = {
            "model": self._arrays.digest,
            "trials": self.trials,
            "backups": self.backups,
            "depth": self._depth,
        }
        known = {name: getattr(self, name)[:count] for name in _KNOWN}
        checkpoint.save(
            state,
            {
                "beliefs": self._beliefs.rows[:count],
                **{name.strip("_").replace("_", "-"): array for name, array in known.items()},
                **{f"lower-{name}": getattr(lower, name)[: lower.count] for name in _OF_LOWER},
                "owners": upper.owners[: upper.count],
                "points": upper.values[: upper.count],
            },
        )

    def _go_on(self, checkpoint: Checkpoint) -> None:
        """Take up what was kept."""
        demand, kept, lower = checkpoint.demand, checkpoint.kept or {}, self._lower
        depth = kept.get("depth")
        if kept.get("model") != self._arrays.digest or not isinstance(depth, float):
            raise checkpoint.damaged()
        demand(depth >= FIRST_DEPTH)
        rows = checkpoint.array("beliefs", like=self._beliefs.rows)
        demand(len(rows) and (rows >= 0).all() and rows.any(axis=1).all() and (rows[0] == self._start).all())
        for number in range(1, len(rows)):
            self._tick()
            demand(self._beliefs.number(rows[number]) == number)
        self._extend()
        arrays = {name: checkpoint.array(f"lower-{name}", like=getattr(lower, name)) for name in _OF_LOWER}
        count = len(arrays["actions"])
        demand(count and all(len(array) == count for array in arrays.values()))
        for name, array in arrays.items():
            setattr(lower, name, array)
        lower.count = count
        for name in _KNOWN:
            array = checkpoint.array(name.strip("_").replace("_", "-"), like=getattr(self, name))
            demand(len(array) == len(rows))
            setattr(self, name, array)
        owners = checkpoint.array("owners", like=self._upper.owners)
        values = checkpoint.array("points", like=self._upper.values)
        demand(len(owners) == len(values))
        for array, below in (
            (lower.actions, len(self._joint.rewards)),
            (lower.successors, count),
            (lower.instead, count),
            (self._vector, count),
            (self._vectors_seen, count + 1),
            (self._points_seen, len(owners) + 1),
            (owners, len(rows)),
        ):
            demand(not array.size or (int(array.min()) >= 0 and int(array.max()) < below))
        demand(not any(np.isnan(array).any() for array in (rows, lower.vectors, self._low, self._high, values)))
        for owner, value in zip(owners.tolist(), values.tolist(), strict=True):
            self._tick()
            self._upper.add(owner, self._beliefs.rows[owner], value)
        self.trials, self.backups = checkpoint.number("trials"), checkpoint.number("backups")
        self._depth = depth

    def _trial(self) -> None:
        """Go down while the gap is too wide, and back up."""
        target, gain = (number / self._share for number in next_target(*self.bounds, self._precision))
        path = [0]
        while True:
            self._tick()
            branches = self._beliefs.branches(path[-1])
            self._extend()
            action = int(self._high_by_action(branches).argmax())
            target /= self._joint.discount
            some = slice(branches.bounds[action], branches.bounds[action + 1])
            following = branches.beliefs[some]
            self._raise_low(following)
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

    def _extend(self) -> None:
        """Make room for what is known of new beliefs."""
        known, count = self._known, self._beliefs.count
        if known == count:
            return
        for name in _KNOWN:
            setattr(self, name, with_room(getattr(self, name), count))
        self._low[known:count] = NEVER
        self._high[known:count] = self._upper.simple(self._beliefs.rows[known:count])
        self._known = count

    def _raise_low(self, numbers: Integers) -> None:
        """Compare beliefs with the vectors that were found since they were looked at last."""
        since = int(self._vectors_seen[numbers].min(initial=self._lower.count))
        if since < self._lower.count:
            values, vectors = self._lower.best(self._beliefs.rows[numbers], since)
            better = values > self._low[numbers]
            # In this order: one may be interrupted in between.
            self._vector[numbers[better]] = vectors[better]
            self._low[numbers[better]] = values[better]
            self._vectors_seen[numbers] = self._lower.count

    def _lower_high(self, numbers: Integers) -> None:
        """Compare beliefs with the points that were found since they were looked at last."""
        since = int(self._points_seen[numbers].min(initial=self._upper.count))
        if since < self._upper.count:
            self._high[numbers] = self._upper.value(self._beliefs.rows[numbers], self._high[numbers], since)
            self._points_seen[numbers] = self._upper.count

    def _worth(self, branches: Branches, action: int, values: Floats) -> float:
        """Return the value of an action if beliefs have these values."""
        if not branches.applies[action]:
            return NEVER
        some = slice(branches.bounds[action], branches.bounds[action + 1])
        mean = branches.shares[some] @ values[branches.beliefs[some]]
        return float(branches.rewards[action] + self._joint.discount * mean)

    def _high_by_action(self, branches: Branches) -> Floats:
        """Upper bounds of the actions; those of the greatest are up to date."""
        high = np.array([self._worth(branches, action, self._high) for action in range(len(branches.applies))])
        fresh = ~branches.applies
        while not fresh[best := int(high.argmax())]:
            self._lower_high(branches.beliefs[branches.bounds[best] : branches.bounds[best + 1]])
            high[best] = self._worth(branches, best, self._high)
            fresh[best] = True
        return high

    def _back_up(self, number: int, gain: float) -> None:
        """Improve both bounds of a belief by those of what may become of it."""
        self.backups += 1
        itself = np.array([number])
        branches = self._beliefs.branches(number)
        high = self._high_by_action(branches)
        promising = int(high.argmax())
        self._lower_high(itself)
        if high[promising] < self._high[number] - gain:
            self._high[number] = high[promising]
            self._upper.add(number, self._beliefs.rows[number], float(high[promising]))
        self._raise_low(itself)
        best, chosen = self._low[number] + gain, -1
        for action in (promising, *range(len(high))):
            if high[action] > best:
                self._raise_low(branches.beliefs[branches.bounds[action] : branches.bounds[action + 1]])
                low = self._worth(branches, action, self._low)
                if low > best and low > RULED_OUT:
                    best, chosen = low, action
        if chosen >= 0:
            successors = np.full(self._joint.percept_count, self._vector[number])
            some = slice(branches.bounds[chosen], branches.bounds[chosen + 1])
            successors[branches.percepts[some]] = self._vector[branches.beliefs[some]]
            self._lower.add(chosen, successors)
            self._raise_low(itself)
