"""Search within bounds on sets of futures, as kernels.

A set is a slice of one array, used as a stack. A plan for a set must bring it down to one future, or, where futures
must not merge, tell all of it apart. Sets that were decided are remembered: `memo.py`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..compiled.jit import inner_kernel, kernel
from .memo import NOT_WON, Memo, entered, slot

STOPPED = 2
"""What a search gives that was stopped: by its allowance of work, or since its memo is full."""
NEVER = 65535
"""What a pair costs that no word merges or tells apart."""
COUNTED = 1024  # of pairs that cost more than so much, none are counted apart
_ONE_BY_ONE = 64  # members of a set whose pairs are looked up one by one


class Futures(NamedTuple):
    """A problem as kernels take it.

    By action and future: `after`, the next future, -1 where the action does not apply; `percepts`; and `pairs`, a
    number for each pair of the two. By number of actions, as far as known: `most`, how many futures they can tell
    apart, and `classes`, by future, those that no word of so many tells apart. `costs` are the least numbers of actions
    that merge or tell apart a pair, and `dear` the pairs by falling cost, behind the counts of those that cost more.
    """

    after: NDArray[np.int32]
    percepts: NDArray[np.int32]
    pairs: NDArray[np.int32]
    most: NDArray[np.int64]
    classes: NDArray[np.int32]
    costs: NDArray[np.uint16]
    dear: NDArray[np.int32]
    words: NDArray[np.uint64]
    merging: bool


class Scratch(NamedTuple):
    """Room for work. `work`: what was done and may be, how many sets the memo has, if it is full; actions tried."""

    stamp: NDArray[np.int64]
    met: NDArray[np.int32]
    counts: NDArray[np.int32]
    seen: NDArray[np.int32]
    tick: NDArray[np.int64]
    sums: NDArray[np.uint64]
    work: NDArray[np.int64]


@inner_kernel
def _mixed(x: Any) -> Any:
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@inner_kernel
def _sums(words: Any, stack: Any, at: int, size: int) -> Any:
    one, two = np.uint64(0), np.uint64(0)
    for i in range(at, at + size):
        one += words[0, stack[i]]
        two += words[1, stack[i]]
    return one, two


@inner_kernel
def _parts(
    pairs: Any,
    percepts: Any,
    after: Any,
    merging: bool,
    stamp: Any,
    count: Any,
    seen: Any,
    tick: Any,
    stack: Any,
    at: int,
    size: int,
    to: int,
    keep: int,
    begins: Any,
) -> int:
    """Write the parts of a set after an action, those of `keep` or more, from `to` on; the largest come first.

    Returns how many there are, or -1 if the action does not apply or merges what must be told apart. Part i begins at
    `begins[i]`, and the last ends where the next would begin. The first three are rows of `Futures`: to hand over all
    of it, and of `Scratch`, would take longer than most sets do.
    """
    tick[0] += 1
    mark = tick[0]
    met, is_bad = 0, False
    for i in range(at, at + size):
        pair = pairs[stack[i]]
        if pair < 0:
            is_bad = True
            break
        if stamp[pair] == mark:
            if not merging:
                is_bad = True
                break
            continue
        stamp[pair] = mark
        percept = percepts[stack[i]]
        if count[percept] == 0:
            seen[met] = percept
            met += 1
        count[percept] += 1
    if is_bad:
        for i in range(met):
            count[seen[i]] = 0
        return -1
    for i in range(1, met):
        percept, j = seen[i], i
        while j and count[seen[j - 1]] < count[percept]:
            seen[j] = seen[j - 1]
            j -= 1
        seen[j] = percept
    parts = 0
    for i in range(met):
        many = count[seen[i]]
        count[seen[i]] = 0
        if many >= keep:
            begins[parts] = to
            count[seen[i]] = -to - 1  # where the next member is to stand
            to += many
            parts += 1
    begins[parts] = to
    tick[0] += 1
    mark = tick[0]
    for i in range(at, at + size):
        pair = pairs[stack[i]]
        percept = percepts[stack[i]]
        if stamp[pair] != mark and count[percept] < 0:
            stamp[pair] = mark
            stack[-count[percept] - 1] = after[stack[i]]
            count[percept] -= 1
    for i in range(met):
        count[seen[i]] = 0
    return parts


@inner_kernel
def _soon(f: Futures, room: Scratch, stack: Any, at: int, size: int, depth: int) -> int:
    """Tell whether a set is won within so many actions, 1 or 0; 3 if the cheap tests do not tell."""
    if size < 2:
        return 1
    if depth <= 0 or (depth < f.most.size and size > f.most[depth]):
        return 0
    stamp, tick = room.stamp, room.tick
    if not f.merging and depth < f.classes.shape[0]:
        tick[0] += 1
        for i in range(at, at + size):
            known = f.classes[depth, stack[i]]
            if stamp[known] == tick[0]:
                return 0
            stamp[known] = tick[0]
    if f.costs.size:
        if size == 2:
            return 1 if f.costs[stack[at], stack[at + 1]] <= depth else 0
        dear = f.dear[0, min(depth, COUNTED - 1)]
        if dear + size < size * size // 2 and dear < f.dear.shape[1] - COUNTED and depth < COUNTED - 1:
            tick[0] += 1
            for i in range(at, at + size):
                stamp[stack[i]] = tick[0]
            for i in range(COUNTED, COUNTED + dear):
                if stamp[f.dear[0, i]] == tick[0] and stamp[f.dear[1, i]] == tick[0]:
                    return 0
        else:
            for i in range(at, at + min(size, _ONE_BY_ONE)):
                for j in range(i + 1, at + size):
                    if f.costs[stack[i], stack[j]] > depth:
                        return 0
    if depth > 1:
        return 3
    for action in range(f.after.shape[0]):
        tick[0] += 1
        percepts, following = f.percepts[action], f.after[action]
        is_good: Any = True
        for i in range(at, at + size):
            after = following[stack[i]]
            percept = percepts[stack[i]]
            is_good = after >= 0 and (stamp[percept] != tick[0] or (f.merging and room.met[percept] == after))
            if not is_good:
                break
            stamp[percept] = tick[0]
            room.met[percept] = after
        if is_good:
            return 1
    return 0


@inner_kernel
def _ordered(f: Futures, room: Scratch, stack: Any, at: int, size: int, most: Any, whole: Any) -> Any:
    """The actions worth a try: no part above `most`, one for those with the same parts; the finest come first."""
    actions = f.after.shape[0]
    score, known = np.full(actions, np.int64(1) << 60), np.zeros(actions, np.uint64)
    used, same = 0, _mixed(whole)
    count, seen, stamp, sums = room.counts, room.seen, room.stamp, room.sums
    for action in range(actions):
        room.tick[0] += 1
        is_good, met = True, 0
        pairs, percepts, after = f.pairs[action], f.percepts[action], f.after[action]
        for i in range(at, at + size):
            pair = pairs[stack[i]]
            if pair < 0 or (stamp[pair] == room.tick[0] and not f.merging):
                is_good = False
                break
            if stamp[pair] == room.tick[0]:
                continue
            stamp[pair] = room.tick[0]
            percept = percepts[stack[i]]
            if count[percept] == 0:
                seen[met] = percept
                sums[percept] = 0
                met += 1
            count[percept] += 1
            sums[percept] += f.words[0, after[stack[i]]]
        total, mark = np.int64(0), np.uint64(0)
        for i in range(met):
            many = np.int64(count[seen[i]])
            count[seen[i]] = 0
            is_good = is_good and many <= most
            if many > 1:
                total += many * many
                mark += _mixed(sums[seen[i]])
        if not is_good or mark == same:
            continue
        for i in range(used):
            is_good = is_good and known[i] != mark
        if is_good:
            known[used] = mark
            used += 1
            score[action] = total
    return np.argsort(score, kind="mergesort")[:used], score


@kernel
def won_within(f: Futures, room: Scratch, memo: Memo, stack: Any, at: int, size: int, top: int, depth: Any) -> int:
    """Tell whether the set `stack[at : at + size]` is won within so many actions: 1, 0 or `STOPPED`."""
    soon = _soon(f, room, stack, at, size, depth)
    if soon != 3:
        return soon
    one, two = _sums(f.words, stack, at, size)
    place = entered(memo, room.work, one | np.uint64(1), two)
    if place < 0:
        return STOPPED
    if memo.low[place] > depth:
        return 0
    if memo.high[place] <= depth:
        return 1
    room.work[0] += f.after.shape[0] * size + 1
    if room.work[0] > room.work[1]:
        return STOPPED
    most: Any = np.int64(1) << 60
    if depth - 1 < f.most.size:
        most = f.most[depth - 1]
    begins = np.empty(size + 2, np.int64)
    order, _ = _ordered(f, room, stack, at, size, most, one)
    for action in order:
        # Types are those of the call from Python: a kernel that calls itself with others is not found in the cache.
        parts = _parts(
            f.pairs[action],
            f.percepts[action],
            f.after[action],
            f.merging,
            room.stamp,
            room.counts,
            room.seen,
            room.tick,
            stack,
            at,
            size,
            top,
            2,
            begins,
        )
        room.work[0] += size
        room.work[4] += 1
        got = 1
        for i in range(parts):
            if _soon(f, room, stack, begins[i], begins[i + 1] - begins[i], depth - 1) == 0:
                got = 0
                break
        for i in range(parts):
            if got == 1:
                got = won_within(
                    f, room, memo, stack, begins[i], begins[i + 1] - begins[i], begins[parts], np.int64(depth - 1)
                )
        if got == STOPPED:
            return STOPPED
        if got == 1:
            if depth < memo.high[place]:
                memo.high[place] = depth
                memo.action[place] = action
            return 1
    memo.low[place] = max(memo.low[place], depth + 1)
    return 0


@kernel
def known_action(f: Futures, memo: Memo, stack: Any, size: int) -> tuple[int, int]:
    """The action to begin with in a set that is won, and within how many; -1 if the memo does not have it."""
    one, two = _sums(f.words, stack, 0, size)
    place = slot(memo, one | np.uint64(1), two)
    if memo.first[place] and memo.high[place] < NOT_WON:
        return memo.action[place], memo.high[place]
    return -1, 0


@kernel
def finest_action(f: Futures, room: Scratch, stack: Any, size: int) -> int:
    """The action with the smallest sum of the squared sizes of parts; -1 if none makes a set smaller."""
    order, score = _ordered(f, room, stack, 0, size, np.int64(1) << 60, _sums(f.words, stack, 0, size)[0])
    return order[0] if order.size and score[order[0]] < size * size else -1


@kernel
def word_within(
    f: Futures, room: Scratch, memo: Memo, stack: Any, groups: Any, count: Any, keep: int, depth: Any, word: Any
) -> int:
    """Tell whether a word of this length wins from the groups that begin at `groups[:count]`: 1, 0 or `STOPPED`.

    Parts of `keep` or more are kept. The word is written backwards.
    """
    if count == 0:
        return 1
    if depth <= 0:
        return 0
    first, second = np.uint64(0), np.uint64(0)
    size, words, costs = groups[count] - groups[0], f.words, f.costs
    for i in range(count):
        many = groups[i + 1] - groups[i]
        if many == 2 and costs.size:  # most are two, which are looked up here
            if costs[stack[groups[i]], stack[groups[i] + 1]] > depth:
                return 0
        elif depth > 1 and _soon(f, room, stack, groups[i], many, depth) == 0:
            return 0
        one, two = _sums(words, stack, groups[i], many)
        first += _mixed(one)
        second += _mixed(two + one)
    place = entered(memo, room.work, first | np.uint64(1), second)
    if place < 0:
        return STOPPED
    if memo.low[place] > depth:
        return 0
    if room.work[0] > room.work[1]:
        return STOPPED
    new, begins = np.empty(size + 2, np.int64), np.empty(size + 2, np.int64)
    stamp, counts, seen, tick, merging = room.stamp, room.counts, room.seen, room.tick, f.merging
    for action in range(f.after.shape[0]):
        room.work[0] += size
        pairs, percepts, after = f.pairs[action], f.percepts[action], f.after[action]
        end, parts, largest = groups[count], 0, 0
        for i in range(count):
            found = _parts(
                pairs,
                percepts,
                after,
                merging,
                stamp,
                counts,
                seen,
                tick,
                stack,
                groups[i],
                groups[i + 1] - groups[i],
                end,
                keep,
                begins,
            )
            if found > 0:
                largest = max(largest, begins[1] - begins[0])
                end = begins[found]
            if found < 0 or (depth == 1 and largest > 1):
                parts = -1
                break
            for j in range(found):
                new[parts] = begins[j]
                parts += 1
        if parts < 0:
            continue
        new[parts] = end
        if largest < 2:
            parts = 0
        got = word_within(f, room, memo, stack, new, np.int64(parts), keep, np.int64(depth - 1), word)
        if got == STOPPED:
            return STOPPED
        if got == 1:
            word[depth - 1] = action
            return 1
    memo.low[place] = max(memo.low[place], depth + 1)
    return 0


@kernel
def costs_of_pairs(f: Futures, length: int, costs: Any, waiting: Any, count: int) -> int:
    """Give the cost `length` to those of the first `count` pairs waiting that have it; returns how many wait on.

    A pair has it if some action tells it apart or leads to a pair that costs less; to 0 where the two become one.
    """
    kept, states = 0, f.after.shape[1]
    for place in range(count):
        i, j = waiting[place] // states, waiting[place] % states
        for action in range(f.after.shape[0]):
            x, y = f.after[action, i], f.after[action, j]
            if x >= 0 and y >= 0 and (f.percepts[action, i] != f.percepts[action, j] or costs[x, y] < length):
                costs[i, j] = costs[j, i] = length
                break
        if costs[i, j] == NEVER:
            waiting[kept] = waiting[place]
            kept += 1
    return kept
