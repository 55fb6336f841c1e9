"""Heuristic search value iteration (HSVI) in NumPy: short to read, quick to start, and the oracle of the kernels.

T. Smith and R. Simmons, "Heuristic Search Value Iteration for POMDPs" (UAI 2004) and "Point-Based POMDP Algorithms:
Improved Analysis and Implementation" (UAI 2005). The lower bound is the maximum of *alpha vectors*, each the value by
state of a policy. The upper bound is a *sawtooth*: beliefs with values, the points, below the planes of the fast
informed bound. A trial goes down from the start, by the action of the highest upper bound to the percept of the widest
excess gap, weighted by its probability. It ends where the gap is narrow enough, and backs up both bounds on the way
back. The target gap depends on the gap at the start, as in SARSOP (H. Kurniawati, D. Hsu and W. Lee, 2008).

A belief is compared only with vectors and points that are new to it: an outdated upper bound is still a bound.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from ...running.run import Run
from .arrays import GrowingTable
from .blind_policies import first_policies, policy_graph_from
from .fast_informed_bound import mdp_planes
from .joint import LEAST_END, NEVER, RULED_OUT, JointRows
from .trials import DEEPER, FoundBounds, Trials

if TYPE_CHECKING:
    from .arrays import Floats, Integers, PomdpArrays

# Beliefs are equal if no probability differs by more than this relative difference, since the bound of a point applies
# to a belief by the smallest ratio of their probabilities. Beliefs are hashed by rounded logarithms of probabilities.
_SAME = 1e-11
_LOGARITHM_UNIT = 1e-6


@frozen(eq=False)
class _Branches:
    """The successors of a belief, by action: expected reward, possible percepts, their probabilities, next beliefs."""

    rewards: Floats
    percepts: list[Integers]
    chances: list[Floats]
    following: list[Integers]


class TrialSearch(Trials):
    """HSVI on arrays of NumPy.

    `planes` and `corners` are upper bounds by action and state, and by state; `beliefs` and `vectors` have a row for
    each one that was met or found. `horizon_trials.py` has one such search for each number of actions left.
    """

    def __init__(self, arrays: PomdpArrays, precision: float, run: Run, start_value: float = 0.0) -> None:
        super().__init__(arrays, precision, run, start_value)
        self._set_up()
        self._start = self._number(self._start_belief)
        self._raise_lower(np.array([self._start]))

    def _set_up(self) -> None:
        """Make the tables, from the first planes and policies."""
        self._after: TrialSearch = self  # the search with the bounds of successors
        self.corners = self.planes.max(axis=0)  # upper bounds on the values of the beliefs with one state
        # A belief: its value by each plane, the largest of these, its bounds, its best alpha vector, the numbers of
        # vectors and points it was compared with, and its value as a point, or infinity.
        self.beliefs = GrowingTable(
            "belief", "planes", "simple", "lower", "upper", "vector", "vectors_seen", "points_seen", "point"
        )
        # An alpha vector: values, action, the next vector for each percept, and a vector that dominates it, or itself.
        self.vectors = GrowingTable("values", "action", "successors", "instead")
        self._points = GrowingTable("owner", "value")  # a later entry for a belief replaces an earlier one
        first = self._first
        for values, action, successors in zip(first.vectors, first.actions, first.successors, strict=True):
            self.vectors.append(values, action, successors, self.vectors.count)
        self._numbers: dict[tuple[bytes, bytes], list[int]] = {}
        self._branches: dict[int, _Branches] = {}
        self._backups = 0

    def _start_bounds(self) -> tuple[float, float]:
        return float(self.beliefs.lower[self._start]), float(self.beliefs.upper[self._start])

    def counts(self) -> list[int]:
        return [self._backups, self.vectors.count, self._points.count, self.beliefs.count]

    def found(self) -> FoundBounds:
        """Return the bounds and the policy found so far."""
        beliefs, vectors = self.beliefs, self.vectors
        root = int(beliefs.vector[self._start])
        nodes, successors = policy_graph_from(root, self._arrays, vectors.action, vectors.successors, vectors.instead)
        policy = vectors.values[nodes], vectors.action[nodes].astype(np.int64), successors
        return self._found(policy, self.found_points(), self.corners)

    def found_points(self) -> list[tuple[Integers, Floats, float]]:
        """Return beliefs as numbers of states and their probabilities, each with an upper bound."""
        beliefs = self.beliefs
        points = []
        for number in np.flatnonzero(np.isfinite(beliefs.point[: beliefs.count])) if beliefs.count else ():
            states = np.flatnonzero(beliefs.belief[number])
            points.append((states, beliefs.belief[number, states], float(beliefs.point[number])))
        return points

    def _trial(self, target: float, gain: float) -> None:
        """Go down while the gap is too wide, and back up on the way back."""
        path, anchor = [self._start], 0
        while True:
            self._budget.tick()
            target /= self._joint.discount
            following = self.widest(path[-1], target)
            depth = len(path) - 1
            if depth & (depth - 1) == 0:
                anchor = depth
            if following is None or following == path[anchor]:  # in a circle nothing is learned (R. Brent, 1980)
                break
            if len(path) >= self._depth:
                self._depth *= DEEPER
                break
            path.append(following)
        for number in reversed(path):
            self._budget.tick()
            self.back_up(number, gain)

    def widest(self, number: int, target: float) -> int | None:
        """Return the successor of the widest excess gap; None if no gap is wider than the target."""
        branches, beliefs = self._branch(number), self._after.beliefs
        action = int(self._upper_by_action(branches).argmax())
        following = branches.following[action]
        self._after._raise_lower(following)
        excess = branches.chances[action] * (beliefs.upper[following] - beliefs.lower[following] - target)
        return int(following[excess.argmax()]) if excess.max(initial=0.0) > 0 else None

    def back_up(self, number: int, gain: float) -> None:
        """Improve both bounds of a belief by those of its successors."""
        self._backups += 1
        beliefs, vectors, branches = self.beliefs, self.vectors, self._branch(number)
        upper = self._upper_by_action(branches)
        promising = int(upper.argmax())
        self._lower_upper(number)
        if upper[promising] < beliefs.upper[number] - gain:
            self._take_point(number, float(upper[promising]))
        self._raise_lower(np.array([number]))
        best, chosen = beliefs.lower[number] + gain, -1
        for action in (promising, *range(len(upper))):
            if upper[action] > best:  # otherwise no vector of this action improves the lower bound
                self._after._raise_lower(branches.following[action])
                value = self._q_value(branches, action, self._after.beliefs.lower)
                if value > best and value > RULED_OUT:
                    best, chosen = value, action
        if chosen >= 0:
            successors = self._otherwise(int(beliefs.vector[number]))
            successors[branches.percepts[chosen]] = self._after.beliefs.vector[branches.following[chosen]]
            values = self._joint.alpha_vector(chosen, self._after.vectors.values[successors])
            added = vectors.append(values, chosen, successors, vectors.count)
            alive = vectors.instead[:added] == np.arange(added)
            vectors.instead[:added][alive & (vectors.values[:added] <= values).all(axis=1)] = added
            self._raise_lower(np.array([number]))

    def _take_point(self, number: int, value: float) -> None:
        """Record an upper bound on the value of a belief as a point."""
        self.beliefs.upper[number] = self.beliefs.point[number] = value
        self._points.append(number, value)
        states = np.flatnonzero(self.beliefs.belief[number])
        if len(states) == 1:
            self.corners[states[0]] = min(self.corners[states[0]], value)

    def _otherwise(self, vector: int) -> Integers:
        """Return the successors of a new vector after impossible percepts; it will replace `vector`."""
        return np.full(self._joint.percept_count, vector)

    def _q_value(self, branches: _Branches, action: int, values: Floats) -> float:
        """Return the value of an action by these values of its successors."""
        mean = branches.chances[action] @ values[branches.following[action]]
        return float(branches.rewards[action] + self._joint.discount * mean)

    def _upper_by_action(self, branches: _Branches) -> Floats:
        """Return upper bounds of the actions; that of the best action is up to date."""
        fresh = branches.rewards <= RULED_OUT
        known = self._after.beliefs
        upper = np.array([self._q_value(branches, action, known.upper) for action in range(len(fresh))])
        while not fresh[best := int(upper.argmax())]:
            for number in branches.following[best].tolist():
                self._after._lower_upper(number)
            upper[best] = self._q_value(branches, best, known.upper)
            fresh[best] = True
        return upper

    def _number(self, belief: Floats) -> int:
        """Return the number of a belief, adding it if it is new."""
        key = np.flatnonzero(belief).tobytes(), np.rint(np.log(belief[belief > 0]) / _LOGARITHM_UNIT).tobytes()
        alike = self._numbers.setdefault(key, [])
        for number in alike:
            if (np.abs(self.beliefs.belief[number] - belief) <= _SAME * belief).all():
                return number
        planes = self.planes @ belief
        simple = max(float(planes.max()), NEVER)
        alike.append(self.beliefs.append(belief, planes, simple, NEVER, simple, 0, 0, 0, np.inf))
        return alike[-1]

    def _branch(self, number: int) -> _Branches:
        """Return the successors of a belief, computed on first use."""
        if number not in self._branches:
            rewards, matrix, after = self._joint.successors(self.beliefs.belief[number])
            percepts = [np.flatnonzero(row) for row in matrix]
            chances = [row[some] for row, some in zip(matrix, percepts, strict=True)]
            following = [
                [self._after._number(row) for row in rows[some]] for rows, some in zip(after, percepts, strict=True)
            ]
            numbers = [np.array(some, np.int64) for some in following]
            if self._joint.discount == 1 and not self._joint.improper and self._after is self:
                stays = [chance[after == number].sum() for chance, after in zip(chances, numbers, strict=True)]
                rewards[np.array(stays) > 1 - LEAST_END] = NEVER  # nothing comes of such an action
            self._branches[number] = _Branches(rewards, percepts, chances, numbers)
        return self._branches[number]

    def _raise_lower(self, numbers: Integers) -> None:
        """Raise the lower bounds of beliefs by the alpha vectors that are new to one of them."""
        beliefs, vectors = self.beliefs, self.vectors
        since = int(beliefs.vectors_seen[numbers].min(initial=vectors.count))
        if since == vectors.count:
            return
        new = since + np.flatnonzero(vectors.instead[since : vectors.count] == np.arange(since, vectors.count))
        values = beliefs.belief[numbers] @ vectors.values[new].T
        best = values.max(axis=1)
        better = best > beliefs.lower[numbers]
        # The order matters, since an interrupt may come in between.
        beliefs.vector[numbers[better]] = new[values.argmax(axis=1)[better]]
        beliefs.lower[numbers[better]] = best[better]
        beliefs.vectors_seen[numbers] = vectors.count

    def _lower_upper(self, number: int) -> None:
        """Lower the upper bound of a belief by the points that are new to it.

        If a belief is c times a point plus a rest, its value is at most c times the point's plus that of the rest by
        the planes that apply in the belief (M. Hauskrecht, JAIR 13, 2000, section 4.4, with planes instead of corners).
        """
        beliefs, points = self.beliefs, self._points
        since, simple = beliefs.points_seen[number], beliefs.simple[number]
        if since == points.count or simple <= RULED_OUT:
            return
        belief = beliefs.belief[number]
        upper = min(beliefs.upper[number], belief @ self.corners)
        owners, values = points.owner[since : points.count], points.value[since : points.count]
        # Skip replaced points, and those that would not lower the bound even with c = 1.
        useful = (values <= beliefs.point[owners]) & (beliefs.simple[owners] - values > simple - upper)
        if useful.any():
            owners, values = owners[useful], values[useful]
            parts = beliefs.belief[owners]
            shares = np.divide(belief, parts, out=np.full(parts.shape, np.inf), where=parts > 0).min(axis=1)
            planes = beliefs.planes[number] > RULED_OUT
            rest = beliefs.planes[number, planes] - shares[:, None] * beliefs.planes[owners][:, planes]
            upper = min(upper, (shares * values + rest.max(axis=1)).min())
        beliefs.upper[number] = upper
        beliefs.points_seen[number] = points.count


class FirstBounds(TrialSearch):
    """Bounds for a search that was stopped before it had any: first policies, and the values of the MDP."""

    def _begin(self, arrays: PomdpArrays) -> None:
        self._joint = JointRows.of(arrays)
        self.planes = mdp_planes(arrays, self._joint, self._budget.tick)
        self._first = first_policies(arrays, self._joint, self._budget.tick)
