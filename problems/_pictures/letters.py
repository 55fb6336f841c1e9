"""A hidden word as a row of tiles, a guess below it, and the alphabet with the letters that may occur."""

from __future__ import annotations

from collections.abc import Collection

from attrs import frozen

from beliefsearch import Drawing

from .known import agreed, fitted
from .marks import put_count

_TOP, _GUESS, _ALPHABET = 6.0, 27.0, 49.0
_LETTER = 2.4  # smaller letters are left out


@frozen
class Letters:
    """Tiles for the letters of a word.

    Attributes
    ----------
    count
        How many letters a word has.
    alphabet
        The letters that may occur, in order.
    """

    count: int
    alphabet: str

    @property
    def _side(self) -> float:
        return min(92 / self.count, 18)

    def _put_tiles(self, drawing: Drawing, top: float, word: Collection[str], fill: str, edge: str, ink: str) -> None:
        side = self._side
        for place, letter in enumerate(word):
            x = 50 + side * (place - self.count / 2)
            look = {"fill": fill, "stroke": edge, "width": 0.7}
            drawing.rectangle(x + 0.06 * side, top, 0.88 * side, 0.88 * side, r=0.1 * side, **look)  # type: ignore[arg-type]
            if letter.strip() and side >= _LETTER:
                middle = x + side / 2
                drawing.text(middle, top + 0.44 * side, letter.upper()[:1], size=0.6 * side, fill=ink, bold=True)

    def drawn(self, words: Collection[str], *, found: bool = False) -> Drawing:
        """What is known of the word that is one of these, and the letters that may occur in it."""
        drawing = Drawing(100, 100).rectangle(0.6, 0.6, 98.8, 98.8, r=7, fill="felt", stroke="line")
        known = agreed(words, " ")
        self._put_tiles(drawing, _TOP, known, "green" if found else "card", "line", "card" if found else "ink")
        possible = set().union(*words)
        columns, pitch = fitted(len(self.alphabet), 92, 32)
        for number, letter in enumerate(self.alphabet):
            row, column = divmod(number, columns)
            x, y = 50 + pitch * (column - (columns - 1) / 2), _ALPHABET + pitch * (row + 0.5)
            if letter in possible and pitch >= _LETTER:
                drawing.text(x, y, letter.upper()[:1], size=0.72 * pitch, bold=True)
            else:
                drawing.circle(x, y, 0.08 * pitch, fill="line")
        if len(words) > 1:
            put_count(drawing, 50, 87.5, len(words), size=8)
        return drawing

    def guessed(self, word: str) -> Drawing:
        """A guess, below the tiles of the hidden word."""
        drawing = Drawing(100, 100)
        self._put_tiles(drawing, _GUESS, word, "none", "accent", "accent")
        return drawing
