"""Depth-first search within a bound on sets of futures, as kernels with a stack of their own.

What a kernel does is on a `Stack` between two steps, so it may be stopped, given more room, and gone on with. A plan
for a set must bring it down to one future, or, where futures must not merge, tell all of it apart. Sets that were
decided are remembered: `memo.py`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..compiled.jit import inner_kernel, kernel
from .kernels import UNKNOWN, Futures, Marks, mixed, ordered, parts_of, soon, step_of, sums_of, words_left
from .memo import NOT_WON, Memo, entered, slot

LOST, WON, STOPPED = 0, 1, 2
"""What a search gives: whether it found something, or that it was stopped, by its allowance or for want of room."""
_OPEN, _TRY = 3, 4  # what is to be done next: look at a set; try the next action of the topmost
# The fields of a row of the stack. Of a set: where it begins, how large it is, and where its parts are to stand; its
# place in the memo; the next of its actions and their end in `orders`; where `begins` has its parts, how many they are
# and which is looked at. Of groups: where `begins` has them and how many they are; and as before.
AT, SIZE, TOP, PLACE, NEXT, LAST, BEGINS, PARTS, PART = range(9)
FIELDS = 9
# What `work` counts: steps done, and allowed; sets in the memo; actions tried; the topmost row of the stack, or -1; and
# from `NEEDED` on how large each array of the stack must be for one more action.
DONE, ALLOWED, KNOWN, TRIED, LEVEL, NEEDED = range(6)
COUNTERS = NEEDED + 4

_LOOKED_UP = 16  # words of pairs, about, until it is told whether there is one for all


class Stack(NamedTuple):
    """Sets that are looked at, one within the other: `frames` has a row each, with fields that lie in the others."""

    frames: NDArray[np.int64]
    members: NDArray[np.int32]
    begins: NDArray[np.int64]
    orders: NDArray[np.int64]


@inner_kernel
def _must_stop(stack: Stack, memo: Memo, work: Any, to: int, size: int, begins: int, orders: int, actions: int) -> Any:
    """Return whether the allowance is used up, or there may not be enough room for one more action."""
    work[NEEDED] = work[LEVEL] + 2
    work[NEEDED + 1] = to + size
    work[NEEDED + 2] = begins + size + 2
    work[NEEDED + 3] = orders + actions
    return (
        work[DONE] > work[ALLOWED]
        or 2 * (work[KNOWN] + 1) > memo.first.size
        or work[NEEDED] > stack.frames.shape[0]
        or work[NEEDED + 1] > stack.members.size
        or work[NEEDED + 2] > stack.begins.size
        or work[NEEDED + 3] > stack.orders.size
    )


@kernel
def won_within(
    f: Futures, marks: Marks, memo: Memo, stack: Stack, work: Any, whole: int, depth: int, width: int
) -> int:
    """Tell whether the set of the first `whole` members on the stack is won within so many actions, or go on to.

    In each set only the finest actions are tried, `width` of them.
    """
    frames, members, begins, actions = stack.frames, stack.members, stack.begins, f.percepts.shape[0]
    level = work[LEVEL]
    doing = _OPEN if level < 0 else _TRY
    at: Any = np.int64(0)
    size, top, order, first = whole, whole, 0, 0
    while True:
        if doing == _OPEN:
            left = depth - level - 1
            doing = soon(f, marks, members, at, size, left)
            if doing == UNKNOWN:
                one, two = sums_of(f.randoms, members, at, size)
                place = entered(memo, work, one | np.uint64(1), two)
                doing = LOST if memo.low[place] > left else WON if memo.high[place] <= left else _TRY
            if doing == _TRY:
                most: Any = np.int64(1) << 60
                if left - 1 < f.most.size:
                    most = f.most[left - 1]
                chosen, _ = ordered(f, marks, members, at, size, most, one)
                work[DONE] += actions * size + 1
                count = min(chosen.size, width)
                for i in range(count):
                    stack.orders[order + i] = chosen[i]
                level += 1
                work[LEVEL] = level
                frame = frames[level]
                frame[AT], frame[SIZE], frame[TOP], frame[PLACE] = at, size, top, place
                frame[NEXT], frame[LAST], frame[BEGINS] = order, order + count, first
        if doing == _TRY:
            frame = frames[level]
            if _must_stop(stack, memo, work, frame[TOP], frame[SIZE], frame[BEGINS], frame[LAST], actions):
                return STOPPED
            doing = LOST
            while doing == LOST and frame[NEXT] < frame[LAST]:
                step = step_of(f, stack.orders[frame[NEXT]])
                first = frame[BEGINS]
                parts = parts_of(step, marks, members, frame[AT], frame[SIZE], frame[TOP], 2, begins, first)
                work[DONE] += frame[SIZE]
                if depth - level - 1 == 2:
                    work[DONE] += _LOOKED_UP * actions
                work[TRIED] += 1
                doing = WON
                for i in range(first, first + parts):
                    if soon(f, marks, members, begins[i], begins[i + 1] - begins[i], depth - level - 1) == LOST:
                        doing = LOST
                        frame[NEXT] += 1
                        break
                frame[PARTS], frame[PART] = parts, -1
            if doing == LOST:
                memo.low[frame[PLACE]] = max(memo.low[frame[PLACE]], depth - level + 1)
                level -= 1
                work[LEVEL] = level
        while doing == WON and level >= 0:
            frame = frames[level]
            frame[PART] += 1
            if frame[PART] < frame[PARTS]:
                first = frame[BEGINS]
                at, size = begins[first + frame[PART]], begins[first + frame[PART] + 1] - begins[first + frame[PART]]
                top, order, first = begins[first + frame[PARTS]], frame[LAST], first + frame[PARTS] + 1
                doing = _OPEN
            else:
                place = frame[PLACE]
                if depth - level < memo.high[place]:
                    memo.high[place] = depth - level
                    memo.action[place] = stack.orders[frame[NEXT]]
                level -= 1
                work[LEVEL] = level
        if level < 0 and doing != _OPEN:
            return doing
        if doing == LOST:
            frames[level, NEXT] += 1
            doing = _TRY


@inner_kernel
def _may_win(f: Futures, marks: Marks, stack: Stack, first: int, count: int, left: int) -> bool:
    """Return whether the cheap tests leave it open that a word of so many actions wins from these groups."""
    members, begins = stack.members, stack.begins
    if left <= 0:
        return False
    if left == f.length:
        for part in range(f.words.shape[2]):
            some = ~np.uint64(0)
            for i in range(first, first + count):
                some = words_left(f.words, part, members, begins[i], begins[i + 1] - begins[i], some)
                if some == 0:
                    break
            if some:
                return True
        return False
    for i in range(first, first + count):
        at, many = begins[i], begins[i + 1] - begins[i]
        if many == 2:  # as most are
            one, two = members[at], members[at + 1]
            if f.costs.size and f.costs[one, two] > left:
                return False
            if left < f.classes.shape[0] and f.classes[left, one] == f.classes[left, two]:
                return False
        elif left > 1 and soon(f, marks, members, at, many, left) == LOST:
            return False
    return True


@inner_kernel
def _groups_after(
    f: Futures, marks: Marks, stack: Stack, action: int, first: int, count: int, keep: int, is_last: Any
) -> int:
    """Write what an action makes of groups behind them; returns how many there are to be told, -1 if it is no use."""
    members, begins = stack.members, stack.begins
    step, to, new, parts, largest = step_of(f, action), begins[first + count], first + count + 1, 0, 0
    begins[new] = to
    stamp, clock, last = marks.stamp, marks.clock, -1
    now = clock[0]
    for i in range(first, first + count):
        size, end = begins[i + 1] - begins[i], begins[new + parts]
        if size == 2 and keep == 2:  # as most are
            one, two = members[begins[i]], members[begins[i] + 1]
            same = step.pairs[one] == step.pairs[two]
            if step.pairs[one] < 0 or step.pairs[two] < 0 or (same and not step.merging):
                return -1
            found = 1 if not same and step.percepts[one] == step.percepts[two] else 0
            one, two = step.after[one], step.after[two]
            if found:
                if one != last:
                    clock[0] += 1
                    last, now = one, clock[0]
                found = 0 if stamp[two] == now else 1  # pairs with one first are mostly together
                stamp[two] = now
            members[end], members[end + 1] = one, two
            begins[new + parts + found] = end + 2 * found
        else:
            found = parts_of(step, marks, members, begins[i], size, end, keep, begins, new + parts)
        if found < 0:
            return -1
        if found:
            largest = max(largest, begins[new + parts + 1] - begins[new + parts])
            parts += found
        if is_last and largest > 1:
            return -1
    return parts if largest > 1 or parts < 0 else 0


@kernel
def pairs_after(f: Futures, marks: Marks, stack: Stack, count: int, keep: int, left: Any, sums: Any) -> None:
    """Count the pairs in what each action leaves of the first `count` groups, -1 if it is no use, and sum it up."""
    for action in range(f.percepts.shape[0]):
        groups = _groups_after(f, marks, stack, action, 0, count, keep, False)
        left[action], sums[action] = min(groups, 0), np.uint64(0)
        for i in range(count + 1, count + 1 + groups):
            many = stack.begins[i + 1] - stack.begins[i]
            left[action] += many * (many - 1) // 2
            sums[action] += mixed(sums_of(f.randoms, stack.members, stack.begins[i], many)[0])


@kernel
def groups_after(f: Futures, marks: Marks, stack: Stack, action: int, count: int, keep: int) -> int:
    """Write what an action makes of the first `count` groups on the stack behind them; returns how many there are."""
    return _groups_after(f, marks, stack, action, 0, count, keep, False)


@kernel
def word_within(
    f: Futures, marks: Marks, memo: Memo, stack: Stack, work: Any, count: int, keep: int, depth: int
) -> int:
    """Tell whether a word of this length wins from the first `count` groups on the stack, or go on to.

    Its actions are the `NEXT` of the rows of the stack. Parts of `keep` or more are kept.
    """
    frames, members, begins, actions = stack.frames, stack.members, stack.begins, f.percepts.shape[0]
    level = work[LEVEL]
    doing = _OPEN if level < 0 else _TRY
    first: Any = np.int64(0)
    groups = count
    while True:
        if doing == _OPEN:
            left = depth - level - 1
            doing = WON if groups == 0 else LOST
            if left == f.length:
                work[DONE] += _LOOKED_UP * f.words.shape[2]
            if groups and _may_win(f, marks, stack, first, groups, left):
                one, two = np.uint64(0), np.uint64(0)
                for i in range(first, first + groups):
                    some, others = sums_of(f.randoms, members, begins[i], begins[i + 1] - begins[i])
                    one += mixed(some)
                    two += mixed(others + some)
                place = entered(memo, work, one | np.uint64(1), two)
                if memo.low[place] <= left:
                    doing = _TRY
                    level += 1
                    work[LEVEL] = level
                    frame = frames[level]
                    frame[BEGINS], frame[PARTS], frame[PLACE], frame[NEXT] = first, groups, place, 0
        if doing == _TRY:
            frame = frames[level]
            first, groups = frame[BEGINS], frame[PARTS]
            end = begins[first + groups]
            size = end - begins[first]
            if _must_stop(stack, memo, work, end, size + 1, first + groups + 1, 0, 0):
                return STOPPED
            found = -1
            while found < 0 and frame[NEXT] < actions:
                is_last = level + 1 == depth
                found = _groups_after(f, marks, stack, frame[NEXT], first, groups, keep, is_last)
                work[DONE] += size
                if found < 0:
                    frame[NEXT] += 1
            if found >= 0:
                first, groups = first + groups + 1, found
                doing = _OPEN
                continue
            memo.low[frame[PLACE]] = max(memo.low[frame[PLACE]], depth - level + 1)
            level -= 1
            work[LEVEL] = level
            doing = LOST
        if doing == WON or level < 0:
            return doing
        frames[level, NEXT] += 1
        doing = _TRY


@kernel
def known_action(f: Futures, memo: Memo, members: Any) -> tuple[int, int]:
    """The action to begin with in a set that is won, and within how many; -1 if the memo does not have it."""
    one, two = sums_of(f.randoms, members, 0, members.size)
    place = slot(memo, one | np.uint64(1), two)
    if memo.first[place] and memo.high[place] < NOT_WON:
        return memo.action[place], memo.high[place]
    return -1, 0
