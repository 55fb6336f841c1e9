"""Listed games: what every action does in every state, in numbers, for checkers that know nothing of the puzzle.

The format is specified in docs/certificate-format.md.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import chain, islice
from typing import Any

from ..kinds import is_stochastic
from ..model.belief import initial_states, no_tick
from ..verify.asked_game import AskedGame
from ..verify.chance_game import AskedChanceGame
from ..verify.checker import ChanceGame, Step
from ..verify.numbered import too_large, written

_MOST_ROWS, _MOST_STARTS = 10_000_000, 1_000_000
"""A game with more results or starts is not listed: its file would be larger than a gigabyte."""


class _ShortGame(AskedGame):
    """A game that is listed; raises `ProblemError` beyond so many results."""

    def __init__(self, problem: Any, tick: Callable[[], None], most: int) -> None:
        self._most, self._size = most, 0
        starts = min(most, _MOST_STARTS)
        if any(True for _ in islice(initial_states(problem, tick), starts, None)):
            raise too_large(f"more than {starts:,} starts")
        super().__init__(problem, tick=tick)

    def _asked(self, action: int, state: int) -> Step | None:
        row = super()._asked(action, state)
        self._size += sum(len(results) for _, results in row or ())
        if self._size > self._most:
            raise too_large(f"more than {self._most:,} results")
        return row


def listed_game(problem: Any, tick: Callable[[], None] = no_tick, most: int = _MOST_ROWS) -> Any:
    """List a problem: every state that can come up, and what every action does there.

    All are numbered in the order in which they come up, so two lists of a problem are the same.

    Raises
    ------
    ProblemError
        If there are more than `most` results, or the problem breaks its contract.
    """
    if is_stochastic(problem):
        return AskedChanceGame(problem, tick, most)
    game = _ShortGame(problem, tick, most)
    game.walk()
    game.number_all()
    return game


def game_document(game: Any) -> dict[str, Any]:
    """Return a listed game as it stands in a file."""
    names = {name: [json.loads(text, parse_float=str) for text in texts] for name, texts in game.numbers.items()}
    fields = _beliefs(game) if isinstance(game, AskedGame) else _chances(game)
    return {"format": "beliefsearch-game", "version": 1, **fields, "names": names}


def _beliefs(game: AskedGame) -> dict[str, Any]:
    every = range(game.states)
    actions = []
    for a, rows in enumerate(game.steps):
        steps = [
            None if row is None else [x for o, ts in row for t in ts for x in (t, o)] for row in map(rows.get, every)
        ]
        entry: dict[str, Any] = {"steps": steps}
        if all(step is not None and len(step) == 2 for step in steps):
            entry = {"to": [step[0] for step in steps if step], "see": [step[1] for step in steps if step]}
        if game.costs[a] is not None:
            entry["costs"] = [written(game.costs[a][s]) if s in game.costs[a] else None for s in every]
        actions.append(entry)
    return {
        "kind": "beliefs",
        "states": game.states,
        "percepts": game.percepts,
        "starts": game.starts,
        "goals": [sorted(goal) for goal in game.goals if goal],
        "actions": actions,
    }


def _chances(game: ChanceGame) -> dict[str, Any]:
    """A game of chance as it stands in a file."""
    return {
        "kind": "chance",
        "states": game.states,
        "percepts": game.percepts,
        "seen": game.seen,
        "discount": written(game.discount),
        **({"improper": True} if game.improper else {}),
        "start": [[state, written(share)] for state, share in game.start],
        "start_value": written(game.start_value),
        "actions": [[_flat(rows[s]) for s in range(game.states)] for rows in game.rows],
    }


def _flat(row: Any) -> list[Any] | None:
    return row and [written(row[0]), row[1], *chain.from_iterable(row[2])]
