"""Totals where actions only tell starts apart: bounds by the sizes of parts, one action further, then all the way.

Such a game never goes round in circles: every action that matters leaves smaller sets, so plain recursion will do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..verify.proof_game import ENDED, Game, Weights
from ..verify.proof_symmetry import classes
from .mean_totals import Totals
from .symmetries import KnownSymmetries

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Symmetries are looked for in sets of at least so many starts; in small ones that takes longer than what it saves.
_LARGE = 60


def only_tells_apart(game: Game) -> bool:
    """Whether no action of the game changes a state, but for ending it, and all apply everywhere at one cost."""
    states = np.arange(len(game.states), dtype=game.results.dtype)[:, None]
    plain = bool(((game.results == states) | (game.results == ENDED)).all())
    return plain and len(game.actions) > 0 and bool((game.costs == game.costs[0, 0]).all())


class DividedTotals(Totals):
    """Bounds by branch and bound over sets of starts."""

    def __init__(self, game: Game, symmetries: KnownSymmetries, tick: Callable[[], None]) -> None:
        self._game = game
        self._symmetries = symmetries
        self._tick = tick
        self._lower: dict[Weights, int] = {}
        self._exact: set[Weights] = set()
        self._looked: set[Weights] = set()
        # Of so few starts the number alone tells the total: one after the other is ended, at the least cost there is.
        self._plain = 0
        if (game.results == ENDED).any(axis=1).all():
            self._plain = 2 if game.capacities[0] == 1 else 1

    def known(self, belief: Weights) -> int:
        return max(self._lower.get(belief, 0), self._game.at_least(belief))

    def find(self, belief: Weights, wanted: int) -> int:
        low = self.known(belief)
        if low >= wanted or self._is_exact(belief):
            return low
        self._tick()
        least = wanted
        for bound, action in self._options(belief, wanted):
            if bound >= least:
                break
            least = min(least, self._total(belief, action, least))
        self._lower[belief] = max(low, least)
        if least < wanted:
            self._exact.add(belief)
        return self._lower[belief]

    def _total(self, belief: Weights, action: int, enough: int) -> int:
        """What an action comes to, if less than `enough`; else a bound that is as much."""
        game = self._game
        parts = [part for _, part in game.parts(belief, action)]
        if parts == [belief]:
            return enough  # it tells nothing
        parts.sort(key=len)
        bounds = [self.known(part) for part in parts]
        total = game.cost(belief, action) + sum(bounds)
        for improve in (self._look, self.find):
            for place, part in enumerate(parts):
                if total >= enough:
                    return total
                better = improve(part, bounds[place] + enough - total)
                total += better - bounds[place]
                bounds[place] = better
        return total

    def _look(self, belief: Weights, wanted: int) -> int:
        """A bound by the sizes of the parts that an action makes of a belief, the best for the player."""
        if belief not in self._looked and not self._is_exact(belief):
            self._looked.add(belief)
            bounds, largest = self._bounds(belief)
            low = int(bounds.min())
            self._lower[belief] = max(self.known(belief), low)
            if largest[bounds == low].min() <= self._plain:
                self._exact.add(belief)
        return self.known(belief)

    def _is_exact(self, belief: Weights) -> bool:
        """Whether what is known is the total."""
        return len(belief) <= self._plain or belief in self._exact or self._game.is_won(belief)

    def _options(self, belief: Weights, wanted: int) -> list[tuple[int, int]]:
        """The actions that may cost less than `wanted`, one of each class, with their bounds: the best first."""
        bounds, _ = self._bounds(belief)
        if len(belief) >= _LARGE:
            kept = self._symmetries.fixing(belief)
            numbers = np.arange(len(bounds))
            bounds = np.where(classes([self._symmetries.actions(n) for n in kept], len(bounds)) == numbers, bounds, wanted)
        order = np.argsort(bounds, kind="stable")
        chosen = order[: int((bounds < wanted).sum())]
        return list(zip(bounds[chosen].tolist(), chosen.tolist(), strict=True))

    def _bounds(self, belief: Weights) -> tuple[NDArray[Any], NDArray[Any]]:
        """By action, a bound by the sizes of its parts, as much as anything if it tells nothing; and the largest."""
        bounds, largest = self._game.by_numbers(belief, np.arange(len(self._game.actions)))
        bounds[largest == len(belief)] = np.iinfo(np.int64).max // 2
        return bounds, largest
