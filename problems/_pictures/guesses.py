"""A hidden word with a guess and the letters that may occur; a hidden row of pegs with the colours they may have."""

from collections.abc import Collection, Sequence

from attrs import frozen

from beliefsearch import Drawing

from .coins import HIDDEN
from .parts import agreed, fitted, ink_on, put_count, put_ring

_TOP, _GUESS, _ALPHABET = 6.0, 27.0, 49.0
_LETTER = 2.4  # smaller letters are left out


@frozen
class Letters:
    """Tiles for the letters of a word."""

    count: int  # of the letters of a word
    alphabet: str  # the letters that may occur, in order

    def _put_tiles(self, drawing: Drawing, top: float, word: Collection[str], fill: str, edge: str, ink: str) -> None:
        side = min(92 / self.count, 18)
        for place, letter in enumerate(word):
            x = 50 + side * (place - self.count / 2)
            look = {"fill": fill, "stroke": edge, "width": 0.7}
            drawing.rectangle(x + 0.06 * side, top, 0.88 * side, 0.88 * side, r=0.1 * side, **look)  # type: ignore[arg-type]
            if letter.strip() and side >= _LETTER:
                middle = x + side / 2
                drawing.text(middle, top + 0.44 * side, letter.upper()[:1], size=0.6 * side, fill=ink, bold=True)

    def drawn(self, words: Collection[str], *, found: bool = False) -> Drawing:
        """All that is known of the word, which is one of these, and the letters that may occur in it."""
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


_COLOURS = ("bad", "blue", "bright", "green", "dark", "brown", "soft", "ink")
_PEG_LETTER = 2.6
_PEG_TOP, _STRIP = 4.0, 22.0


@frozen
class Pegs:
    """Pegs in a row."""

    count: int
    letters: str  # the colours a peg may have

    @property
    def _pitch(self) -> tuple[float, float]:
        """The distances of columns and of rows."""
        return min(92 / self.count, 22), min(68 / len(self.letters), 14)

    def _at(self, peg: int, letter: str) -> tuple[float, float]:
        across, down = self._pitch
        return 50 + across * (peg - (self.count - 1) / 2), 29 + down * (self.letters.index(letter) + 0.5)

    @property
    def _r(self) -> float:
        return 0.4 * min(self._pitch)

    def drawn(self, possible: Sequence[Collection[str]], *, found: bool = False) -> Drawing:
        """The colours that each peg may have."""
        drawing = Drawing(100, 100).rectangle(0.6, 0.6, 98.8, 98.8, r=7, fill="card", stroke="line")
        edge, width = ("bright-edge", 1.6) if found else ("line", 1)
        drawing.rectangle(4, _PEG_TOP, 92, _STRIP, r=5, fill="felt", stroke=edge, width=width)
        across = self._pitch[0]
        for peg, letters in enumerate(possible):
            x, y = self._at(peg, self.letters[0])[0], _PEG_TOP + _STRIP / 2
            letter = next(iter(letters)) if len(letters) == 1 else HIDDEN
            self._put_peg(drawing, x, y, min(0.42 * across, 8.2), letter)
            for letter in self.letters:
                if letter in letters:
                    self._put_peg(drawing, *self._at(peg, letter), self._r, letter)
        others = [
            self._at(peg, letter)
            for peg, letters in enumerate(possible)
            for letter in self.letters
            if letter not in letters
        ]
        return drawing.dots(others, 0.25 * self._r, fill="line")

    def ringed(self, code: str) -> Drawing:
        """Rings round the colours of a guess."""
        drawing = Drawing(100, 100)
        for peg, letter in enumerate(code):
            put_ring(drawing, *self._at(peg, letter), self._r)
        return drawing

    def _put_peg(self, drawing: Drawing, x: float, y: float, r: float, letter: str) -> None:
        if letter == HIDDEN:
            drawing.circle(x, y, r, fill="card", stroke="soft", width=min(1, 0.12 * r), dashed=max(0.6, 0.25 * r))
            ink = "soft"
        else:
            colour = _COLOURS[self.letters.index(letter) % len(_COLOURS)]
            drawing.circle(x, y, r, fill=colour)
            ink = ink_on(colour)
        if r >= _PEG_LETTER:
            drawing.text(x, y, letter, size=1.05 * r, fill=ink, bold=letter != HIDDEN)
