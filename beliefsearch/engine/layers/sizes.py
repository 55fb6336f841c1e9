"""How much of a search on disk is done at a time, so that it stays within memory."""

from __future__ import annotations

from attrs import frozen

from .space import Space

# Half a second of work, more or less: between two jobs the limits and Ctrl-C are heard.
_MOST_SUCCESSORS = 1 << 20
_MOST_ROWS = 1 << 22
_MOST_SMALL = 1 << 18
_LARGEST_RANGE = 1 << 30
_HASH_PARTS = 16
# To hand a job to somebody else takes some milliseconds; limits are heard while it is waited for.
_PIECES_SENT = 16


@frozen
class Sizes:
    """How much is done at a time.

    Attributes
    ----------
    piece
        Nodes expanded at a time.
    rows
        Codes made unique at a time.
    small
        Up to so many nodes in all there is only one part, and one file a layer.
    parts
        In how many parts codes are divided then.
    bits_stay
        Whether each worker keeps the bits of all parts in memory, besides those in files.
    pieces
        How many pieces are expanded in one job at most.
    """

    piece: int
    rows: int
    small: int
    parts: int
    bits_stay: bool = False
    pieces: int = 1

    @classmethod
    def of(cls, space: Space, memory: int, workers: int) -> Sizes:
        """The sizes with which a worker takes no more than about `memory` bytes."""
        # A code is held in up to eight copies while codes are sorted and divided.
        copies = 8 * 8 * space.words
        piece = min(memory // copies, _MOST_SUCCESSORS) // max(space.actions, 1)
        rows = max(min(memory // copies, _MOST_ROWS), 1 << 10)
        if space.bound is None:
            parts = max(_HASH_PARTS, 2 * workers)
        else:
            bits = space.bound // 4  # as a range is up to twice as long as it need be
            longest = min(_LARGEST_RANGE // 4, max(memory // 8, 1 << 16))
            parts = max(-(-bits // longest), 2 * workers if workers > 1 else 1)
        stay = space.bound is not None and space.bound // 4 <= memory // 4
        small, pieces = min(_MOST_SMALL, rows), _PIECES_SENT if workers > 1 else 1
        return cls(max(piece, 1), rows, small, min(parts, 65_536), stay, pieces)
