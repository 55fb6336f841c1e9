"""Games of so many actions: as games that end by themselves, and policies that stop before.

`LayeredGame` has a state for each state and number of actions left: state s with k actions left is number
`(k - 1) * states + s`. The last action ends the game, and what is paid for that is what is paid anyway. Where no action
applies in all the states that are possible, nothing more is paid in the one game, while the other has no policy that
comes there: so an action is asked for that applies everywhere, and then the policies of both are the same.

A policy with a horizon may stop in beliefs in which no action applies: `with_stops` makes nodes of these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from typing import Any

from .checker import ChanceGame, index, parts_of, require, unreadable


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


def with_stops(game: ChanceGame, table: dict[str, Any], tick: Callable[[], None]) -> tuple[ChanceGame, dict[str, Any]]:
    """Return a game and the table `graph` of a policy with `left` in which every stop is a node of its own.

    The game has one more action then, the last, which ends it anywhere and for nothing; no node of the table does that.
    The beliefs that come up, each with its node, are followed as sets of states: what is possible decides whether an
    action applies. Raises `WrongError` where the policy stops and one does.
    """
    left = [index(k, 1 << 49, "actions left") for k in table["left"]]
    nodes = [[index(action, len(game.rows), "an action"), [*row], values] for action, row, values in table["nodes"]]
    if not _may_stop(game, nodes, left):
        return game, table
    follow = [[None if k is None else index(k, len(nodes), "a node") for k in row] for _, row, _ in nodes]
    met = dict.fromkeys([(0, frozenset(s for s, _ in game.start))])
    waiting = list(met)
    stop_of: dict[int, int] = {}  # by number of actions left
    for j, belief in waiting:  # grows while it is walked
        tick()
        for o, then in _possible(game, nodes[j][0], belief).items() if left[j] > 1 else ():
            k = follow[j][o]
            if k is None:
                able = any(all(rows[t] is not None for t in then) for rows in game.rows)
                require(not able, f"node {j}, percept {o}: it stops, and an action applies")
                if left[j] - 1 not in stop_of:
                    stop_of[left[j] - 1] = len(nodes)
                    nodes.append([len(game.rows), [None] * game.percepts, [0] * game.states])
                    left.append(left[j] - 1)
                nodes[j][1][o] = stop_of[left[j] - 1]
                continue
            require(left[k] == left[j] - 1, f"node {j}: the number of actions left does not fall by 1")  # or no end
            if (pair := (k, then)) not in met:
                met[pair] = None
                waiting.append(pair)
    stopping = copy(game)
    stopping.rows = [*game.rows, [(0, 1, [])] * game.states]
    return stopping, {**table, "nodes": nodes, "left": left}


def _may_stop(game: ChanceGame, nodes: Sequence[Any], left: Sequence[int]) -> bool:
    """Whether some percept that may come leads nowhere before the end."""
    return any(
        row[o] is None
        for (action, row, values), k in zip(nodes, left, strict=True)
        for s, value in enumerate(values if k > 1 else ())
        if value is not None
        for _, o, _ in (game.rows[action][s] or (0, 1, ()))[2]
    )


def _possible(game: ChanceGame, action: int, belief: Iterable[int]) -> dict[int, frozenset[int]]:
    """Return, by percept that may come, the states that are possible then."""
    rows = (game.rows[action][s] for s in belief)
    return {o: frozenset(part) for o, part in parts_of((1, row[2]) for row in rows if row).items()}
