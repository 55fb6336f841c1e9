"""Stops of policies with a horizon: beliefs that come up in which no action applies, so that nothing more is paid."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .checker import ChanceGame, index, require


class StoppingGame(ChanceGame):
    """A game with one more action, the last, which ends it anywhere and for nothing."""

    def __init__(self, game: ChanceGame) -> None:
        self.percepts, self.seen, self.discount = game.percepts, game.seen, game.discount
        self.start_value, self.states, self.start = game.start_value, game.states, game.start
        self.rows = [*game.rows, [(0, 1, [])] * game.states]


def with_stops(game: ChanceGame, table: dict[str, Any], tick: Callable[[], None]) -> tuple[ChanceGame, dict[str, Any]]:
    """Return a game and the table `graph` of a policy with `left` in which every stop is a node of its own.

    The beliefs that come up, each with its node, are followed as sets of states: what is possible decides whether an
    action applies. Raises `WrongError` where the policy stops and one does.
    """
    table = {**table, "left": [index(k, 1 << 49, "actions left") for k in table["left"]]}
    if not _may_stop(game, table):
        return game, table
    nodes, left = [[action, [*row], values] for action, row, values in table["nodes"]], [*table["left"]]
    met = dict.fromkeys([(0, frozenset(s for s, _ in game.start))])
    waiting = list(met)
    stop_of: dict[int, int] = {}  # by number of actions left
    for j, belief in waiting:  # grows while it is walked
        tick()
        for o, then in _possible(game, nodes[j][0], belief).items() if left[j] > 1 else ():
            if table["nodes"][j][1][o] is None:
                able = any(all(rows[t] is not None for t in then) for rows in game.rows)
                require(not able, f"node {j}, percept {o}: it stops, and an action applies")
                if left[j] - 1 not in stop_of:
                    stop_of[left[j] - 1] = len(nodes)
                    nodes.append([len(game.rows), [None] * game.percepts, [0] * game.states])
                    left.append(left[j] - 1)
                nodes[j][1][o] = stop_of[left[j] - 1]
            elif (pair := (nodes[j][1][o], then)) not in met:
                met[pair] = None
                waiting.append(pair)
    return StoppingGame(game), {**table, "nodes": nodes, "left": left}


def _may_stop(game: ChanceGame, table: dict[str, Any]) -> bool:
    """Whether some percept that may come leads nowhere before the end."""
    return any(
        row[o] is None
        for (action, row, values), left in zip(table["nodes"], table["left"], strict=True)
        for s, value in enumerate(values if left > 1 else ())
        if value is not None
        for _, o, _ in (game.rows[action][s] or (0, 1, ()))[2]
    )


def _possible(game: ChanceGame, action: int, belief: frozenset[int]) -> dict[int, frozenset[int]]:
    """Return, by percept that may come, the states that are possible then."""
    found: dict[int, set[int]] = {}
    for s in belief:
        for t, o, _ in (game.rows[action][s] or (0, 1, ()))[2]:
            found.setdefault(o, set()).add(t)
    return {o: frozenset(then) for o, then in found.items()}
