"""Two banks of a river with travellers, and a boat."""

from collections import Counter
from collections.abc import Mapping

from attrs import frozen

from beliefsearch import Drawing

from .parts import fitted, ink_on, put_ring

_WIDE, _HIGH, _BANK = 100.0, 68.0, 31.0
_MOST = 60  # of a larger party only numbers are shown
_LETTER = 2.4
_WAVE = ((0, 0), (3, -3), (5, 3), (9, 0), (10, -1), (11, -1), (12, 0))


@frozen
class River:
    """A river between two banks."""

    party: str  # all travellers, a letter each; those with the same letter are alike
    colours: Mapping[str, str]  # by letter: the colour of the traveller

    def drawn(self, banks: tuple[str, str], boat: str) -> Drawing:
        """The parties on the left bank and on the right, and the boat at one of them."""
        drawing = Drawing(_WIDE, _HIGH).rectangle(0, 0, _WIDE, _HIGH, r=6, fill="blue-soft")
        for y in (12, 30, 48, 62):
            for x in (36.0, 52.0):
                wave = [(x + across, y + down) for across, down in _WAVE]
                drawing.curve(wave, stroke="blue", width=0.7, round=True, opacity=0.4)
        for x in (0.0, _WIDE - _BANK):
            drawing.rectangle(x, 0, _BANK, _HIGH, r=6, fill="felt", stroke="line")
            shore = x or _BANK
            drawing.line(shore, 0, shore, _HIGH, stroke="green", width=1.6)
        x = _BANK + 2 if boat == "left" else _WIDE - _BANK - 2 - 17
        drawing.polygon([(x, 42), (x + 17, 42), (x + 13.5, 49), (x + 3.5, 49)], fill="brown")
        drawing.line(x + 8.5, 42, x + 8.5, 34, stroke="brown", width=1.2)
        drawing.polygon([(x + 9.3, 34), (x + 9.3, 40), (x + 14, 40)], fill="card", stroke="brown", width=0.6)
        for left, group in zip((0.0, _WIDE - _BANK), banks, strict=True):
            self._put_group(drawing, left + 2.5, group)
        return drawing

    def loaded(self, load: str) -> Drawing:
        """The load of the boat, above the water."""
        drawing = Drawing(_WIDE, _HIGH)
        columns, pitch = fitted(len(load), 34, 22)
        pitch = min(pitch, 13)
        if pitch < 5:
            text = ", ".join(f"{count} {letter}" for letter, count in Counter(load).items())
            return drawing.text(50, 20, text, size=5.5, fill="accent", bold=True)
        for i, letter in enumerate(load):
            row, column = divmod(i, columns)
            here = min(columns, len(load) - row * columns)
            x, y = 50 + pitch * (column - (here - 1) / 2), 15 + pitch * row
            self._put_traveller(drawing, x, y, 0.38 * pitch, letter)
            put_ring(drawing, x, y, 0.38 * pitch)
        return drawing

    def _put_group(self, drawing: Drawing, left: float, group: str) -> None:
        if len(self.party) > _MOST:
            for number, letter in enumerate(dict.fromkeys(self.party)):
                y = _HIGH * (number + 0.5) / len(set(self.party))
                self._put_traveller(drawing, left + 6, y, 6, letter)
                drawing.text(left + 13.5, y, group.count(letter), size=7, anchor="start")
            return
        columns, pitch = fitted(len(self.party), _BANK - 5, _HIGH - 5)
        rows = -(-len(self.party) // columns)
        top = (_HIGH - rows * pitch) / 2
        middle = left + (_BANK - 5) / 2
        waiting = Counter(group)
        for place, letter in enumerate(self.party):  # everybody has a place of his own on each bank
            if waiting[letter]:
                waiting[letter] -= 1
                row, column = divmod(place, columns)
                x = middle + pitch * (column - (columns - 1) / 2)
                self._put_traveller(drawing, x, top + pitch * (row + 0.5), 0.42 * pitch, letter)

    def _put_traveller(self, drawing: Drawing, x: float, y: float, r: float, letter: str) -> None:
        colour = self.colours[letter]
        drawing.circle(x, y, r, fill=colour)
        if r >= _LETTER:
            drawing.text(x, y, letter, size=1.05 * r, fill=ink_on(colour), bold=True)
