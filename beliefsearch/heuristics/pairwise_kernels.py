"""Compiled inner loops on pairs of states: their hash table, their exploration, and their values.

The key of a pair (i, j) with i <= j is i * states + j. Pairs are numbered from 1. All won pairs have the number 0,
which also marks free places in the hash table.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..engine.compiled.jit import inner_kernel, kernel

NEVER = 2**62
"""The value of a pair from which no plan is sure to win."""


class Relation(NamedTuple):
    """The transitions of all states, and the goal sets that contain them; see `ObservedModel`.

    `results` may have another state with the same future in place of a state.
    """

    offsets: NDArray[np.int64]
    percepts: NDArray[np.int32]
    results: NDArray[np.int32]
    goals_of: NDArray[np.int64]
    goals_around: NDArray[np.int64]
    actions: int


class Pairs(NamedTuple):
    """The pairs reached: their keys by number, the hash table `places` of these numbers, and the edges between them.

    `edges` has the successors of each pair and action, one after the other, and `ends` where those of each pair and
    action end. An action without edges does not apply, or cannot help.
    """

    keys: NDArray[np.int64]
    places: NDArray[np.int32]
    ends: NDArray[np.int64]
    edges: NDArray[np.int32]


@inner_kernel
def place_of(keys: NDArray[np.int64], places: NDArray[np.int32], key: int) -> Any:
    """Return the place in the hash table of the pair with this key, or the free place for it."""
    mask = len(places) - 1
    place = (key * 0x9E3779B97F4A7C1 >> 20) & mask
    while places[place] != 0 and keys[places[place]] != key:
        place = (place + 1) & mask
    return place


@kernel
def file_pairs(keys: NDArray[np.int64], places: NDArray[np.int32], count: int) -> None:
    """Enter the pairs numbered below `count` in an empty hash table."""
    for number in range(1, count):
        places[place_of(keys, places, keys[number])] = number


@kernel
def number_of(relation: Relation, pairs: Pairs, done: NDArray[np.int64], one: int, other: int) -> Any:
    """Return the number of a pair, a new one if need be; 0 if it is won. The smaller of its states comes first."""
    goals_of, goals_around, keys, places = relation.goals_of, relation.goals_around, pairs.keys, pairs.places
    i, j = goals_of[one], goals_of[other]
    # Most pairs are won, and a look into the large hash table would miss the cache.
    while i < goals_of[one + 1] and j < goals_of[other + 1]:  # both lists are in ascending order
        if goals_around[i] == goals_around[j]:
            return 0
        if goals_around[i] < goals_around[j]:
            i += 1
        else:
            j += 1
    key = one * (len(goals_of) - 1) + other
    place = place_of(keys, places, key)
    if places[place] != 0:
        return places[place]
    number = done[0]
    keys[number] = key
    places[place] = number
    done[0] = number + 1
    return number


@kernel
def explore_pairs(
    relation: Relation, starts: NDArray[np.int64], pairs: Pairs, done: NDArray[np.int64], at_once: int, work: int
) -> bool:
    """Explore pairs until so much work is done or the arrays may be full; return whether all are explored.

    `done` counts the pairs, the explored pairs, and the edges; `at_once` is the most edges that a pair may have.
    """
    offsets, percepts, results, actions = relation.offsets, relation.percepts, relation.results, relation.actions
    keys, ends, edges = pairs.keys, pairs.ends, pairs.edges
    states = len(relation.goals_of) - 1
    for key in starts:
        number_of(relation, pairs, done, key // states, key % states)
    while done[1] < done[0]:
        if work <= 0 or done[2] + at_once > len(edges) or done[0] + at_once > len(keys):
            return False
        pair = done[1]
        one, other = keys[pair] // states, keys[pair] % states
        edge = done[2]
        for action in range(actions):
            start, start_of_other = offsets[one * actions + action], offsets[other * actions + action]
            middle = offsets[one * actions + action + 1] - start
            both = middle + offsets[other * actions + action + 1] - start_of_other
            work -= 1
            first_edge = edge
            if middle > 0 and both > middle:
                if one == other:
                    both = middle
                work -= both * both
                for i in range(both):
                    x = start + i if i < middle else start_of_other + i - middle
                    alone = True
                    for j in range(both):
                        y = start + j if j < middle else start_of_other + j - middle
                        if i == j or percepts[x] != percepts[y]:
                            continue
                        if results[x] != results[y] or j < i:  # an earlier result is in the same pair, or the same
                            alone = False
                        if j > i and results[x] != results[y]:
                            # Of the same type as `key` above, so that Numba compiles `number_of` once.
                            smaller: Any = np.int64(min(results[x], results[y]))
                            larger: Any = np.int64(max(results[x], results[y]))
                            edges[edge] = number_of(relation, pairs, done, smaller, larger)
                            edge += 1
                    if alone:  # no other state gives this percept; a pair would imply the bound of the single state
                        one_state: Any = np.int64(results[x])
                        edges[edge] = number_of(relation, pairs, done, one_state, one_state)
                        edge += 1
                for place in range(first_edge, edge):
                    if edges[place] == pair:  # the action may lead back to the same pair, so it cannot help
                        edge = first_edge
                        break
            ends[pair * actions + action + 1] = edge
        done[2] = edge
        done[1] += 1
    return True


@kernel
def improve(
    pairs: Pairs, costs: NDArray[Any], values: NDArray[Any], states: int, settled: int, pair: int, work: int
) -> tuple[int, bool, int]:
    """Improve the values of pairs in descending order until so much work is done; values up to `settled` are final.

    Returns the next pair, whether any value changed, and the work that is left.
    """
    ends, edges, keys = pairs.ends, pairs.edges, pairs.keys
    changed = False
    actions = len(costs) // states
    while pair > 0 and work > 0:
        best = values[pair]
        if best > settled:
            one, other = keys[pair] // states, keys[pair] % states
            for action in range(actions):
                start, end = ends[pair * actions + action], ends[pair * actions + action + 1]
                if start == end:
                    continue
                worst = values[0]  # 0, of the type of all values
                for edge in range(start, end):
                    worst = max(worst, values[edges[edge]])
                    if worst >= best:
                        break
                work -= 1 + end - start
                best = min(best, worst + max(costs[one * actions + action], costs[other * actions + action]))
            if best < values[pair]:
                values[pair] = best
                changed = True
        work -= 1
        pair -= 1
    return pair, changed, work


@kernel
def largest_pair(
    pairs: Pairs,
    values: NDArray[Any],
    order: NDArray[np.int64],
    members: NDArray[np.int64],
    inside: NDArray[np.uint8],
    states: int,
) -> Any:
    """Return the pair of members with the largest value; 0 if all have the value 0. A single member is a pair, too.

    `order` has the pairs of positive value, the largest first; `inside` marks the states that are `members`. Pairs are
    tried in this order as long as that is quicker than looking up every two members.
    """
    keys, places = pairs.keys, pairs.places
    for place in range(min(len(order), 2 * len(members) ** 2)):
        key = keys[order[place]]
        if inside[key // states] and inside[key % states]:
            return order[place]
    if len(order) <= 2 * len(members) ** 2:
        return 0
    found = 0
    for i in range(len(members)):
        for j in range(i if len(members) == 1 else i + 1, len(members)):
            number = places[place_of(keys, places, members[i] * states + members[j])]
            if values[number] > values[found]:
                found = number
                if values[found] == NEVER:
                    return found
    return found
