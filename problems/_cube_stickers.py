"""The stickers of a cube of 2 x 2 x 2, numbered as in its net, and what turns of its faces do to them.

The faces follow each other as U, R, F, D, L, B (up, right, front, down, left, back), each with four stickers row by
row, as it is seen in the net: U above F, D below it, and L, F, R, B in a row.
"""

from __future__ import annotations

from itertools import product
from typing import TypeAlias

Vector: TypeAlias = tuple[int, int, int]
"""To the right, up, and to the front."""

_FACES: dict[str, tuple[Vector, Vector, Vector]] = {
    "U": ((0, 1, 0), (1, 0, 0), (0, 0, 1)),
    "R": ((1, 0, 0), (0, 0, -1), (0, -1, 0)),
    "F": ((0, 0, 1), (1, 0, 0), (0, -1, 0)),
    "D": ((0, -1, 0), (1, 0, 0), (0, 0, -1)),
    "L": ((-1, 0, 0), (0, 0, 1), (0, -1, 0)),
    "B": ((0, 0, -1), (-1, 0, 0), (0, -1, 0)),
}
"""By face: the way out of it, and in the net the ways to the right and down."""

FACES = "".join(_FACES)
SOLVED = "".join(4 * face for face in FACES)


def turned(face: str) -> tuple[int, ...]:
    """By sticker: which one comes to its place by a quarter turn of a face, clockwise as one looks at it."""
    axis = _FACES[face][0]
    sources = [0] * len(_STICKERS)
    for sticker, (corner, out) in enumerate(_STICKERS):
        if _dot(corner, axis) == 1:
            moved = _quarter_turn(corner, axis), _quarter_turn(out, axis)
            sources[_STICKERS.index(moved)] = sticker
        else:
            sources[sticker] = sticker
    return tuple(sources)


def pieces(stickers: str) -> tuple[list[int], list[int]]:
    """By corner: the corner where the piece that is there belongs, and by how many thirds it is twisted.

    Raises
    ------
    ValueError
        If these are not the stickers of a cube, with one line that says why.
    """
    found = []
    twists = []
    for places in CORNERS:
        letters = "".join(stickers[place] for place in places)
        twist = next((turn for turn, letter in enumerate(letters) if letter in "UD"), 0)
        found.append(_HOMES.get(letters[twist:] + letters[:twist], -1))
        twists.append(twist)
        if found[-1] < 0 or found.index(found[-1]) < len(found) - 1:
            raise ValueError(f"no piece of a cube is left that has {letters[0]}, {letters[1]} and {letters[2]}")
    return found, twists


def _dot(one: Vector, other: Vector) -> int:
    return sum(a * b for a, b in zip(one, other, strict=True))


def _cross(one: Vector, other: Vector) -> Vector:
    (a, b, c), (x, y, z) = one, other
    return b * z - c * y, c * x - a * z, a * y - b * x


def _quarter_turn(vector: Vector, axis: Vector) -> Vector:
    """Turned round an axis, clockwise for somebody who looks at its tip."""
    along = _dot(vector, axis)
    x, y, z = _cross(vector, axis)
    return x + along * axis[0], y + along * axis[1], z + along * axis[2]


def _stickers() -> list[tuple[Vector, Vector]]:
    """The corner on which each sticker is, as its three ways out added up, and the way out of its face."""
    found = []
    for out, right, down in _FACES.values():
        for below, beside in product((-1, 1), repeat=2):
            x, y, z = (o + beside * r + below * d for o, r, d in zip(out, right, down, strict=True))
            found.append(((x, y, z), out))
    return found


def _corners() -> list[tuple[int, int, int]]:
    """Of each corner the numbers of its stickers, in one sense of rotation, first the one above or below.

    The corner between the faces D, L and B, which turns of U, R and F leave where it is, comes last.
    """
    found = []
    for x, y, z in product((1, -1), repeat=3):
        beside, upright, ahead = (x, 0, 0), (0, y, 0), (0, 0, z)
        ways = (upright, beside, ahead) if x * y * z < 0 else (upright, ahead, beside)
        first, second, third = (_STICKERS.index(((x, y, z), way)) for way in ways)
        found.append((first, second, third))
    return found


_STICKERS = _stickers()
CORNERS = _corners()
_HOMES = {"".join(SOLVED[place] for place in places): corner for corner, places in enumerate(CORNERS)}
