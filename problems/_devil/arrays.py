"""The devil's game in arrays, for speed only: the results of a move in all states at once."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from beliefsearch.hooks import ArrayHook

from .moves import DIGITS
from .table import Coins, CoinTable, Move

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class DevilArrays(CoinTable, ArrayHook[Coins, Move]):
    """All results at once: a state is a number in base F, one digit for each coin; a move adds without carrying."""

    @property
    @abstractmethod
    def meddling(self) -> Iterator[tuple[int, ...]]:
        """The amounts by which the devil turns the coin at each place, for everything that he can do."""

    def all_states(self) -> tuple[Coins, ...]:
        return self.representatives if self.is_reduced else tuple(self.all_coins())

    def all_results(self, action: Move) -> NDArray[np.integer[Any]]:
        """The numbers of all arrangements of each state, with the move done."""
        import numpy as np

        arranged, number_of, goals = self._arrays
        turn = [int(place in action) for place in range(self.n)] if isinstance(action, frozenset) else list(action)
        moved = _added(arranged, turn, self.faces)
        meddled = [_added(moved, list(amounts), self.faces) for amounts in self.meddling]
        results: NDArray[np.integer[Any]] = number_of[meddled[0] if len(meddled) == 1 else np.hstack(meddled)]
        results[goals] = goals[:, None]  # the game has stopped
        return results

    @cached_property
    def _arrays(self) -> tuple[NDArray[np.integer[Any]], NDArray[np.integer[Any]], NDArray[np.int64]]:
        """The arrangements of each state as numbers in base F; the state each number stands for; the goals."""
        import numpy as np

        digits = str.maketrans(self.symbols, DIGITS[: self.faces])
        states = self.all_states()
        rows = [[int(coins.translate(digits), self.faces) for coins in self.arrangements(s)] for s in states]
        width = max(map(len, rows))
        narrow = np.min_scalar_type(self.faces**self.n - 1)  # thousands of moves are looked up in these arrays
        arranged = np.array([row + row[:1] * (width - len(row)) for row in rows], dtype=narrow)
        number_of = np.empty(self.faces**self.n, dtype=narrow)
        if self.is_reduced:
            number_of[arranged] = np.arange(len(states))[:, None]
        else:
            number_of[:] = np.arange(len(states))
        return arranged, number_of, np.array([number for number, s in enumerate(states) if self.is_won(s)])


def _added(arranged: NDArray[np.integer[Any]], turn: list[int], faces: int) -> NDArray[np.integer[Any]]:
    """Numbers in base F with F-ary digits `turn` added place by place, without carrying."""
    if faces == 2:
        return arranged ^ arranged.dtype.type(int("".join(map(str, turn)), 2))
    numbers = arranged.astype("int64")
    added = numbers * 0
    for place, amount in enumerate(reversed(turn)):
        unit = faces**place
        added += (numbers // unit + amount) % faces * unit
    return added
