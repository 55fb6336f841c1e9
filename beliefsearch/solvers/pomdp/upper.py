"""The upper bound: beliefs with values, the *points*, over the planes of the fast informed bound.

The value function is convex, and a policy for a belief is one for each part of it. So of a belief x that is c times a
point b and a rest, the value is at most c times the point's and what the planes say of the rest (a "sawtooth",
M. Hauskrecht, JAIR 13, 2000, section 4.4, over planes instead of corners). As for the planes, only those count that
apply in x: a policy for x does an action that does. Besides, there are upper bounds for the corners, the states
themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import with_room
from .joint import NEVER, RULED_OUT

if TYPE_CHECKING:
    from .arrays import Floats

# So many numbers are worked with at a time.
_MOST_AT_ONCE = 2_000_000


class UpperBound:
    """Planes, corners, and a log of points; a point with a better value is logged anew, and the old one dropped."""

    def __init__(self, planes: Floats) -> None:
        self.planes = planes
        self.corners = planes.max(axis=0)
        self.count = 0
        self.owners = np.zeros(0, np.int64)  # by point: the number of its belief
        self.values = np.zeros(0)
        self.beliefs = np.zeros((0, planes.shape[1]))
        self._worth = np.zeros((0, len(planes)))  # by point and plane
        self._gains = np.zeros(0)  # by point: how far it is below the planes
        self._dropped = np.zeros(0, np.bool_)
        self._latest: dict[int, int] = {}

    def add(self, owner: int, belief: Floats, value: float) -> None:
        """Log a point."""
        place = self.count
        for name in ("owners", "values", "beliefs", "_worth", "_gains", "_dropped"):
            setattr(self, name, with_room(getattr(self, name), place + 1))
        self.owners[place], self.values[place], self.beliefs[place] = owner, value, belief
        self._worth[place] = self.planes @ belief
        self._gains[place] = self._worth[place].max() - value
        if owner in self._latest:
            self._dropped[self._latest[owner]] = True
        self._latest[owner] = place
        self.count += 1
        sure = np.flatnonzero(belief)
        if len(sure) == 1:
            self.corners[sure[0]] = min(self.corners[sure[0]], value)

    def lasting(self) -> list[int]:
        """The places of the points that are not dropped."""
        return list(self._latest.values())

    def simple(self, beliefs: Floats) -> Floats:
        """Upper bounds of beliefs, shape (k, S), by the planes alone."""
        return np.asarray(np.maximum((beliefs @ self.planes.T).max(axis=1), NEVER))

    def value(self, beliefs: Floats, known: Floats, since: int) -> Floats:
        """Upper bounds of beliefs, shape (k, S), given `known` ones; only points from `since` on are looked at."""
        worth = beliefs @ self.planes.T
        simple = worth.max(axis=1)
        bounds = np.minimum(known, beliefs @ self.corners)
        points = since + np.flatnonzero(~self._dropped[since : self.count])
        # Others would not lower a bound even if they were all of the belief.
        points = points[self._gains[points] > (simple - bounds).min(initial=np.inf)]
        at_once = max(1, _MOST_AT_ONCE // (len(beliefs) * (beliefs.shape[1] + len(self.planes)) + 1))
        for first in range(0, len(points), at_once):
            some = points[first : first + at_once]
            bounds = np.minimum(bounds, self._over(beliefs, worth, some))
        found: Floats = np.where(simple <= RULED_OUT, NEVER, bounds)
        return found

    def _over(self, beliefs: Floats, worth: Floats, points: Any) -> Floats:
        """The least bound by one of these points, for each belief."""
        places = self.beliefs[points]
        inside = places > 0
        inverse = np.where(inside, 1 / np.where(inside, places, 1), 0)
        outside = np.where(inside, 0, np.inf)
        shares = (beliefs[:, None, :] * inverse + outside).min(axis=2)
        # Minus infinity for planes that do not apply: of two such numbers the difference says nothing.
        rest = np.where(worth > RULED_OUT, worth, -np.inf)[:, None, :] - shares[:, :, None] * self._worth[points]
        found: Floats = (shares * self.values[points] + rest.max(axis=2)).min(axis=1)
        return found
