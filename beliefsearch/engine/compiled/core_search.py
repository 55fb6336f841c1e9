"""Cores of beliefs without percepts: small subsets that need just as many actions, each with its reasons.

A belief that needs v actions has only results that need v - 1. So a core of the result under each action is a reason,
and the core of the belief consists of the states that lead to these cores. The search is depth-first; before it
searches a belief it looks for a known core inside. If the maximal sets that are won within v - 1 actions are known, a
few states of the belief that lie together in none of them replace the belief. So most cores have three to five states.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .array_model import CompiledModel, Rules
from .bitset_kernels import RelationTables, bits_of, image, includes, is_goal, list_members, lowest_bit, size_of
from .bitset_words import Integers, Integers32, Words
from .core_index import InsideIndex, file_set, find_inside, inside_index, room_for
from .frontier import expand
from .jit import inner_kernel, kernel

# Cores found between two checks of the limits, which takes about a tenth of a second.
_AT_ONCE = 1 << 12
_FIRST_ROOM = 1 << 12
# The beliefs by which a state is rare or common.
_FIRST_BELIEFS = 1000
# A known core may need up to so many more actions than it has to.
_HIGHER = 2
# The most entries of the table of pairs of states; otherwise there is none.
_MOST_COUNTS = 1 << 25

_ONE = np.uint64(1)
_LOW = np.uint64(63)
_SIX = np.uint64(6)
_ALL = ~np.uint64(0)

_GOING_ON, _DONE, _NO_ROOM, _FALSE = range(4)


class Cores(NamedTuple):
    """A table of sets of states, with the number of actions that each needs and a reason for each action."""

    sets: Words
    values: Integers32
    reasons: Integers32
    """By entry and action, an entry inside the image; -1 if none is needed or the action does not apply."""


class _Path(NamedTuple):
    """The beliefs on the path of the search, by depth."""

    beliefs: Words
    named: Integers32
    """By action, the core of its result that was found."""
    orders: Integers32
    """The actions in the order in which they are looked at."""
    done: Integers32
    """The number of actions that have a reason; -1 for a new belief."""


class Behind(NamedTuple):
    """The sets of the backward layers as bit columns, with counts of the sets that have a state or a pair of states."""

    columns: Words
    """By state, a bit for each set; the sets are in the order of their layers."""
    limits: Integers
    """By number of actions, the number of sets that are won by fewer actions."""
    alone: Integers32
    """By number of actions and state, the number of those sets that have the state."""
    pairs: Integers32
    """By number of actions and two states, the number of those sets that have both; empty if too large."""


def behind_of(layers: Sequence[Words], states: int) -> Behind:
    """Return the columns and counts of the backward layers, the first of which are the goals."""
    limits = np.cumsum([0, *map(len, layers)], dtype=np.int64)
    rows = np.concatenate([*layers, np.zeros((-int(limits[-1]) % 64, layers[0].shape[1]), dtype=np.uint64)])
    bits = np.unpackbits(rows.view(np.uint8), axis=1, count=states, bitorder="little")
    columns = np.ascontiguousarray(np.packbits(bits.T, axis=1, bitorder="little")).view(np.uint64)
    alone = np.zeros((len(limits), states), dtype=np.int32)
    together = len(limits) * states * states <= _MOST_COUNTS
    pairs = np.zeros((len(limits), states, states) if together else (0, 1, 1), dtype=np.int32)
    for number, (first, end) in enumerate(itertools.pairwise(limits)):
        layer = bits[first:end].astype(np.float32)  # whole numbers below 2^24
        alone[number + 1] = alone[number] + layer.sum(axis=0, dtype=np.int64)
        if together:
            pairs[number + 1] = pairs[number] + (layer.T @ layer).astype(np.int32)
    return Behind(columns, limits, alone, pairs)


def core_search(
    model: CompiledModel[Any, Any], bound: int, layers: Sequence[Words], tick: Callable[[int], None]
) -> Cores | None:
    """Return cores that prove that no plan has fewer than `bound` actions; None if there is such a plan.

    Every action costs 1. The last entry lies inside the initial belief. `layers` has the sets that are won by 0, 1, 2,
    ... actions: every set that is won by so many lies inside a set of that layer or of an earlier one. `tick` is called
    now and then with the number of cores and may raise.
    """
    actions, width, states = len(model.actions), model.width, len(model.states)
    path = _Path(
        np.zeros((bound + 1, width), dtype=np.uint64),
        np.full((bound + 1, actions), -1, dtype=np.int32),
        np.zeros((bound + 1, actions), dtype=np.int32),
        np.full(bound + 1, -1, dtype=np.int32),
    )
    path.beliefs[0] = model.initial
    counts = np.array([0, 1], dtype=np.int64)  # the cores found, and the beliefs on the path of the search
    cores = Cores(
        np.zeros((_FIRST_ROOM, width), dtype=np.uint64),
        np.zeros(_FIRST_ROOM, dtype=np.int32),
        np.full((_FIRST_ROOM, actions), -1, dtype=np.int32),
    )
    index = inside_index(bound + 1, _rarest_first(model), _FIRST_ROOM)
    known = model.forward, model.backward, model.rules, behind_of(layers, states)
    outcome = _GOING_ON
    while outcome in (_GOING_ON, _NO_ROOM):
        tick(int(counts[0]))
        if outcome == _NO_ROOM:
            cores = Cores._make(np.concatenate([rows, rows]) for rows in cores)
            index = index._replace(links=np.concatenate([index.links, index.links]))
        outcome = _search(*known, index, cores, path, counts, bound, _AT_ONCE)
    return None if outcome == _FALSE else Cores._make(rows[: counts[0]] for rows in cores)


def _rarest_first(model: CompiledModel[Any, Any]) -> NDArray[np.int64]:
    """Return the place of each state in an order from those that are in few of the first beliefs to common ones."""
    beliefs = layer = model.initial[np.newaxis]
    most = 1 + _FIRST_BELIEFS // max(1, len(model.actions))
    while len(layer) and len(beliefs) < _FIRST_BELIEFS:
        layer, _, _ = expand(model, layer[:most], backwards=False)
        beliefs = np.concatenate([beliefs, layer])
    bits = np.unpackbits(beliefs.view(np.uint8), axis=1, count=len(model.states), bitorder="little")
    return np.argsort(np.argsort(bits.sum(axis=0, dtype=np.int64), kind="stable")).astype(np.int64)


@kernel
def _search(
    forward: RelationTables,
    backward: RelationTables,
    rules: Rules,
    behind: Behind,
    index: InsideIndex,
    cores: Cores,
    path: _Path,
    counts: Integers,
    bound: int,
    most: int,
) -> int:
    """Continue the search until `most` more cores are found; return the reason why it stopped.

    It fails (`_FALSE`) if a belief on the path is won by fewer actions than it must need.
    """
    tables, offsets, targets = forward
    applicable, _, goals, goals_of, goals_around = rules
    columns, limits = behind.columns, behind.limits
    sets, values, reasons = cores
    beliefs, named, orders, done = path
    actions, width = applicable.shape
    members = np.empty(room_for(width), dtype=np.int64)
    result = np.empty(width, dtype=np.uint64)
    core = np.empty(width, dtype=np.uint64)
    sizes = np.empty(actions, dtype=np.int64)
    room = np.empty((2, columns.shape[1]), dtype=np.uint64)
    until = counts[0] + most
    while counts[1] > 0:
        last = counts[1] - 1
        belief, value = beliefs[last], bound - last
        if done[last] < 0:
            if is_goal(goals, goals_of, goals_around, belief):
                return _FALSE
            for action in range(actions):
                image(tables, offsets, targets, action, belief, result)
                sizes[action] = size_of(result)
                named[last, action] = -1
            orders[last] = np.argsort(sizes)  # the core of a smaller one is smaller, and may do for others
            done[last] = 0 if value > 1 else actions
        deeper = False
        while done[last] < actions:
            tried: Any = np.int64(orders[last, done[last]])
            if not includes(applicable[tried], belief):
                done[last] += 1
                continue
            image(tables, offsets, targets, tried, belief, result)
            row = np.int64(-1)
            highest = max(value - 1, min(value - 1 + _HIGHER, bound, limits.size - 1))
            for enough in range(value - 1, highest + 1):
                row = find_inside(sets, index, result, enough, members)
                if row >= 0:
                    break
            if row < 0:
                deeper = True
                break
            named[last, tried] = row
            done[last] += 1
        if deeper:
            if value - 1 < limits.size:
                if not _few_of(behind, value - 1, result, beliefs[last + 1], room, members):
                    return _FALSE
            else:
                beliefs[last + 1] = result
            done[last + 1] = -1
            counts[1] += 1
            continue
        row = counts[0]
        if row == sets.shape[0]:
            return _NO_ROOM
        _collect_reasons(core, belief, sets, named[last], backward)
        if value > 1:  # an action that does not apply in the belief has no reason, so it must not apply in the core
            _exclude(core, belief, applicable)
        if size_of(core) == 0:
            _add_one_outside(core, belief, core)
        if is_goal(goals, goals_of, goals_around, core):
            _exclude(core, belief, goals)
        sets[row], values[row], reasons[row] = core, value, named[last]
        file_set(sets, index, row, value, members)
        counts[0] += 1
        counts[1] -= 1
        if last > 0:
            named[last - 1, orders[last - 1, done[last - 1]]] = row
            done[last - 1] += 1
        if counts[0] == until:
            return _GOING_ON
    return _DONE


@inner_kernel
def _collect_reasons(core: Words, belief: Words, sets: Words, named: Integers32, backward: RelationTables) -> None:
    """Make `core` states of a belief whose image under each action includes the core that is `named` for the action."""
    core[:] = 0
    for only in (True, False):  # states without an alternative first: they may make others unnecessary
        for action in range(named.size):
            if named[action] >= 0:
                _lead_to(sets[named[action]], backward.offsets[action], backward.targets, belief, core, only)


@inner_kernel
def _exclude(core: Words, belief: Words, large: Words) -> None:
    """Add states of a belief to `core` until only those rows of `large` include it that include the belief, too."""
    for row in range(large.shape[0]):
        if not includes(large[row], belief) and includes(large[row], core):
            _add_one_outside(core, belief, large[row])


@inner_kernel
def _add_one_outside(core: Words, belief: Words, inside: Words) -> None:
    """Add the first state of a belief that is not in `inside` to `core`."""
    for word in range(core.size):
        rest = belief[word] & ~inside[word]
        if rest != 0:
            core[word] |= rest & -rest
            return


@inner_kernel
def _lead_to(entry: Words, offsets: Integers, before: NDArray[Any], belief: Words, core: Words, only: bool) -> None:
    """Add states of `belief` to `core` until its image includes `entry`.

    With `only`, a state of the entry is left out if several states of the belief lead to it.
    """
    for word in range(entry.size):
        rest = entry[word]
        while rest != 0:
            state = word * 64 + lowest_bit(rest)
            rest &= rest - _ONE
            some, first = 0, np.uint64(0)
            for number in range(offsets[state], offsets[state + 1]):
                source = np.uint64(before[number])
                bit = _ONE << (source & _LOW)
                if core[source >> _SIX] & bit != 0:
                    some = 0
                    break
                if belief[source >> _SIX] & bit != 0:
                    some += 1
                    if some == 1:
                        first = source
            if some == 1 or (some > 1 and not only):
                core[first >> _SIX] |= _ONE << (first & _LOW)


@inner_kernel
def _few_of(behind: Behind, number: int, belief: Words, few: Words, room: Words, members: Integers) -> bool:
    """Choose a few states of a belief that no set won by fewer than `number` actions contains together.

    The choice is greedy: each time the state that leaves the fewest sets. Returns False if such a set contains the
    whole belief.
    """
    columns, limits, alone, pairs = behind
    few[:] = 0
    size = list_members(belief, members)
    count = limits[number]
    if count == 0:
        _add_state(few, members[0])
        return True
    chosen = 0
    for i in range(1, size):
        if alone[number, members[i]] < alone[number, members[chosen]]:
            chosen = i
    first = members[chosen]
    _add_state(few, first)
    if alone[number, first] == 0:
        return True
    second = first
    if pairs.shape[0] > 0:
        for i in range(size):
            if pairs[number, first, members[i]] < pairs[number, first, second]:
                second = members[i]
        if second == first:
            return False
        _add_state(few, second)
        if pairs[number, first, second] == 0:
            return True
    return _few_more(columns, count, first, second, members, size, few, room)


@inner_kernel
def _few_more(
    columns: Words, count: int, first: int, second: int, members: Integers, size: int, few: Words, room: Words
) -> bool:
    """Add states to `first` and `second` until none of the first `count` sets contains all; False if one does.

    These two may be equal. `members` are the states to choose from, `room` is working memory.
    """
    # The sets that contain all chosen states: the words of bits that are not zero, and their places in a column.
    places, words = room[0], room[1]
    left = 0
    total = np.int64(0)
    for place in range((count + 63) >> 6):
        both = columns[first, place] & columns[second, place]
        if place == count >> 6:
            both &= (_ONE << np.uint64(count & 63)) - _ONE
        if both != 0:
            places[left], words[left] = place, both
            left += 1
            total += bits_of(both)
    while total > 0:
        fewest, chosen = total, -1
        for i in range(size):
            column = columns[members[i]]
            here = np.int64(0)
            word = 0
            while word < left and here < fewest:
                here += bits_of(words[word] & column[places[word]])
                word += 1
            if here < fewest:
                fewest, chosen = here, members[i]
        if chosen < 0:
            return False
        _add_state(few, chosen)
        kept = 0
        for word in range(left):
            both = words[word] & columns[chosen, np.int64(places[word])]
            if both != 0:
                places[kept], words[kept] = places[word], both
                kept += 1
        left, total = kept, fewest
    return True


@inner_kernel
def _add_state(belief: Words, state: Any) -> None:
    belief[state >> 6] |= _ONE << np.uint64(state & 63)
