"""The step of `unfolding`: the outcomes of beliefs under their actions, by percept, each belief kept once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .jit import inner_kernel, kernel
from .kernels import includes, is_goal, mix
from .step import ASK, EXHAUSTED, FULL, PAUSED
from .words import Words

# Where the books of an unfolding keep which number: the node that is expanded and the option of it that is next; the
# nodes found, the nodes whose options are listed, the options and the children so far; the nodes expanded, the outcomes
# generated, the most nodes that waited; the elementary steps of all this; and 1 more than the node begun last.
NODE, OPTION, COUNT, LISTED, OPTIONS, CHILDREN, EXPANDED, GENERATED, MAX_FRONTIER, STEPS, OPENED = range(11)

_ONE = np.uint64(1)
_BYTE = np.uint64(255)
_EIGHT = np.uint64(8)
_LOW = np.int64(63)


@inner_kernel
def list_members(belief: Words, members: NDArray[np.int64]) -> Any:
    """Write the members of `belief` to `members`, in ascending order; returns how many they are."""
    count = 0
    for word in range(belief.size):
        rest = belief[word]
        state = word * 64
        while rest != 0:
            if rest & _BYTE == 0:
                rest >>= _EIGHT
                state += 8
                continue
            if rest & _ONE != 0:
                members[count] = state
                count += 1
            rest >>= _ONE
            state += 1
    return count


@kernel
def unfold(
    offsets: NDArray[np.int64],
    percept_of: NDArray[np.int32],
    result_of: NDArray[np.int32],
    applicable: Words,
    goals: Words,
    goals_of: NDArray[np.int64],
    goals_around: NDArray[np.int64],
    asks_author: bool,
    beliefs: Words,
    slots: NDArray[np.uint32],
    won: NDArray[np.bool_],
    met_by: NDArray[np.int32],
    first_option: NDArray[np.int32],
    actions: NDArray[np.int32],
    first_child: NDArray[np.int64],
    children: NDArray[np.int32],
    parts: Words,
    seen_by: NDArray[np.int32],
    books: NDArray[np.int64],
    most_expanded: int,
    most_steps: int,
) -> int:
    """Expand nodes in their order until there is a reason to stop; see `Unfolding`. Returns an `Outcome`.

    `parts` and `seen_by` are scratch, with a row and an entry for each percept: the belief after it, and 1 more than
    the option under which it was last perceived; `met_by` the same for nodes. `books` is brought up to date at the end.
    """
    node, option, count, listed = books[NODE], books[OPTION], books[COUNT], books[LISTED]
    options, made, expanded, generated = books[OPTIONS], books[CHILDREN], books[EXPANDED], books[GENERATED]
    max_frontier, steps = books[MAX_FRONTIER], books[STEPS]
    pause = steps + most_steps
    percepts = seen_by.size
    states = goals_of.size - 1
    members = np.empty(states, dtype=np.int64)
    touched = np.empty(percepts, dtype=np.int64)
    begun = books[OPENED]
    last = np.uint64(slots.size - 1)
    size = 0
    outcome = EXHAUSTED
    while node < count:
        belief = beliefs[node]
        if node == listed:
            if asks_author:
                outcome = ASK
                break
            if options + applicable.shape[0] > actions.size:
                outcome = FULL
                break
            won[node] = is_goal(goals, goals_of, goals_around, belief)
            if not won[node]:
                for number in range(applicable.shape[0]):
                    if includes(applicable[number], belief):
                        actions[options] = number
                        options += 1
            listed += 1
            first_option[listed] = options
            steps += applicable.shape[0]
        if won[node]:
            node += 1
            continue
        if begun <= node:
            if expanded >= most_expanded:
                outcome = PAUSED
                break
            expanded += 1
            max_frontier = max(max_frontier, count - node + 1)
            begun = node + 1
            size = list_members(belief, members)
        elif size == 0:  # begun in an earlier call
            size = list_members(belief, members)
        while option < first_option[node + 1]:
            if steps >= pause:
                outcome = PAUSED
                break
            if count + percepts > beliefs.shape[0] or made + percepts > children.size:
                outcome = FULL
                break
            mark = np.int32(option + 1)
            action = np.int64(actions[option])
            found = 0
            for place in range(size):
                row = members[place] * applicable.shape[0] + action
                begin, end = offsets[row], offsets[row + 1]
                steps += end - begin
                for entry in range(begin, end):
                    percept = percept_of[entry]
                    if seen_by[percept] != mark:
                        seen_by[percept] = mark
                        touched[found] = percept
                        found += 1
                        for word in range(belief.size):
                            parts[percept, word] = 0
                    result = np.int64(result_of[entry])
                    parts[percept, result >> 6] |= _ONE << np.uint64(result & _LOW)
            if found * found > 4 * percepts:  # in order of the percepts: by looking at all of them, or by insertion
                found = 0
                for percept in range(percepts):
                    if seen_by[percept] == mark:
                        touched[found] = percept
                        found += 1
            else:
                for place in range(1, found):
                    moved = touched[place]
                    hole = place
                    while hole > 0 and touched[hole - 1] > moved:
                        touched[hole] = touched[hole - 1]
                        hole -= 1
                    touched[hole] = moved
            steps += found * belief.size
            first_child[option] = made
            for place in range(found):
                percept = touched[place]
                mixed = np.uint64(0)  # `slot_of`, written out, as most of the time goes here
                for word in range(belief.size):
                    mixed = mix(mixed ^ parts[percept, word])
                slot = mixed & last
                child = np.int64(slots[slot]) - 1
                while child >= 0:
                    word = 0
                    while word < belief.size and beliefs[child, word] == parts[percept, word]:
                        word += 1
                    if word == belief.size:
                        break
                    slot = (slot + _ONE) & last
                    child = np.int64(slots[slot]) - 1
                if child < 0:
                    child = count
                    for word in range(belief.size):
                        beliefs[count, word] = parts[percept, word]
                    count += 1
                    slots[slot] = np.uint32(count)
                if met_by[child] != mark:
                    met_by[child] = mark
                    children[made] = child
                    made += 1
            generated += made - first_child[option]
            option += 1
            first_child[option] = made
        if option < first_option[node + 1]:
            break
        node += 1
    books[NODE], books[OPTION], books[COUNT], books[LISTED] = node, option, count, listed
    books[OPTIONS], books[CHILDREN], books[EXPANDED], books[GENERATED] = options, made, expanded, generated
    books[MAX_FRONTIER], books[STEPS], books[OPENED] = max_frontier, steps, begun
    return outcome
