"""Steps of the search within bounds on sets of futures, as kernels: the parts of a set, and tests of it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..compiled.jit import inner_kernel, kernel

NEVER = 65535
"""What a pair costs that no word merges or tells apart."""
COUNTED = 1024  # of pairs that cost more than so much, none are counted apart
UNKNOWN = 3
"""What `soon` gives where the cheap tests do not tell."""
_ONE_BY_ONE = 64  # members of a set whose pairs are looked up one by one


class Futures(NamedTuple):
    """A problem as kernels take it.

    By action and future, as in `FutureTables`: `after`, `percepts` and `pairs`. By number of actions, as far as known:
    `most`, how many futures they can tell apart, and `classes`, by future, those that no word of so many tells apart.
    `costs` are the least numbers of actions that merge or tell apart a pair, and `dear` the pairs by falling cost,
    behind the counts of those that cost more. By pair, `words` are the words of `length` actions that merge or tell it
    apart, as bits, the first action being the leading digit of a word's number; none if `length` is 0. `randoms`
    are words by which sets are remembered.
    """

    after: NDArray[np.int32]
    percepts: NDArray[np.int32]
    pairs: NDArray[np.int32]
    most: NDArray[np.int64]
    classes: NDArray[np.int32]
    costs: NDArray[np.uint16]
    dear: NDArray[np.int32]
    words: NDArray[np.uint64]
    length: int
    randoms: NDArray[np.uint64]
    merging: bool


class Marks(NamedTuple):
    """Room for work. By percept or pair: when it was met last, `clock` being now; counts and sums; the percepts met."""

    stamp: NDArray[np.int64]
    counts: NDArray[np.int32]
    sums: NDArray[np.uint64]
    met: NDArray[np.int32]
    clock: NDArray[np.int64]


class Step(NamedTuple):
    """The rows of an action."""

    after: NDArray[np.int32]
    percepts: NDArray[np.int32]
    pairs: NDArray[np.int32]
    merging: bool


@inner_kernel
def step_of(f: Futures, action: int) -> Step:
    """Return the rows of an action: to hand over all of `Futures` again and again takes longer than most sets do."""
    return Step(f.after[action], f.percepts[action], f.pairs[action], f.merging)


@inner_kernel
def mixed(x: Any) -> Any:
    """Return a number in which every bit depends on all bits of `x`."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@inner_kernel
def sums_of(randoms: Any, members: Any, at: int, size: int) -> Any:
    """Return the two sums of random words by which a set is remembered."""
    one, two = np.uint64(0), np.uint64(0)
    for i in range(at, at + size):
        one += randoms[0, members[i]]
        two += randoms[1, members[i]]
    return one, two


@inner_kernel
def _counted(step: Step, marks: Marks, members: Any, at: int, size: int, randoms: Any) -> int:
    """Count what is left of a set by percept, the largest of `marks.met` first; -1 if the action is lost.

    Returns how many percepts there are. Counts are left as they are, to be made 0. Sums are of `randoms`, if there are
    any.
    """
    percepts, pairs = step.percepts, step.pairs
    stamp, counts, seen, sums = marks.stamp, marks.counts, marks.met, marks.sums
    marks.clock[0] += 1
    now = marks.clock[0]
    met, is_bad = 0, False
    for i in range(at, at + size):
        pair = pairs[members[i]]
        is_bad = pair < 0 or (stamp[pair] == now and not step.merging)
        if is_bad:
            break
        if stamp[pair] == now:
            continue
        stamp[pair] = now
        percept = percepts[members[i]]
        if counts[percept] == 0:
            seen[met] = percept
            sums[percept] = 0
            met += 1
        counts[percept] += 1
        if randoms.size:
            sums[percept] += randoms[step.after[members[i]]]
    if is_bad:
        for i in range(met):
            counts[seen[i]] = 0
        return -1
    for i in range(1, met):
        percept, j = seen[i], i
        while j and counts[seen[j - 1]] < counts[percept]:
            seen[j] = seen[j - 1]
            j -= 1
        seen[j] = percept
    return met


@inner_kernel
def parts_of(
    step: Step, marks: Marks, members: Any, at: int, size: int, to: int, keep: int, begins: Any, first: int
) -> int:
    """Write the parts of a set after an action, those of `keep` or more, from `to` on; the largest come first.

    Returns how many there are, or -1 if the action does not apply or merges what must be told apart. Part i begins at
    `begins[first + i]`, and the last ends where the next would begin.
    """
    met = _counted(step, marks, members, at, size, marks.sums[:0])
    stamp, counts, seen = marks.stamp, marks.counts, marks.met
    parts = 0
    for i in range(met):
        many = counts[seen[i]]
        counts[seen[i]] = 0
        if many >= keep:
            begins[first + parts] = to
            counts[seen[i]] = -to - 1  # where the next member is to stand
            to += many
            parts += 1
    if met < 0:
        return -1
    begins[first + parts] = to
    marks.clock[0] += 1
    now = marks.clock[0]
    for i in range(at, at + size):
        percept = step.percepts[members[i]]
        if counts[percept] < 0:
            pair = step.pairs[members[i]]
            if stamp[pair] != now:
                stamp[pair] = now
                members[-counts[percept] - 1] = step.after[members[i]]
                counts[percept] -= 1
    for i in range(met):
        counts[seen[i]] = 0
    return parts


@kernel
def counts_after(f: Futures, marks: Marks, members: Any, kept: Any, squares: Any) -> None:
    """Count what each action leaves of a set, 0 if it is lost or all say the same; and sum up its parts, squared."""
    for action in range(f.percepts.shape[0]):
        met = _counted(step_of(f, action), marks, members, 0, members.size, marks.sums[:0])
        for i in range(met):
            many = np.int64(marks.counts[marks.met[i]])
            marks.counts[marks.met[i]] = 0
            kept[action] += many if met > 1 else 0
            squares[action] += many * many


@inner_kernel
def words_left(words: Any, part: int, members: Any, at: int, size: int, left: Any) -> Any:
    """Return which of `left`, a part of the listed words as bits, merge or tell apart all pairs of a set."""
    for i in range(at, at + size):
        for j in range(i + 1, at + size):
            left &= words[members[i], members[j], part]
        if left == 0:
            break
    return left


@inner_kernel
def has_action(words: Any, members: Any, at: int, size: int) -> bool:
    """Return whether one action, by the listed words of one, decides all of a set."""
    part = 0
    while part < words.shape[2] and not words_left(words, part, members, at, size, ~np.uint64(0)):
        part += 1
    return part < int(words.shape[2])


@inner_kernel
def is_won_in_two(f: Futures, members: Any, at: int, size: int) -> bool:
    """Return whether after some action each part of a set is decided by one of the listed words of one action."""
    left = np.empty((size, f.words.shape[2]), np.uint64)  # by the first member that says the same
    for action in range(f.percepts.shape[0]):
        percepts, after = f.percepts[action], f.after[action]
        is_good: Any = True
        for i in range(size):
            one, first = members[at + i], i
            is_good = percepts[one] >= 0
            left[i] = ~np.uint64(0)
            for j in range(i):
                other = members[at + j]
                if percepts[one] == percepts[other] and is_good:
                    first = min(first, j)
                    some = np.uint64(0)
                    for part in range(left.shape[1]):
                        left[first, part] &= f.words[after[one], after[other], part]
                        some |= left[first, part]
                    is_good = some != 0
            if not is_good:
                break
        if is_good:
            return True
    return False


@inner_kernel
def soon(f: Futures, marks: Marks, members: Any, at: int, size: int, depth: int) -> int:
    """Tell whether a set is won within so many actions, 1 or 0; `UNKNOWN` if the cheap tests do not tell."""
    if size < 2:
        return 1
    if depth <= 0 or (depth < f.most.size and size > f.most[depth]):
        return 0
    if f.length == 1 and depth == 1:
        return 1 if has_action(f.words, members, at, size) else 0
    if f.length == 1 and depth == 2 and size > 2:
        return 1 if is_won_in_two(f, members, at, size) else 0
    stamp, clock = marks.stamp, marks.clock
    if not f.merging and depth < f.classes.shape[0]:
        clock[0] += 1
        for i in range(at, at + size):
            known = f.classes[depth, members[i]]
            if stamp[known] == clock[0]:
                return 0
            stamp[known] = clock[0]
    if f.costs.size:
        if size == 2:
            return 1 if f.costs[members[at], members[at + 1]] <= depth else 0
        dear = f.dear[0, min(depth, COUNTED - 1)]
        if dear == 0:
            pass
        elif dear + size < size * size // 2 and dear < f.dear.shape[1] - COUNTED and depth < COUNTED - 1:
            clock[0] += 1
            for i in range(at, at + size):
                stamp[members[i]] = clock[0]
            for i in range(COUNTED, COUNTED + dear):
                if stamp[f.dear[0, i]] == clock[0] and stamp[f.dear[1, i]] == clock[0]:
                    return 0
        else:
            for i in range(at, at + min(size, _ONE_BY_ONE)):
                for j in range(i + 1, at + size):
                    if f.costs[members[i], members[j]] > depth:
                        return 0
    if depth > 1:
        return UNKNOWN
    for action in range(f.percepts.shape[0]):
        clock[0] += 1
        percepts, following = f.percepts[action], f.after[action]
        is_good: Any = True
        for i in range(at, at + size):
            percept, after = percepts[members[i]], following[members[i]]
            is_good = after >= 0 and (stamp[percept] != clock[0] or (f.merging and marks.met[percept] == after))
            if not is_good:
                break
            stamp[percept] = clock[0]
            marks.met[percept] = after
        if is_good:
            return 1
    return 0


@inner_kernel
def ordered(f: Futures, marks: Marks, members: Any, at: int, size: int, most: Any, whole: Any) -> Any:
    """The actions worth a try: no part above `most`, one for those with the same parts; the finest come first."""
    actions = f.percepts.shape[0]
    score, known = np.full(actions, np.int64(1) << 60), np.zeros(actions, np.uint64)
    used, same = 0, mixed(whole)
    counts, seen, sums = marks.counts, marks.met, marks.sums
    for action in range(actions):
        met = _counted(step_of(f, action), marks, members, at, size, f.randoms[0])
        is_good: Any = met >= 0
        total, mark = np.int64(0), np.uint64(0)
        for i in range(met):
            many = np.int64(counts[seen[i]])
            counts[seen[i]] = 0
            is_good = is_good and many <= most
            if many > 1:
                total += many * many
                mark += mixed(sums[seen[i]])
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
def finest_action(f: Futures, marks: Marks, members: Any) -> int:
    """The action with the smallest sum of the squared sizes of parts; -1 if none makes a set smaller."""
    first: Any = np.int64(0)
    size = members.size
    whole = sums_of(f.randoms, members, first, size)[0]
    order, score = ordered(f, marks, members, first, size, np.int64(1) << 60, whole)
    return order[0] if order.size and score[order[0]] < size * size else -1
