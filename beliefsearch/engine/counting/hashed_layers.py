"""Breadth-first layers in memory, the quick way for any codes: what was reached in sets by hash.

A set of codes uses open addressing with linear probing by compiled kernels, a row of words for each slot.
"""

from __future__ import annotations

from collections.abc import Iterator
from threading import Lock
from typing import Any

import numpy as np

from ...running.run import Run
from ..compiled.bitset_kernels import mix
from ..compiled.jit import inner_kernel, kernel
from .codes import Codes, Space, least, parts
from .executors import Engine
from .memory_layers import Walk

# Grown by half when three quarters of the slots are taken.
_FEWEST_SLOTS = 64
_TAKEN = 0.75
_LOW_HALF = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


class CodeSet:
    """A growing set of codes, 11 to 16 bytes for each code of one word.

    A free slot holds the code 0, so that a code 0 is told apart.
    """

    def __init__(self, words: int) -> None:
        self.slots: Codes = np.zeros((_FEWEST_SLOTS, words), dtype=np.uint64)
        self._taken = 0
        self._has_zero = False

    def __len__(self) -> int:
        return self._taken + self._has_zero

    def enter(self, codes: Codes) -> Codes:
        """Enter codes; returns those that are new, each once."""
        self._make_room(len(codes))
        out: Codes = np.empty_like(codes)
        count, has_zero = enter(self.slots, codes, self._has_zero, out)
        self._taken += count - (has_zero and not self._has_zero)
        self._has_zero = has_zero
        return out[:count]

    def codes(self) -> Codes:
        """All codes, in no order."""
        found = self.slots[self.slots.any(axis=1)]
        return np.concatenate([found, np.zeros((1, found.shape[1]), np.uint64)]) if self._has_zero else found

    def _make_room(self, more: int) -> None:
        needed = int((self._taken + more) / _TAKEN) + 1
        if needed <= len(self.slots):
            return
        slots: Codes = np.zeros((max(needed, len(self.slots) * 3 // 2), self.slots.shape[1]), dtype=np.uint64)
        move(self.slots, slots)
        self.slots = slots


@kernel
def enter(slots: Codes, codes: Codes, has_zero: bool, out: Codes) -> Any:
    """Enter codes, of which there is room for all, and write the new ones to `out`.

    Returns how many are new, and whether the code 0 is entered now.
    """
    count = 0
    for row in range(codes.shape[0]):
        if _is_zero(codes, row):
            if has_zero:
                continue
            has_zero = True
        else:
            slot = _slot_of(slots, codes, row)
            if slot < 0:
                continue
            for word in range(codes.shape[1]):
                slots[slot, word] = codes[row, word]
        for word in range(codes.shape[1]):
            out[count, word] = codes[row, word]
        count += 1
    return count, has_zero


@kernel
def move(slots: Codes, others: Codes) -> None:
    """Enter what is in some slots into others that have none of it."""
    for row in range(slots.shape[0]):
        if not _is_zero(slots, row):
            slot = _slot_of(others, slots, row)
            for word in range(slots.shape[1]):
                others[slot, word] = slots[row, word]


# These are given arrays and a row: a view of the row would cost more than what they do.


@inner_kernel
def _is_zero(codes: Codes, row: int | np.int64) -> bool:
    """Whether a code is 0."""
    for word in range(codes.shape[1]):  # noqa: SIM110  # a generator cannot be compiled
        if codes[row, word] != 0:
            return False
    return True


@inner_kernel
def _slot_of(slots: Codes, codes: Codes, row: int) -> Any:
    """The free slot for a code that is not 0; -1 if it is in one already.

    The place comes of the lower half of the hash: the highest bits have chosen the part (see `step.parts`).
    """
    mixed = np.uint64(0)
    for word in range(codes.shape[1]):
        mixed = mix(mixed ^ codes[row, word])
    slot = np.int64(((mixed & _LOW_HALF) * np.uint64(slots.shape[0])) >> _HALF)
    while not _is_zero(slots, slot):
        same = True
        for word in range(codes.shape[1]):
            same &= slots[slot, word] == codes[row, word]
        if same:
            return np.int64(-1)
        slot += 1
        if slot == slots.shape[0]:
            slot = np.int64(0)
    return slot


# What is reached is kept in so many sets, each with a lock of its own. They grow one by one, which is less to wait for,
# and takes less memory, than one large set.
_PARTS = 64


class HashedLayers(Walk):
    """A breadth-first search that keeps the codes of all nodes reached.

    Memory: 11 to 16 bytes for each node whose code is one word, and 8 for each of the last layer and the next.
    """

    def __init__(
        self, space: Space, run: Run | None = None, *, engine: Engine | None = None, before: Walk | None = None
    ) -> None:
        self._sets = [CodeSet(space.words) for _ in range(_PARTS)]
        self._locks = [Lock() for _ in range(_PARTS)]
        self._next: list[Codes] = []
        super().__init__(space, run, engine=engine, before=before)

    @staticmethod
    def nbytes_for(nodes: int) -> int:
        """The memory that so many nodes take at the least, whose codes are one word."""
        return 11 * nodes

    def _enter(self, codes: Codes) -> int:
        new = self._new(codes)
        if len(new):
            self._next.append(new)
        return len(new)

    def _remember(self, codes: Codes) -> None:
        self._new(codes)

    def _new(self, codes: Codes) -> Codes:
        """Enter codes into the sets; returns those that are new, each once."""
        found = [codes[:0]]
        for part, own in enumerate(parts(codes, _PARTS)):
            if len(own):
                with self._locks[part]:
                    found.append(self._sets[part].enter(own))
        return np.concatenate(found)

    def _end_layer(self, found: int) -> None:
        super()._end_layer(found)
        self._layer, self._next = self._next, []

    def layer(self) -> Iterator[Codes]:
        yield from self._layer

    def release(self) -> Iterator[Codes]:
        while self._sets:
            yield self._sets.pop().codes()

    def last(self, most: int) -> Codes:
        """At most so many nodes of the last layer, those with the least codes."""
        found = self.space.starts()[:0]
        for codes in self._layer:
            found = least(np.concatenate([found, least(codes, most)]), most)
        return found
