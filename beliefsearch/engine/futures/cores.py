"""Sets of futures that prove a bound, as a kernel with a stack of its own: parts of those that a search has tried.

A set has a bound if every action loses it, or leads from it to a part that has a bound of 1 less. Of a set that a
search has lost only the members are kept on which that rests, its *core*: two that an action makes one; or those that
come, by each action, to the core of a part.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...solvers.pomdp.arrays import with_room
from ..compiled.jit import inner_kernel, kernel
from .bounded import BoundedSearch
from .kernels import COUNTED, UNKNOWN, Futures, Marks, Step, parts_of, soon, step_of, sums_of
from .memo import Memo, slot

_SLICE = 2_000_000  # elementary steps between which limits may interrupt
_DONE, _STOPPED, _FAILED = 0, 1, 2
# The fields of a row of the stack: where a set begins, how large it is, its bound, the action looked at, or -1 before
# the first, and the percept with which the set above comes from it.
_AT, _SIZE, _BOUND, _ACTION, _SAID, _FIELDS = range(6)
_LEVEL, _FOUND = range(2)  # of `work`: the topmost row of the stack, and how many cores were found
_LOOKED_AT = 200  # members of a set whose pairs are looked up
_COMPARED = 60  # of the cores with one first member that may lie in a set


class Cores(NamedTuple):
    """The stack, with the members of its sets and whether they are chosen for the core; and the cores that were found.

    Those with bounds below `least` are not kept. Of the others `first` is the latest with this member first, and
    `following` the one before it, or -1.
    """

    least: int

    frames: NDArray[np.int64]
    members: NDArray[np.int32]
    chosen: NDArray[np.bool_]
    begins: NDArray[np.int64]
    found: NDArray[np.int32]
    ends: NDArray[np.int64]
    bounds: NDArray[np.int64]
    first: NDArray[np.int64]
    following: NDArray[np.int64]
    work: NDArray[np.int64]


def cores_of(
    search: BoundedSearch, members: NDArray[np.int32], bound: int, least: int, most: int
) -> list[tuple[NDArray[np.int32], int]] | None:
    """Return sets with bounds, each after those on which its bound rests; the last is a core of a set that has `bound`.

    Those with bounds below `least` are left out. None if there are more than `most` members in all, or if the search
    has not shown that the set has this bound.
    """
    count, size, least = len(search.tables.futures), len(members), min(least, bound)
    room = Cores(
        least,
        np.zeros((bound + 2, _FIELDS), np.int64),
        np.zeros(4 * count + 16, np.int32),
        np.zeros(4 * count + 16, np.bool_),
        np.zeros(count + 2, np.int64),
        np.zeros(count, np.int32),
        np.zeros(16, np.int64),
        np.zeros(16, np.int64),
        np.full(count, -1),
        np.zeros(16, np.int64),
        np.zeros(2, np.int64),
    )
    room.members[:size] = members
    room.frames[0] = 0, size, bound, -1, 0
    while (ended := _go_on(search.futures, search.marks, search.memo, room, _SLICE)) == _STOPPED:
        level, found = room.work.tolist()
        end = int(room.ends[found])
        if end > most:
            return None
        needed = int(room.frames[level, _AT] + room.frames[level, _SIZE]) + 4 * count
        room = room._replace(
            members=with_room(room.members, needed),
            chosen=with_room(room.chosen, needed),
            found=with_room(room.found, end + count),
            ends=with_room(room.ends, found + 2),
            bounds=with_room(room.bounds, found + 2),
            following=with_room(room.following, found + 2),
        )
    if ended == _FAILED:
        return None
    count = int(room.work[_FOUND])
    return [(room.found[room.ends[k] : room.ends[k + 1]], int(room.bounds[k])) for k in range(count)]


@kernel
def _go_on(f: Futures, marks: Marks, memo: Memo, room: Cores, allowed: int) -> int:
    """Find the core of the lowest set on the stack, or go on to, as far as there is room."""
    frames, members, chosen, work, begins = room.frames, room.members, room.chosen, room.work, room.begins
    while work[_LEVEL] >= 0:
        level = work[_LEVEL]
        frame = frames[level]
        at, size, bound = frame[_AT], frame[_SIZE], frame[_BOUND]
        end = room.ends[work[_FOUND]]
        is_full = members.size < at + size + 2 * size + 2 or room.found.size < end + size
        if is_full or work[_FOUND] + 2 > room.ends.size or allowed < 0:
            return _STOPPED
        allowed -= size + 1
        is_done = False
        if frame[_ACTION] < 0:
            chosen[at : at + size] = False
            is_done = _is_known(f, marks, room, frame)
            frame[_ACTION] = 0
            size = frame[_SIZE]
        if not is_done and frame[_ACTION] == f.percepts.shape[0]:
            is_done = True
            if bound >= room.least or level == 0:
                _enter(room, at, size, bound)
        if is_done:
            work[_LEVEL] = level - 1
            if level:
                _choose_origins(f, marks, room, frames[level - 1], frame)
            continue
        step = step_of(f, frame[_ACTION])
        if _is_chosen_enough(step, marks, room, at, size, bound - 1):
            frame[_ACTION] += 1
            continue
        parts = parts_of(step, marks, members, at, size, at + size, 2, begins, 0)
        if parts < 0:
            _choose_lost(step, marks, room, at, size)
            frame[_ACTION] += 1
            continue
        begins[parts + 1 : 2 * parts + 1] = marks.met[:parts]  # percepts, before the marks are used again
        part = _dear_part(f, marks, memo, room, parts, bound - 1)
        if part < 0:
            return _FAILED
        frame[_SAID] = begins[parts + 1 + part]
        above = frames[level + 1]
        above[_AT], above[_SIZE] = begins[part], begins[part + 1] - begins[part]
        above[_BOUND], above[_ACTION] = bound - 1, -1
        work[_LEVEL] = level + 1
    return _DONE


@inner_kernel
def _is_known(f: Futures, marks: Marks, room: Cores, frame: Any) -> bool:
    """Choose a core that is known, or of a set that is not to be entered all of it, or two that cost as much.

    Other sets are reduced to two that cost as much, if there are two.
    """
    at, size, bound = frame[_AT], frame[_SIZE], frame[_BOUND]
    if bound <= 1:
        room.chosen[at] = room.chosen[at + 1] = True
        return True
    core = _inside(marks, room, at, size, bound)
    if core >= 0:
        marks.clock[0] += 1
        for i in range(room.ends[core], room.ends[core + 1]):
            marks.stamp[room.found[i]] = marks.clock[0]
        for i in range(at, at + size):
            room.chosen[i] = marks.stamp[room.members[i]] == marks.clock[0]
        return True
    one, two = _dear_pair(f, marks, room.members, at, size, bound - 1)
    if one >= 0:
        room.members[at], room.members[at + 1] = one, two
        room.chosen[at] = room.chosen[at + 1] = True
        frame[_SIZE] = 2
    elif bound < room.least:
        room.chosen[at : at + size] = True
    return bool(bound < room.least)


@inner_kernel
def _inside(marks: Marks, room: Cores, at: int, size: int, bound: int) -> int:
    """Return a core with this bound that a set includes, or -1: one of the latest, as of many few are met again."""
    if bound < room.least:
        return -1
    marks.clock[0] += 1
    now = marks.clock[0]
    for i in range(at, at + size):
        marks.stamp[room.members[i]] = now
    for i in range(at, at + size):
        core, compared = room.first[room.members[i]], 0
        while core >= 0 and compared < _COMPARED:
            compared += 1
            place, end = room.ends[core], room.ends[core + 1]
            if room.bounds[core] >= bound:
                while place < end and marks.stamp[room.found[place]] == now:
                    place += 1
                if place == end:
                    return int(core)
            core = room.following[core]
    return -1


@inner_kernel
def _dear_pair(f: Futures, marks: Marks, members: Any, at: int, size: int, depth: int) -> tuple[int, int]:
    """Return two of a set for which so many actions do not suffice; -1 twice if no two are known."""
    stamp = marks.stamp
    if not f.merging and depth < f.classes.shape[0]:
        marks.clock[0] += 1
        for i in range(at, at + size):
            known = f.classes[depth, members[i]]
            if stamp[known] == marks.clock[0]:
                return marks.met[known], members[i]
            stamp[known], marks.met[known] = marks.clock[0], members[i]
    if f.costs.size and f.dear[0, min(depth, COUNTED - 1)]:
        for i in range(at, at + min(size, _LOOKED_AT)):
            for j in range(i + 1, at + min(size, _LOOKED_AT)):
                if f.costs[members[i], members[j]] > depth:
                    return members[i], members[j]
    return -1, -1


@inner_kernel
def _dear_part(f: Futures, marks: Marks, memo: Memo, room: Cores, parts: int, bound: int) -> int:
    """Return a part that has this bound, at best by a core or two members; -1 if there is none."""
    members, begins = room.members, room.begins
    for part in range(parts):
        at, size = begins[part], begins[part + 1] - begins[part]
        if bound <= 1 or _inside(marks, room, at, size, bound) >= 0:
            return part
    for part in range(parts):
        if _dear_pair(f, marks, members, begins[part], begins[part + 1] - begins[part], bound - 1)[0] >= 0:
            return part
    for part in range(parts):
        at, size = begins[part], begins[part + 1] - begins[part]
        is_won = soon(f, marks, members, at, size, bound - 1)
        if is_won == UNKNOWN:
            one, two = sums_of(f.randoms, members, at, size)
            place = slot(memo, one | np.uint64(1), two)
            is_won = 0 if memo.first[place] and memo.low[place] >= bound else 1
        if not is_won:
            return part
    return -1


@inner_kernel
def _is_chosen_enough(step: Step, marks: Marks, room: Cores, at: int, size: int, bound: int) -> bool:
    """Whether the action loses what is chosen, or leads from it to a part with a core of this bound."""
    members, begins, end = room.members, room.begins, at + size
    for i in range(at, at + size):
        if room.chosen[i]:
            members[end] = members[i]
            end += 1
    parts = parts_of(step, marks, members, at + size, end - at - size, end, 2, begins, 0)
    for part in range(parts):
        if bound <= 1 or _inside(marks, room, begins[part], begins[part + 1] - begins[part], bound) >= 0:
            return True
    return parts < 0


@inner_kernel
def _choose_lost(step: Step, marks: Marks, room: Cores, at: int, size: int) -> None:
    """Choose, beside those that are chosen, one for which the action does not apply, or two that it makes one."""
    members, chosen = room.members, room.chosen
    for i in range(at, at + size):
        if step.pairs[members[i]] < 0:
            chosen[i] = True
            return
    for others in (False, True):
        marks.clock[0] += 1
        now = marks.clock[0]
        for i in range(at, at + size):
            pair = step.pairs[members[i]]
            if chosen[i] or others:
                marks.stamp[pair], marks.met[pair] = now, i
        for i in range(at, at + size):
            pair = step.pairs[members[i]]
            if marks.stamp[pair] == now and marks.met[pair] != i:
                chosen[i] = chosen[marks.met[pair]] = True
                return


@inner_kernel
def _choose_origins(f: Futures, marks: Marks, room: Cores, below: Any, frame: Any) -> None:
    """Choose, in the set from which one came, members that come to the core of that, rather such as are chosen."""
    step, members, chosen = step_of(f, below[_ACTION]), room.members, room.chosen
    marks.clock[0] += 1
    now = marks.clock[0]
    for i in range(frame[_AT], frame[_AT] + frame[_SIZE]):
        if chosen[i]:
            marks.stamp[members[i]] = now
    for was_chosen in (True, False):
        for i in range(below[_AT], below[_AT] + below[_SIZE]):
            after = step.after[members[i]]
            if chosen[i] == was_chosen and step.percepts[members[i]] == below[_SAID] and marks.stamp[after] == now:
                marks.stamp[after] = 0
                chosen[i] = True
    below[_ACTION] += 1


@inner_kernel
def _enter(room: Cores, at: int, size: int, bound: int) -> None:
    """Enter what is chosen of a set as a core."""
    core = room.work[_FOUND]
    end = room.ends[core]
    for i in range(at, at + size):
        if room.chosen[i]:
            room.found[end] = room.members[i]
            end += 1
    first = room.found[room.ends[core]]
    room.ends[core + 1], room.bounds[core] = end, bound
    room.following[core], room.first[first] = room.first[first], core
    room.work[_FOUND] = core + 1
