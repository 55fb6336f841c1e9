"""A cube of 2 x 2 x 2, unfolded."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from beliefsearch import Drawing

Quarters: TypeAlias = Literal[1, 2, 3]
_SIZE = 12  # of a sticker
_MARGIN = 4
# By face, in the order of their stickers: where it lies in the net, in faces across and down.
_PLACES = {"U": (1, 0), "R": (2, 1), "F": (1, 1), "D": (1, 2), "L": (0, 1), "B": (3, 1)}
_COLOURS = {"U": "on-dark", "R": "bad", "F": "green", "D": "bright", "L": "brown", "B": "blue"}
WIDTH, HEIGHT = 8 * _SIZE + 2 * _MARGIN, 6 * _SIZE + 2 * _MARGIN


def net(stickers: Sequence[str]) -> Drawing:
    """The stickers, each by the face on which it is when the cube is solved; anything else is not known."""
    drawing = Drawing(WIDTH, HEIGHT)
    for place, letter in enumerate(stickers):
        x, y = _corner(*_PLACES["URFDLB"[place // 4]], place % 4)
        known = _COLOURS.get(letter)
        gap = 0.06 * _SIZE
        drawing.rectangle(
            *(x + gap, y + gap, _SIZE - 2 * gap, _SIZE - 2 * gap),
            r=0.16 * _SIZE,
            fill=known or "card",
            stroke="dark-edge" if known else "soft",
            width=0.6,
        )
        if known is None:
            drawing.text(x + _SIZE / 2, y + _SIZE / 2, "?", size=0.5 * _SIZE, fill="soft")
    return drawing


def face_turned(face: str, quarters: Quarters) -> Drawing:
    """A frame round a face, and an arrow the way it is turned; two arrows for a half turn."""
    drawing = Drawing(WIDTH, HEIGHT)
    x, y = _corner(*_PLACES[face], 0)
    drawing.rectangle(x, y, 2 * _SIZE, 2 * _SIZE, r=0.2 * _SIZE, stroke="accent", width=2)
    # From one side to the other, bent round the middle: above it, and for half a turn also below.
    left, right, middle, off = x + 0.35 * _SIZE, x + 1.65 * _SIZE, y + _SIZE, 0.25 * _SIZE
    if quarters == 3:
        left, right = right, left
    bend = -0.3 if quarters == 3 else 0.3
    drawing.arrow(left, middle - off, right, middle - off, bend=bend, stroke="accent", width=2)
    if quarters == 2:
        drawing.arrow(right, middle + off, left, middle + off, bend=bend, stroke="accent", width=2)
    return drawing


def _corner(across: int, down: int, place: int) -> tuple[float, float]:
    """The upper left corner of one of the four stickers of a face."""
    row, column = divmod(place, 2)
    return _MARGIN + (2 * across + column) * _SIZE, _MARGIN + (2 * down + row) * _SIZE
