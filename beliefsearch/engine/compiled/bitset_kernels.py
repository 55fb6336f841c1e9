"""Compiled inner loops on bit sets: images, inclusion, hashing, and a hash table of sets."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .bitset_words import Integers, Integers32, Truths, Words
from .jit import inner_kernel, kernel

_ONE = np.uint64(1)
_BYTE = np.uint64(255)
_EIGHT = np.uint64(8)
_SIX = np.uint64(6)
_LOW = np.uint64(63)

# An image that collects more pairs of a member and a result than this for each of its words is made by byte marks.
_DENSE = 16


class RelationTables(NamedTuple):
    """The transitions of all actions as sparse lists and, if these are small enough, as byte tables.

    The offsets of the lists have the shape (actions, states + 1). The tables have the shape (actions, bytes, 256,
    words), or are empty; `fill_tables` defines their entries.
    """

    tables: NDArray[np.uint64]
    offsets: Integers
    targets: NDArray[Any]


@kernel
def image(tables: Words, offsets: Integers, targets: NDArray[Any], action: int, belief: Words, out: Words) -> None:
    """Write to `out` the image of `belief` under `action`.

    The first arguments are the fields of `RelationTables`, because unpacking them here would take time.
    """
    for word in range(out.size):
        out[word] = 0
    if tables.shape[0] > 0:
        for word in range(belief.size):
            rest = belief[word]
            place = word * 8
            while rest != 0:
                entry = tables[action, place, np.int64(rest & _BYTE)]
                for column in range(out.size):
                    out[column] |= entry[column]
                rest >>= _EIGHT
                place += 1
        return
    pairs = size_of(belief) * offsets[action, -1] // max(1, offsets.shape[1] - 1)
    if pairs > _DENSE * out.size:
        _mark_results(offsets[action], targets, belief, out)
    else:
        _add_results(offsets[action], targets, belief, out)


Traced: TypeAlias = tuple[Words, Integers32, Integers32]
"""Sets, and for each the row of the set that it is an image or pre-image of, and the number of the action."""


@kernel
def images(relations: RelationTables, applicable: Words, first: int, end: int, beliefs: Words) -> Traced:
    """Return the images of beliefs under the actions from `first` to before `end`."""
    tables, offsets, targets = relations
    room = beliefs.shape[0] * (end - first)
    out = np.empty((room, beliefs.shape[1]), dtype=np.uint64)
    origins, actions = np.empty(room, dtype=np.int32), np.empty(room, dtype=np.int32)
    count = 0
    for origin in range(beliefs.shape[0]):
        for action in range(first, end):
            if includes(applicable[action], beliefs[origin]):
                image(tables, offsets, targets, action, beliefs[origin], out[count])
                origins[count], actions[count] = origin, action
                count += 1
    return out[:count], origins[:count], actions[:count]


@inner_kernel
def _add_results(offsets: Integers, targets: NDArray[Any], belief: Words, out: Words) -> None:
    """Add the results of all members of `belief` to `out`, bit by bit."""
    for word in range(belief.size):
        rest = belief[word]
        while rest != 0:
            state = word * 64 + lowest_bit(rest)
            rest &= rest - _ONE
            for number in range(offsets[state], offsets[state + 1]):
                target = np.uint64(targets[np.uint64(number)])
                out[target >> _SIX] |= _ONE << (target & _LOW)


@inner_kernel
def _mark_results(offsets: Integers, targets: NDArray[Any], belief: Words, out: Words) -> None:
    """Add the results of all members of `belief` to `out` by byte marks, which are written without being read."""
    marks = np.zeros(out.size * 8, dtype=np.uint64)
    bytes_of_marks = marks.view(np.uint8)
    for word in range(belief.size):
        rest = belief[word]
        while rest != 0:
            state = word * 64 + lowest_bit(rest)
            rest &= rest - _ONE
            for number in range(offsets[state], offsets[state + 1]):
                bytes_of_marks[np.uint64(targets[np.uint64(number)])] = 1
    for word in range(out.size):
        for byte in range(8):  # the product gathers the lowest bits of eight bytes in the highest byte
            gathered = (marks[word * 8 + byte] * np.uint64(0x0102040810204080)) >> np.uint64(56)
            out[word] |= gathered << np.uint64(8 * byte)


@kernel
def fill_tables(offsets: Integers, targets: NDArray[Any], tables: NDArray[np.uint64]) -> None:
    """Make byte tables from sparse lists: entry b at place p is the union over the states 8p + i, i a bit of b."""
    states = offsets.shape[1] - 1
    for action in range(tables.shape[0]):
        for place in range(tables.shape[1]):
            for byte in range(1, 256):
                lowest = byte & -byte
                entry = tables[action, place, byte]
                for column in range(entry.size):
                    entry[column] = tables[action, place, byte ^ lowest, column]
                state = place * 8
                while lowest > 1:
                    lowest >>= 1
                    state += 1
                if state < states:
                    for number in range(offsets[action, state], offsets[action, state + 1]):
                        target = np.uint64(targets[np.uint64(number)])
                        entry[target >> _SIX] |= _ONE << (target & _LOW)


@kernel
def includes(large: Words, small: Words) -> bool:
    """Whether every member of `small` is one of `large`."""
    for word in range(small.size):  # noqa: SIM110  # a generator cannot be compiled
        if small[word] & ~large[word] != 0:
            return False
    return True


@kernel
def is_goal(goals: Words, goals_of: Integers, goals_around: Integers, belief: Words) -> bool:
    """Whether `belief` lies inside a goal set; examines only the goal sets of its first member."""
    state = 0
    for word in range(belief.size):
        if belief[word] != 0:
            state = word * 64 + lowest_bit(belief[word])
            break
    for number in range(goals_of[state], goals_of[state + 1]):  # noqa: SIM110
        if includes(goals[goals_around[number]], belief):
            return True
    return False


@kernel
def hash_of(belief: Words) -> np.uint64:
    """64 well-mixed bits: two rounds of folding and multiplying for each word.

    Folding comes first: by multiplication alone the high bits of a word never reach the low ones, which
    choose the slot.
    """
    mixed = np.uint64(0)
    for word in range(belief.size):
        mixed = mix(mixed ^ belief[word])
    return mixed


@inner_kernel
def mix(word: np.uint64) -> np.uint64:
    """Return the bits of one word, mixed."""
    word = (word ^ (word >> np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return word ^ (word >> np.uint64(32))


@kernel
def size_of(belief: Words) -> Any:
    """Count the members of `belief`."""
    size = np.int64(0)
    for word in range(belief.size):
        size += bits_of(belief[word])
    return size


@inner_kernel
def bits_of(word: np.uint64) -> np.int64:
    """Count the bits of one word that are set."""
    word -= (word >> _ONE) & np.uint64(0x5555555555555555)
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@inner_kernel
def lowest_bit(word: np.uint64) -> Any:
    """Return the place of the lowest bit that is set in one word, which is not 0."""
    return bits_of((word & -word) - _ONE)


@kernel
def sized_image(tables: Words, offsets: Integers, targets: NDArray[Any], action: int, belief: Words, out: Words) -> Any:
    """Compute `image`, and return the number of its members."""
    image(tables, offsets, targets, action, belief, out)
    return size_of(out)


@kernel
def which_include(large: Words, small: Words) -> Truths:
    """For each row of `large`: whether it contains every member of `small`."""
    answer = np.zeros(large.shape[0], dtype=np.bool_)
    for row in range(large.shape[0]):
        answer[row] = includes(large[row], small)
    return answer


@inner_kernel
def list_members(belief: Words, members: Integers) -> Any:
    """Write the members of `belief` to `members` in ascending order; return their number."""
    count = 0
    for word in range(belief.size):
        rest = belief[word]
        while rest != 0:
            members[count] = word * 64 + lowest_bit(rest)
            count += 1
            rest &= rest - _ONE
    return count


FREE = np.uint32(0)


def slots_for(capacity: int) -> NDArray[np.uint32]:
    """Return the free slots of a hash table of so many rows, which is then at most half full."""
    return np.zeros(1 << (2 * capacity - 1).bit_length(), dtype=np.uint32)


def enlarged(array: NDArray[Any], capacity: int) -> NDArray[Any]:
    """Return a copy with so many rows; the new rows are zero."""
    large = np.zeros((capacity, *array.shape[1:]), dtype=array.dtype)
    large[: len(array)] = array
    return large


@inner_kernel
def find_or_insert(rows: Words, slots: NDArray[np.uint32], count: int, row: Words) -> Any:
    """Return the place of `row` among the first `count` of `rows`; a new row is copied to the place `count`."""
    last = np.uint64(slots.size - 1)
    slot = hash_of(row) & last
    while slots[slot] != FREE:
        place = np.int64(slots[slot]) - 1
        word = 0
        while word < row.size and rows[place, word] == row[word]:
            word += 1
        if word == row.size:
            return place
        slot = (slot + _ONE) & last
    slots[slot] = np.uint32(count + 1)
    for word in range(row.size):
        rows[count, word] = row[word]
    return np.int64(count)


@kernel
def rehash(rows: Words, count: int, slots: NDArray[np.uint32]) -> None:
    """Enter the first `count` rows into `slots`, which are all free."""
    for place in range(count):
        find_or_insert(rows, slots, place, rows[place])
