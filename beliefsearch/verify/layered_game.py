"""A game of so many actions as a game that ends by itself: a state for each state and number of actions left.

State s with k actions left is number `(k - 1) * states + s`. The last action ends the game, and what is paid for that
is what is paid anyway. Where no action applies in all the states that are possible, nothing more is paid in the one
game, while the other has no policy that comes there: so an action is asked for that applies everywhere, and then the
policies of both are the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .checker import ChanceGame, unreadable


class LayeredGame(ChanceGame):
    """A game with a horizon, for the checker; its rows are made as they are asked for."""

    def __init__(self, game: ChanceGame, horizon: int) -> None:
        if not any(all(rows[s] is not None for s in range(game.states)) for rows in game.rows):
            unreadable("with a horizon a proof needs an action that applies everywhere, or the game may come to a stop")
        self.percepts, self.seen, self.discount, self.improper = game.percepts, game.seen, game.discount, False
        self.start_value, self.states = game.start_value, game.states * horizon
        self.start = [(s + game.states * (horizon - 1), p) for s, p in game.start if horizon]
        self.rows = [_Rows(rows, game.states, horizon) for rows in game.rows]


class _Rows:
    """The rows of an action, by state and number of actions left."""

    def __init__(self, rows: Any, states: int, horizon: int) -> None:
        self._rows, self._states, self._length = rows, states, states * horizon

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Any]:
        return map(self.__getitem__, range(self._length))

    def __getitem__(self, state: int) -> Any:
        done, s = divmod(state, self._states)
        row, before = self._rows[s], (done - 1) * self._states
        return row and (row[0], row[1], [(t + before, o, w) for t, o, w in row[2]] if done else [])
