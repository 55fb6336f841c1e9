"""How much of a search on disk is done at a time, so that it stays within memory."""

from __future__ import annotations

from attrs import frozen

from ...running.limits import Budget, resident_memory
from .division import ByRange
from .engines import Engine
from .space import Space

# Half a second of work, more or less: between two jobs the limits and Ctrl-C are heard.
_MOST_SUCCESSORS = 1 << 20
_MOST_ROWS = 1 << 22
_MOST_SMALL = 1 << 18
_LARGEST_RANGE = 1 << 30  # codes
_HASH_PARTS = 16
_MOST_PARTS = 1 << 16
# What the machine is taken to have if it does not say, what a worker may take at the least, and the share of what is
# free that it is told of, in bytes: more than the arrays that are counted is taken by what is read and written.
_MEMORY = 1 << 32
_LEAST_MEMORY = 1 << 24
_SHARE = 2
# To hand a job to another process takes some milliseconds; limits are heard while it is waited for. And a layer that
# so many codes follow takes about as long as to hand it out.
_PIECES_SENT = 64
_ALONE = 1 << 22
# Each worker has so many ranges, or half as many, so that all have about as much to do.
_RANGES_EACH = 8


def memory_each(budget: Budget, engine: Engine) -> int:
    """How much memory each worker of an engine may take, in bytes: they share what the limit allows."""
    most = budget.most_memory()
    room, taken = _MEMORY if most is None else most, resident_memory()
    # Threads share what this process has taken already; other processes have taken about as much, each of them.
    free = room // engine.workers - taken if engine.far else (room - taken) // engine.workers
    return max(free // _SHARE, _LEAST_MEMORY)


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
    alone
        Up to so many words of codes that follow a layer are found without anybody's help.
    """

    piece: int
    rows: int
    small: int
    parts: int
    bits_stay: bool = False
    pieces: int = 1
    alone: int = 0

    @classmethod
    def of(cls, space: Space, memory: int, engine: Engine) -> Sizes:
        """The sizes with which each worker of an engine takes no more than about `memory` bytes."""
        workers, far = engine.workers, engine.far
        # A code is held in up to eight copies while codes are sorted and divided.
        copies = 8 * 8 * space.words
        piece = min(memory // copies, _MOST_SUCCESSORS) // max(space.actions, 1)
        rows = max(min(memory // copies, _MOST_ROWS), 1 << 10)
        stay = False
        if space.bound is None:
            parts = max(_HASH_PARTS, 2 * workers)
        else:
            longest = min(_LARGEST_RANGE, max(memory // 2, 1 << 16))  # its bits, twice, take an eighth of the memory
            parts = max(-(-space.bound // longest), _RANGES_EACH * workers if workers > 1 else 1)
            # A range is up to twice as long as it need be, and a worker keeps those of all parts.
            division = ByRange.of(space.bound, min(parts, _MOST_PARTS))
            stay = division.parts * division.size // 8 <= memory // 2
        small, parts = min(_MOST_SMALL, rows), min(parts, _MOST_PARTS)
        return cls(max(piece, 1), rows, small, parts, stay, _PIECES_SENT if far else 1, _ALONE if far else 0)
