"""Tables for a long replay: the belief is an array of numbers, and each action a table of results.

Part of the checker `sequence.py`, which says when. What an action leads to is asked of the author's `results`, state by
state, when the belief first holds a state there; no part of the package that searches has a say.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from ..model.base import Cost
from .asked_game import PlayedGame

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .checker import Step

# Tables of more bytes than this in all are not kept: those that have not been used for longest are dropped.
_MOST_BYTES = 2**29


class Tables:
    """Results by action, for the states that were asked about; `members` is the belief, as an array."""

    def __init__(self, game: PlayedGame, members: Iterable[int]) -> None:
        self._game, self.members = game, np.array([*members], dtype=np.intp)
        self._tables: dict[int, _Table] = {}  # by action; the one used last comes last

    def asked(self, action: int) -> dict[int, Step | None]:
        """Ask about the members that the table of an action lacks, and return their rows."""
        table = self._tables[action] = self._tables.pop(action) if action in self._tables else _Table()
        rows: dict[int, Step | None] = {}
        for s in table.unknown(self.members, self._game.states).tolist():
            rows[s], cost = self._game.taken(action, s)
            table.add(s, rows[s] or (), cost)
        held = sum(kept.size for kept in self._tables.values()) if rows else 0
        while held > _MOST_BYTES and len(self._tables) > 1:
            held -= self._tables.pop(next(iter(self._tables))).size
        return rows

    def follow(self, action: int) -> Cost:
        """Do an action that was asked about in all members, and return the most that it costs."""
        targets, cost = self._tables[action].image(self.members)
        possible = np.zeros(self._game.states, dtype=np.bool_)
        possible[targets] = True
        self.members = np.flatnonzero(possible)
        return cost


class _Table:
    """The results and costs of an action; states for which these are equal share a row."""

    def __init__(self) -> None:
        self._row_of = np.empty(0, dtype=np.int32)  # by state; -1 if it has not been asked
        self._rows: dict[tuple[Cost, bytes], int] = {}
        # Row r leads to targets[offsets[r] : offsets[r + 1]], and costs costs[r].
        self._targets = array("i")
        self._offsets = array("q", [0])
        self._costs: list[Cost] = []
        self._known_costs: set[Cost] = set()

    @property
    def size(self) -> int:
        """The approximate memory in bytes: a row is kept as an array and as a key."""
        return self._row_of.nbytes + 8 * len(self._targets) + 200 * len(self._rows)

    def unknown(self, members: NDArray[np.intp], states: int) -> NDArray[np.intp]:
        """Those of `members` whose results are not known yet; there are `states` states in all."""
        if len(self._row_of) < states:
            grown = np.full(states + states // 2, -1, dtype=np.int32)
            grown[: len(self._row_of)] = self._row_of
            self._row_of = grown
        return members[self._row_of[members] < 0]

    def add(self, state: int, step: Step, cost: Cost) -> None:
        """Add what follows a state, and what the action costs there."""
        targets = array("i", sorted({t for _, results in step for t in results}))
        row = self._rows.setdefault((cost, targets.tobytes()), len(self._costs))
        if row == len(self._costs):
            self._targets += targets
            self._offsets.append(len(self._targets))
            self._costs.append(cost)
            self._known_costs.add(cost)
        self._row_of[state] = row

    def image(self, members: NDArray[np.intp]) -> tuple[NDArray[np.int32], Cost]:
        """The results in all `members`, perhaps with repetitions, and the largest cost in any."""
        met = np.zeros(len(self._rows), dtype=np.bool_)
        met[self._row_of[members]] = True
        rows = np.flatnonzero(met)
        offsets = np.frombuffer(self._offsets, dtype=np.int64)
        begins = offsets[rows]
        lengths = offsets[rows + 1] - begins
        # The places of row after row: each is one more than the place before, but for where a row begins.
        ends = np.cumsum(lengths)
        places = np.arange(ends[-1]) + np.repeat(begins - ends + lengths, lengths)
        targets = np.frombuffer(self._targets, dtype=np.int32)[places]
        if len(self._known_costs) == 1:
            return targets, self._costs[0]
        return targets, max(map(self._costs.__getitem__, rows.tolist()))
