"""Positions of the pocket cube as numbers without gaps, and what turns of its faces do to them and to stickers.

The faces follow each other as U, R, F, D, L, B (up, right, front, down, left, back), each with four stickers row by
row, as it is seen in the net: U above F, D below it, and L, F, R, B in a row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import product
from math import factorial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ._ranks import ranks, values_of, window

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
    """The sticker that comes to the place of each by a quarter turn of a face, clockwise as one looks at it."""
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
    """The corner where the piece in each corner belongs, and by how many thirds it is twisted.

    Raises ValueError, with one line that says why, if these are not the stickers of a cube.
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
    """The numbers of the stickers of each corner, in one sense of rotation, first the one above or below.

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

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Codes: TypeAlias = NDArray[np.uint64]

_MOVED = len(CORNERS) - 1  # one corner stays
_TWISTS = 3 ** (_MOVED - 1)  # the last twist is known by the others


class CubeCodes:
    """The rank of the order in which the pieces are, times 3^6, and the twists of the first six corners.

    A turn moves the pieces whatever their twists are, and changes the twists whichever pieces they are of: two lookups.
    `after` has by turn the solved cube after it.
    """

    bound: int = factorial(_MOVED) * _TWISTS

    def __init__(self, after: Mapping[str, str]) -> None:
        self._after = after

    def codes(self, states: Sequence[str]) -> Codes:
        """The codes of states, one row each."""
        stickers = np.frombuffer("".join(states).encode(), np.uint8).reshape(-1, len(SOLVED))
        piece, twist = np.divmod(self._number_of[_key(stickers[:, CORNERS[:_MOVED]])], 3)
        return (ranks(piece) * np.uint64(_TWISTS) + _twists_number(twist))[:, None]

    def states(self, codes: Codes) -> list[str]:
        """The inverse of `codes`."""
        order, twists = np.divmod(codes[:, 0], np.uint64(_TWISTS))
        piece = values_of(order, _MOVED).astype(np.int64)
        stickers = np.tile(np.frombuffer(SOLVED.encode(), np.uint8), (len(codes), 1))
        stickers[:, CORNERS[:_MOVED]] = self._letters[piece, _twists(twists)]
        return [bytes(row).decode() for row in stickers]

    def turned(self, codes: Codes, turn: str) -> Codes:
        """The codes after a turn."""
        orders, twists = self._tables[turn]
        order = codes[:, 0] // np.uint64(_TWISTS)
        twist = codes[:, 0] - order * np.uint64(_TWISTS)
        return (orders.take(order.view(np.int64)) + twists.take(twist.view(np.int64)))[:, None]

    @cached_property
    def _tables(self) -> dict[str, tuple[NDArray[np.uint64], NDArray[np.uint64]]]:
        """The effect of each turn on the order, times 3^6, and on the twists."""
        all_orders = window(_MOVED)
        all_twists = _twists(np.arange(_TWISTS, dtype=np.uint64))
        found = {}
        for turn, state in self._after.items():
            source, added = (np.array(row[:_MOVED]) for row in pieces(state))
            orders = ranks(all_orders[:, source]) * np.uint64(_TWISTS)
            found[turn] = orders, _twists_number((all_twists[:, source] + added) % 3)
        return found

    @cached_property
    def _letters(self) -> NDArray[np.uint8]:
        """The three stickers by piece and twist, in the order of those of a corner."""
        homes = np.frombuffer(SOLVED.encode(), np.uint8)[CORNERS]
        return np.stack([np.roll(homes, twist, axis=1) for twist in range(3)], axis=1)

    @cached_property
    def _number_of(self) -> NDArray[np.int64]:
        """Three times the piece, and the twist, by the key of three stickers."""
        found = np.zeros(6**3, np.int64)
        found[_key(self._letters.reshape(-1, 3))] = np.arange(3 * len(CORNERS))
        return found


def _key(stickers: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Rows of three stickers as numbers."""
    face_of = np.zeros(128, np.int64)
    face_of[np.frombuffer(FACES.encode(), np.uint8)] = np.arange(6)
    keys: NDArray[np.int64] = face_of[stickers] @ np.array([36, 6, 1])
    return keys


def _twists(numbers: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The twists of the seven corners, the first one of the lowest value; together they are no twist."""
    digits = numbers.astype(np.int64)[:, None] // 3 ** np.arange(_MOVED - 1) % 3
    return np.append(digits, -digits.sum(axis=1, keepdims=True) % 3, axis=1)


def _twists_number(twists: NDArray[np.int64]) -> NDArray[np.uint64]:
    """The inverse of `_twists`."""
    return (twists[:, :-1] @ 3 ** np.arange(_MOVED - 1)).astype(np.uint64)
