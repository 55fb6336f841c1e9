"""A long replay: the belief as an array of numbers, each action as a table of results.

Part of the checker `sequence.py`, which says when. What an action leads to is asked of the author's `results`, state by
state, when the belief first holds a state there; no part of the package that searches has a say.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InvalidPlanError
from ..model.base import Cost
from ..plans.steps import inapplicable
from .asked_game import PlayedGame

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .checker import Step

# Tables of more bytes than this in all are not kept: those that have not been used for longest are dropped.
_MOST_BYTES = 2**29


class ArrayReplay:
    """The belief while a plan is replayed, as an array of numbers."""

    def __init__(self, game: PlayedGame, members: Iterable[int]) -> None:
        self._game = game
        self._tables: dict[int, _Table] = {}  # by action; the one used last comes last
        self.members = np.array([*members], dtype=np.intp)

    def advance(self, step: int, number: int, action: object) -> Cost:
        """Do `action`, of this number, the step of that number, and return the most that it costs in any state.

        Raises `InvalidPlanError` if it does not apply in one of them.
        """
        game = self._game
        table = self._tables[number] = self._tables.pop(number) if number in self._tables else _Table()
        rows: dict[int, Any] = {s: game.taken(number, s) for s in table.unknown(self.members, game.states).tolist()}
        if barred := [game.named_states.met(s) for s, (row, _) in rows.items() if row is None]:
            raise InvalidPlanError(inapplicable(game.problem, f"step {step}", action, barred))
        if rows:
            table.add(rows)
            held = sum(kept.size for kept in self._tables.values())
            while held > _MOST_BYTES and len(self._tables) > 1:
                held -= self._tables.pop(next(iter(self._tables))).size
        targets, cost = table.image(self.members)
        possible = np.zeros(game.states, dtype=np.bool_)
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

    def add(self, rows: dict[int, tuple[Step, Cost]]) -> None:
        """Add what follows some states, and what the action costs there."""
        for state, (step, cost) in rows.items():
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
        return targets, max(self._costs[row] for row in rows.tolist())
