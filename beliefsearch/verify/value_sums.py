"""Upper bounds on what an action is worth at many points at once: sums in whole numbers, rounded upwards.

The definition is in `value_upper.py`, and what is not shown here is looked at there. The sums are exact but in two
respects, each of which can only make a bound larger. Where probabilities have no common denominator of moderate length,
a sum of products is rounded up. And of a point less is taken out of a belief than there is: the share c is the least of
some quotients of positive numbers, reckoned in floats and then made smaller by more than these can be off. (A sum,
product or quotient of positive floats is off by at most 2^-53 of itself, however it is made, unless it is tiny.) What
is shown of U holds for every share that is not too large.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from .integer_pomdp import ValueGame, common_denominator
from .value_bounds import BY_CORNERS, BY_PLANES, WrittenBounds
from .whole_arrays import bits_of_digits, digits, exact_product, whole_array, wide_enough

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Whole = NDArray[Any]

# So many points are looked at together; more where there are many states, since what follows these is laid out anew.
_FEWEST_AT_ONCE, _MOST_AT_ONCE = 64, 512
# So many numbers are in one array. A point that needs more is looked at by the definition, which is slow, but sparse.
_MOST_NUMBERS = 20_000_000
# Shares are whole numbers of this many bits after the point.
_SHARE_BITS = 62
# Floats below this may be off by more than 2^-53 of themselves.
_TINY = 2.0**-900


@frozen(eq=False)
class _After:
    """Outcomes of an action in a state.

    `percepts` may come, in ascending order. By percept and plane, the last of which are the corners, `sums` has the sum
    of weight times plane over the results; `barred` where the plane does not apply in all of them.
    """

    percepts: NDArray[np.int64]
    sums: Whole
    barred: NDArray[np.bool_]


class PointSums:
    """All points of a proof in arrays."""

    def __init__(self, game: ValueGame, bounds: WrittenBounds, tick: Callable[[], None]) -> None:
        self.game = game
        self.bounds = bounds
        self.tick = tick
        columns = [[value or 0 for value in plane] for plane in bounds.planes]
        numbers = [value for column in (*columns, bounds.corners) for value in column]
        self.largest = max([1, *map(abs, numbers)])
        shape = len(columns) + 1, len(game.states)
        self.planes = whole_array(numbers).reshape(shape).T  # by state and plane, with the corners at the end
        self.barred = np.array([[value is None for value in plane] for plane in bounds.planes], np.bool_).T
        self.supports = [np.array([*point.weights], np.int64) for point in bounds.points]
        self.weights = [whole_array([*point.weights.values()]) for point in bounds.points]
        self.totals = np.array([point.total for point in bounds.points], object)
        self.values = np.array([point.value for point in bounds.points], object)
        self.shares = [np.array([weight / point.total for weight in point.weights.values()]) for point in bounds.points]
        self.worth = np.zeros((len(bounds.points), len(columns)), object)  # by point and plane
        for place, (support, weights) in enumerate(zip(self.supports, self.weights, strict=True)):
            tick()
            planes = self.planes[support, :-1].astype(object)
            self.worth[place] = (planes * weights.astype(object)[:, None]).sum(axis=0)

    def of_action(self, action: int) -> ActionSums:
        """The same for what one action leads to."""
        return ActionSums(self, action)


class ActionSums:
    """Outcomes of an action from every state and every point."""

    def __init__(self, every: PointSums, action: int) -> None:
        self._every = every
        self._action = action
        game = every.game
        self._outcomes = game.outcomes[action]
        self._perceived = game.perceived[action]
        self._fineness = common_denominator(row.total for row in self._perceived if row is not None)
        self._rows = common_denominator(row.total for row in self._outcomes if row is not None)
        self._paid = common_denominator(reward.denominator for reward in game.rewards[action] if reward is not None)
        self._rewards = [None if paid is None else _ceiling(paid * self._paid) for paid in game.rewards[action]]
        self._following = self._all_following()

    def after(self, state: int) -> Fraction | None:
        """The sum of F over what may follow in a state, times the unit; None if nothing can follow one of these."""
        found, row = self._following[state], self._outcomes[state]
        assert found is not None
        assert row is not None
        total = 0
        for sums, barred in zip(found.sums, found.barred, strict=True):
            allowed = [value for value, bar in zip(sums[:-1].tolist(), barred.tolist(), strict=True) if not bar]
            if not allowed:
                return None
            total += max(allowed)
        return Fraction(total, row.total * self._fineness)

    def unsure(self) -> Iterator[int]:
        """The points where the action applies and is not shown to be worth no more than the point's number."""
        every = self._every
        applies = np.array([row is not None for row in self._outcomes])
        points = [place for place, support in enumerate(every.supports) if applies[support].all()]
        at_once = min(max(_FEWEST_AT_ONCE, len(applies) // 2), _MOST_AT_ONCE)
        for first in range(0, len(points), at_once):
            every.tick()
            yield from self._unsure(points[first : first + at_once])

    def _all_following(self) -> list[_After | None]:
        every = self._every
        from_result = [None if row is None else self._perceived_in(state) for state, row in enumerate(self._perceived)]
        found: list[_After | None] = []
        for row in self._outcomes:
            every.tick()
            if row is None:
                found.append(None)
                continue
            parts = [(weight, self._part(from_result, result)) for result, weight in row.pairs]
            percepts = np.unique(np.concatenate([np.zeros(0, np.int64), *(part.percepts for _, part in parts)]))
            shape = len(percepts), every.planes.shape[1]
            sums: Whole = np.zeros(shape, wide_enough(row.total * (self._fineness * every.largest + 1)))
            barred = np.zeros((shape[0], shape[1] - 1), np.bool_)
            for weight, part in parts:
                places = np.searchsorted(percepts, part.percepts)
                sums[places] += part.sums.astype(sums.dtype) * weight
                barred[places] |= part.barred
            found.append(_After(percepts, sums, barred))
        return found

    @staticmethod
    def _part(from_result: Sequence[_After | None], result: int) -> _After:
        found = from_result[result]
        assert found is not None  # where an action leads to something is perceived
        return found

    def _perceived_in(self, state: int) -> _After:
        """Return, by percept that may come in this state, its probability, over the fineness, times each plane."""
        every, row = self._every, self._perceived[state]
        assert row is not None
        percepts = np.array([percept for percept, _ in row.pairs], np.int64)
        order = np.argsort(percepts)
        chances = np.array([weight for _, weight in row.pairs], object)[order]
        products = chances[:, None] * every.planes[state].astype(object)
        products = -(-products * self._fineness // row.total)  # rounded up
        barred = np.broadcast_to(every.barred[state], (len(percepts), every.barred.shape[1]))
        return _After(percepts[order], products, barred)

    def _unsure(self, points: Sequence[int]) -> Iterator[int]:
        every, game, unit = self._every, self._every.game, self._every.bounds.unit
        states = np.unique(np.concatenate([every.supports[point] for point in points]))
        rows = np.repeat(np.arange(len(points)), [len(every.supports[point]) for point in points])
        columns = np.searchsorted(states, np.concatenate([every.supports[point] for point in points]))
        weights = np.concatenate([every.weights[point].astype(object) for point in points])
        after = [self._following[state] for state in states.tolist()]
        percepts = np.unique(np.concatenate([found.percepts for found in after if found is not None]))
        results = {result for state in states.tolist() for result, _ in self._row(state)}
        if max(len(states) * every.planes.shape[1], len(results)) * len(percepts) > _MOST_NUMBERS:
            yield from self._unsure_in_parts(points)
            return
        bits = bits_of_digits(len(states))

        # The beliefs as a matrix, and what follows each state as another.
        beliefs = []
        for digit in digits(weights, bits):
            matrix = np.zeros((len(points), len(states)))
            matrix[rows, columns] = digit
            beliefs.append(matrix)
        planes = every.planes.shape[1]
        block = np.zeros((len(states), len(percepts), planes), object)
        comes = np.zeros((len(states), len(percepts)))
        barred = np.zeros((len(states), len(percepts), planes - 1))
        for place, found in enumerate(after):
            row = self._outcomes[states[place]]
            assert found is not None
            assert row is not None
            where = np.searchsorted(percepts, found.percepts)
            block[place, where] = -(-found.sums.astype(object) * self._rows // row.total)  # rounded up
            comes[place, where] = 1
            barred[place, where] = found.barred
        flat = block.reshape(len(states), -1)
        worth = exact_product(beliefs, digits(flat, bits), bits).reshape(len(points), len(percepts), planes)
        inside = np.zeros((len(points), len(states)))
        inside[rows, columns] = 1
        owner, percept = np.nonzero(inside @ comes)
        bars = (inside @ barred.reshape(len(states), -1) > 0).reshape(len(points), len(percepts), planes - 1)

        # The share of its witness in each child, and the bound that this gives.
        witness = self._witnesses(points, percepts)[owner, percept]
        count = np.zeros(len(owner), object)
        count[witness >= 0] = self._shares(points, rows, states, columns, percepts, owner, percept, witness)
        other = np.maximum(witness, 0)
        totals = np.where(witness >= 0, every.totals[other], 1) if len(every.totals) else np.ones(len(owner), object)
        scale = every.totals[points] * self._rows * self._fineness
        rest = worth[owner, percept, :-1] * (totals * (1 << _SHARE_BITS))[:, None]
        rest = rest - every.worth[other] * (count * scale[owner])[:, None]
        bar = bars[owner, percept]
        nothing = np.zeros(len(points), np.bool_)  # may follow: so the action is worth nothing at all
        nothing[owner[bar.all(axis=1)]] = True
        if bar.any():
            rest[bar] = rest.min() - 1
        bound = rest.max(axis=1) if len(owner) else count
        bound = bound + count * every.values[other] * totals * scale[owner] if len(owner) else bound
        bound = -(-bound // totals)  # rounded up
        corners = witness == BY_CORNERS
        bound[corners] = worth[owner[corners], percept[corners], -1] * (1 << _SHARE_BITS)

        following = np.zeros(len(points), object)
        np.add.at(following, owner, bound)
        paid = np.zeros(len(points), object)
        np.add.at(paid, rows, weights * np.array([self._rewards[state] for state in states], object)[columns])
        discount = game.discount
        left = every.values[points] * scale * (discount.denominator * self._paid << _SHARE_BITS)
        constant = unit * discount.denominator * self._rows * self._fineness << _SHARE_BITS
        right = paid * constant + following * (discount.numerator * self._paid)
        yield from (points[place] for place in np.flatnonzero((left < right) & ~nothing).tolist())

    def _unsure_in_parts(self, points: Sequence[int]) -> Iterator[int]:
        """The same of points that are too many, or of one that is too large."""
        if len(points) == 1:
            yield points[0]
            return
        half = len(points) // 2
        yield from self._unsure(points[:half])
        yield from self._unsure(points[half:])

    def _witnesses(self, points: Sequence[int], percepts: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return, by point and percept, the number of the witness."""
        found = np.full((len(points), len(percepts)), BY_PLANES, np.int64)
        place_of = {percept: place for place, percept in enumerate(percepts.tolist())}
        for place, point in enumerate(points):
            for percept, named in self._every.bounds.points[point].witnesses.get(self._action, {}).items():
                if percept in place_of:
                    found[place, place_of[percept]] = named
        return found

    def _shares(
        self,
        points: Sequence[int],
        rows: NDArray[np.int64],
        states: NDArray[np.int64],
        columns: NDArray[np.int64],
        percepts: NDArray[np.int64],
        owner: NDArray[np.int64],
        percept: NDArray[np.int64],
        witness: NDArray[np.int64],
    ) -> Whole:
        """Return, by child whose witness is a point, the share of it, times 2^62; rounded down."""
        every = self._every
        chosen = np.flatnonzero(witness >= 0)
        if not len(chosen):
            return np.zeros(0, object)
        results = np.unique([result for state in states.tolist() for result, _ in self._row(state)])
        beliefs = np.zeros((len(points), len(states)))
        beliefs[rows, columns] = _without_tiny(np.concatenate([every.shares[point] for point in points]))
        moves = np.zeros((len(states), len(results)))
        for place, state in enumerate(states.tolist()):
            pairs = self._row(state)
            moves[place, np.searchsorted(results, [result for result, _ in pairs])] = _without_tiny(
                np.array([chance for _, chance in pairs])
            )
        likely = np.zeros((len(results) + 1, len(percepts)))
        for place, result in enumerate(results.tolist()):
            perceived = self._perceived[result]
            assert perceived is not None
            some = [number for number, _ in perceived.pairs]
            known = np.searchsorted(percepts, some)
            likely[place, known] = _without_tiny(np.array([weight / perceived.total for _, weight in perceived.pairs]))
        arrived = np.zeros((len(points), len(results) + 1))  # the last is for whatever is never come to
        arrived[:, :-1] = beliefs @ moves
        place_of = np.full(len(every.game.states), len(results), np.int64)
        place_of[results] = np.arange(len(results))
        named = [every.supports[number] for number in witness[chosen].tolist()]
        lengths = np.array([len(support) for support in named])
        entries = place_of[np.concatenate(named)]
        of_child = np.repeat(chosen, lengths)
        there = _without_tiny(arrived[owner[of_child], entries] * likely[entries, percept[of_child]])
        shares = np.concatenate([every.shares[number] for number in witness[chosen].tolist()])
        quotients = there / np.maximum(shares, _TINY)
        least = np.minimum.reduceat(quotients, np.cumsum(lengths) - lengths)
        # Each quotient comes of fewer roundings than this.
        least = np.minimum(least * (1 - (len(states) + 16) * 2.0**-52), 1)
        return np.floor(least * 2.0**_SHARE_BITS).astype(np.int64).astype(object)

    def _row(self, state: int) -> list[tuple[int, float]]:
        row = self._outcomes[state]
        assert row is not None
        return [(result, weight / row.total) for result, weight in row.pairs]


def _ceiling(number: Fraction) -> int:
    return -(-number.numerator // number.denominator)


def _without_tiny(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(numbers < _TINY, 0, numbers)
