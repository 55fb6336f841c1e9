"""Positions of the pocket cube as numbers without gaps, and turns of many cubes at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from math import factorial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ._cube_stickers import CORNERS, FACES, SOLVED, pieces
from ._ranks import ranks, values_of, window

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Codes: TypeAlias = NDArray[np.uint64]

_MOVED = len(CORNERS) - 1  # one corner stays
_TWISTS = 3 ** (_MOVED - 1)  # the last twist is known by the others


class CubeCodes:
    """The rank of the order in which the pieces are, times 3^6, and the twists of the first six corners.

    A turn moves the pieces whatever their twists are, and changes the twists whichever pieces they are of: two lookups.

    Parameters
    ----------
    after
        By turn: the solved cube after it.
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
        """By turn: what it makes of the order, times 3^6, and of the twists."""
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
        """By piece and twist: its three stickers, in the order of those of a corner."""
        homes = np.frombuffer(SOLVED.encode(), np.uint8)[CORNERS]
        return np.stack([np.roll(homes, twist, axis=1) for twist in range(3)], axis=1)

    @cached_property
    def _number_of(self) -> NDArray[np.int64]:
        """By the key of three stickers: three times the piece, and the twist."""
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
