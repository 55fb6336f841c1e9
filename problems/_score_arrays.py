"""Games of coin flips in arrays, for speed only: all reachable scores, layer by layer."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import gcd
from typing import Any, TypeAlias, TypeVar

from beliefsearch.hooks import ChanceArrays

Coin = TypeVar("Coin", bound=str)
Score: TypeAlias = tuple[int, int]
"""Flips made, and the score."""
_Chance: TypeAlias = float | Fraction
# Arrays of more states than this take more memory than they save time.
_MOST_LISTED = 4_000_000


def score_arrays(
    start: Score, flips: int, coins: Mapping[Coin, tuple[int, tuple[_Chance, _Chance]]], *, exact: bool
) -> ChanceArrays[Score, Coin] | None:
    """A game of so many `flips` that is won by a positive score, as arrays; None if it has too many states.

    `coins` has by coin how many points it wins or loses, and the probabilities that it does so. If it is `exact`,
    utilities are kept as whole numbers, not floats.
    """
    scores = _Scores(start, flips, *(value for value, _ in coins.values()))
    if len(scores) > _MOST_LISTED:
        return None
    import numpy as np

    layers = np.array(scores.layers)
    widths = np.diff([*scores.layers, len(scores)])
    made = np.repeat(np.arange(len(layers)), widths)  # counted from the start
    place = np.arange(len(scores)) - layers[made]
    # The last layer is terminal; what stands in its rows is not looked at.
    following = layers[np.minimum(made + 1, len(layers) - 1)] + place
    terminal = made == len(layers) - 1
    utilities = np.zeros(len(scores), object if exact else float)
    last = scores.start[1] + (place[terminal] - scores.reach * made[-1]) * scores.unit
    utilities[terminal] = (last > 0).astype(int).tolist()
    outcomes = {}
    for coin, (value, chances) in coins.items():
        # A layer is wider than the one before by `reach` at either end.
        step = value // scores.unit
        numbers = np.stack([following + scores.reach + step, following + scores.reach - step])
        outcomes[coin] = (numbers.T, np.array(chances))
    return ChanceArrays(scores, scores.layers, terminal, utilities, outcomes)


class _Scores(Sequence[Score]):
    """The numbering of the array hook: all reachable scores, and some between them, layer by layer.

    Scores that differ by less than the greatest common divisor of the coins' `values` cannot both come up.
    """

    def __init__(self, start: Score, flips: int, *values: int) -> None:
        self.start = start
        self.unit = gcd(*values)
        self.reach = max(values) // self.unit
        made = range(flips - start[0] + 1)
        # Layer m has 2 * reach * m + 1 scores, and so there are reach * m * (m - 1) + m before it.
        self.layers = [self.reach * m * (m - 1) + m for m in made]
        self._length = self.reach * len(made) * (len(made) - 1) + len(made)

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, place: Any) -> Any:
        found = range(len(self))[place]
        return self._at(found) if isinstance(found, int) else [*map(self._at, found)]

    def _at(self, number: int) -> Score:
        layer = bisect_right(self.layers, number) - 1
        return self._score(layer, number - self.layers[layer])

    def __iter__(self) -> Iterator[Score]:
        for layer in range(len(self.layers)):
            for place in range(2 * self.reach * layer + 1):
                yield self._score(layer, place)

    def _score(self, layer: int, place: int) -> Score:
        return self.start[0] + layer, self.start[1] + (place - self.reach * layer) * self.unit
