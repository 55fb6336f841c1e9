"""The answer to the devil's game for any number of coins, by the theorem, and its checker."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from beliefsearch import Construction, ConstructionHook

from .arrangements import count_classes
from .checks import is_forced
from .doubling import can_be_doubled, doubled_move
from .invariant_chain import InvariantChain, chain_for
from .moves import DevilMoves, Move
from .texts import chain_text, doubling_text, trap_text
from .turning_trap import find_trap


class DevilClosedForm(DevilMoves, ConstructionHook[Move]):
    """The answer by the theorem.

    With F faces the player can force the goal if there is one coin, or if F is a power of a prime p and what
    may be done to the table forms a group whose order is a power of p, too. He then needs F^N - 1 moves, or
    F^(N-1) - 1 if it is enough that all coins are equal. In all other cases he cannot force either.
    """

    table: Literal["cyclic", "dihedral", "symmetric"]
    goal: Literal["all-heads", "all-same"]
    lamping: bool

    def construction(self) -> Construction[Move]:
        states = count_classes(self.n, self.faces, self.table) if self.reduced else self.faces**self.n
        trap = find_trap(self.n, self.faces, self.table)
        if trap is not None:
            return Construction(None, _no_move, trap.evidence, states, trap_text(trap))
        text = chain_text(self._chain, lambda level: self.format_action(self._move_of_level(level)))
        if self._may_be_doubled and self.n > 1:
            text += "\n" + doubling_text(self.n, made_so=self.lamping or self.n == 2)  # for two coins both are the same
        return Construction(self._forced_length, self._move_at, self._chain.evidence, states, text, self.lamping)

    def check_construction(self, evidence: Mapping[str, Any]) -> int | None:
        """As `ConstructionHook.check_construction`.

        That no sequence is shorter needs no evidence. A devil who does nothing makes every move a bijection of
        the arrangements, so a move wins from at most one that was not yet won; from F, with all equal as goal.
        """
        return self._forced_length if is_forced(evidence, self.n, self.faces, self.table) else None

    @property
    def _may_be_doubled(self) -> bool:
        """Whether Lamping's plan works for this table."""
        return (
            self.faces == 2
            and self.goal == "all-heads"
            and can_be_doubled(self.n)
            and (self.table != "symmetric" or self.n <= 2)
        )

    @property
    def _forced_length(self) -> int:
        """The least number of moves that wins, if the player can force a win."""
        return int(self.faces ** (self.n - (self.goal == "all-same"))) - 1

    @property
    def _chain(self) -> InvariantChain:
        """The levels of moves with which the player wins, if he can force a win."""
        return chain_for(self.n, self.faces, from_constants=self.goal == "all-same", first_of_class=self.reduced)

    def _move_at(self, place: int) -> Move:
        """The move of the constructed plan at `place`, counted from 0; it is also legal if `reduced`."""
        if not 0 <= place < self._forced_length:
            raise IndexError(f"the plan has no move at place {place}")
        return self._move_of_level(self._chain.level_of(place + 1))

    def _move_of_level(self, level: int) -> Move:
        if self.lamping:
            return self._move_of(self.canonical(self._coins_of(doubled_move(self.n, level))))
        return self._move(self._chain.word(level))


def _no_move(place: int) -> Move:
    raise IndexError("there is no plan, so it has no moves")
