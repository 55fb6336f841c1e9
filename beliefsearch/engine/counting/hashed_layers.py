"""Breadth-first layers in memory, with the reached nodes in hash sets: the fast form for any codes.

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

# A set grows by half as soon as three quarters of its slots are taken.
_FEWEST_SLOTS = 64
_TAKEN = 0.75
_LOW_HALF = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


class CodeSet:
    """A growing set of codes, 11 to 16 bytes for each code of one word.

    A free slot holds the code 0. So a flag tells whether the code 0 itself is in the set.
    """

    def __init__(self, words: int) -> None:
        self.slots: Codes = np.zeros((_FEWEST_SLOTS, words), dtype=np.uint64)
        self._taken = 0
        self._has_zero = False

    def enter(self, codes: Codes) -> Codes:
        """Add codes, and return the new ones without repetitions."""
        self._make_room(len(codes))
        out: Codes = np.empty_like(codes)
        count, has_zero = enter(self.slots, codes, self._has_zero, out)
        self._taken += count - (has_zero and not self._has_zero)
        self._has_zero = has_zero
        return out[:count]

    def codes(self) -> Codes:
        """Return all codes, in no particular order."""
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
    """Add codes, for all of which there is room, and write the new ones to `out`.

    Returns the number of new codes, and whether the code 0 is now in the set.
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
    """Copy all codes from `slots` to `others`, which has none of them."""
    for row in range(slots.shape[0]):
        if not _is_zero(slots, row):
            slot = _slot_of(others, slots, row)
            for word in range(slots.shape[1]):
                others[slot, word] = slots[row, word]


# These two take an array and a row number, because making a view of the row would take longer than their work.


@inner_kernel
def _is_zero(codes: Codes, row: int | np.int64) -> bool:
    """Whether a code is 0."""
    for word in range(codes.shape[1]):  # noqa: SIM110  # a generator cannot be compiled
        if codes[row, word] != 0:
            return False
    return True


@inner_kernel
def _slot_of(slots: Codes, codes: Codes, row: int) -> Any:
    """Return the free slot for a code other than 0; -1 if the code is in the set already.

    The lower half of the hash determines the slot, because the highest bits have chosen the part (see `codes.parts`).
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


# The number of sets of reached nodes, each with its own lock. They grow one by one, so that threads wait less and less
# memory is copied at a time than with one large set.
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
        """Return the least memory that so many nodes with codes of one word take."""
        return 11 * nodes

    def _enter(self, codes: Codes) -> int:
        new = self._new(codes)
        if len(new):
            self._next.append(new)
        return len(new)

    def _remember(self, codes: Codes) -> None:
        self._new(codes)

    def _new(self, codes: Codes) -> Codes:
        """Add codes to the sets, and return the new ones without repetitions."""
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
        found = self.space.starts()[:0]
        for codes in self._layer:
            found = least(np.concatenate([found, least(codes, most)]), most)
        return found
