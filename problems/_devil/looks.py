"""The devil's coins and moves as they are written, read and drawn."""

from collections.abc import Collection, Iterable
from functools import cached_property
from typing import Any

from beliefsearch import Drawing

from .._pictures import coins as pictures
from .._pictures.parts import counted, listed
from .table import Coins, CoinTable, Move


class CoinLooks(CoinTable):
    """Methods of `Presentation` for coins on a table."""

    def format_action(self, action: Move) -> str:
        text = ", ".join(map(str, _positions(action)))
        return f"{{{text}}}" if self.faces == 2 else f"({text})"

    def draw_action(self, action: Move) -> str:
        if self.faces > 2 or self.n > 10:
            return self.format_action(action)
        return "".join(str(i) if i in action else " " for i in range(self.n))

    def parse_action(self, text: str) -> Move:
        """Positions in any usual notation: `{0, 2}`, `0,2`, `0 2`, or `02` for up to ten coins.

        With `--canonical` any move is understood as the one of its class: the table may be turned anyway.
        """
        words = text.strip("{}() ").replace(",", " ").split()
        if len(words) == 1 and self.n <= 10 and (self.faces == 2 or len(words[0]) == self.n):
            words = list(words[0])
        numbers = tuple(int(word) for word in words if word.isdecimal())
        below = self.n if self.faces == 2 else self.faces
        if len(numbers) < len(words) or any(number >= below for number in numbers):
            raise ValueError(f"{text!r} is not a list of numbers from 0 to {below - 1}, such as '0 1'")
        if self.faces > 2 and len(numbers) != self.n:
            raise ValueError(f"{text!r} should say for each of the {self.n} coins how far to turn it")
        move: Move = frozenset(numbers) if self.faces == 2 else numbers
        return self.move_of(self.canonical(self.coins_of(move)))

    def parse_state(self, text: str) -> Any:
        if len(text) != self.n or not set(text) <= set(self.symbols):
            raise ValueError(f"{text!r} is not {self.n} letters out of {self.symbols}")
        return text

    def describe_action(self, action: Move) -> str:
        if not isinstance(action, frozenset):
            turns = [f"coin {place} by {turn}" for place, turn in enumerate(action) if turn]
            return f"Turn {listed(turns)}" if turns else "Turn no coin"
        if len(action) == self.n > 1:
            return "Flip both coins" if self.n == 2 else f"Flip all {counted(self.n, 'coin')}"
        places = f": {listed(sorted(action))}" if action else ""
        return f"Flip {counted(len(action), 'coin')}{places}"

    def svg_state(self, state: Coins) -> Drawing:
        return self._picture.drawn(state, bright=self.symbols[0])

    def svg_belief(self, states: Collection[Coins]) -> Drawing:
        """Coins nobody sees: after a turn of the table a coin is known only if all are alike."""
        if len(states) == 1:
            return self.svg_state(*states)
        return self._picture.hidden(len(states))

    def svg_action(self, action: Move) -> Drawing:
        if isinstance(action, frozenset):
            return self._picture.ringed(action)
        return self._picture.turned(action)

    @cached_property
    def _picture(self) -> pictures.Coins:
        return pictures.table(self.n)


def _positions(move: Move) -> Iterable[int]:
    return sorted(move) if isinstance(move, frozenset) else move
