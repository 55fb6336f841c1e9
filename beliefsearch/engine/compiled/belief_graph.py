"""The AND-OR graph of the beliefs of a contingent problem as arrays, and backward passes over it.

The passes find least worst-case costs and plans that keep trying, with the same choice between equal options as
`solvers/contingent/and_or_graph.py`. They also find the winning region of `engine/bits/strong_cyclic.py`: the nodes
from which a player who keeps trying wins in every possible state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from heapq import heappop, heappush
from typing import Any, NamedTuple

import numpy as np

from ...model.base import Cost
from .bitset_kernels import list_members
from .bitset_words import Integers, Integers32, Truths, Words, mask_of_words, members_of_words
from .jit import kernel
from .observed_model import ObservedModel, OutcomeRows


class _GraphArrays(NamedTuple):
    beliefs: Words
    won: Truths
    first_option: Integers32
    actions: Integers32
    first_child: Integers
    children: Integers32


class BeliefGraph(_GraphArrays):
    """Nodes, which are beliefs; their options, which are actions; and the children of options, which are nodes.

    It is the graph of `AndOrGraph` in the same order. Node 0 is the initial belief.

    Node i is the bit set `beliefs[i]`; `won[i]` tells whether it is a goal. Its options have the numbers from
    `first_option[i]` to below `first_option[i + 1]`; a goal has none. Option j is the action `actions[j]` of the model.
    Its children are `children[first_child[j] : first_child[j + 1]]`: at least one, none twice.
    """

    def children_of(self, node: int) -> Iterator[list[int]]:
        """Yield the children of each option of a node."""
        for option in range(self.first_option[node], self.first_option[node + 1]):
            yield self.children[self.first_child[option] : self.first_child[option + 1]].tolist()

    @cached_property
    def node_of(self) -> Integers32:
        """The node of each option."""
        return np.repeat(np.arange(len(self.won), dtype=np.int32), np.diff(self.first_option))

    @cached_property
    def into(self) -> tuple[Integers, Integers32]:
        """The options that have each node as a child, in ascending order, as offsets and numbers."""
        offsets = np.zeros(len(self.won) + 1, dtype=np.int64)
        np.cumsum(np.bincount(self.children, minlength=len(self.won)), out=offsets[1:])
        options = np.empty(len(self.children), dtype=np.int32)
        _file_options(self.first_child, self.children, offsets[:-1].copy(), options)
        return offsets, options


@kernel
def _file_options(first_child: Integers, children: Integers32, free: Integers, options: Integers32) -> None:
    """Write each option to the rows of all its children; `free` is the first free place of each row."""
    for option in range(first_child.size - 1):
        for place in range(first_child[option], first_child[option + 1]):
            child = children[place]
            options[free[child]] = option
            free[child] += 1


# Nodes that are handled between two checks of the limits.
_PIECE = 1 << 18

# The number of children that a forbidden option needs: more than it has.
_NEVER = np.int32(2**31 - 1)


def least_costs(
    graph: BeliefGraph, price: Callable[[int], Cost] | None, tick: Callable[[], None]
) -> tuple[Integers32, Callable[[int], Cost | None]]:
    """Return the option that a cheapest strong plan takes in each node, -1 where there is none, and the cost function.

    `price` gives the cost of an option; None if each costs 1. With unit costs it takes O(children). Otherwise it takes
    a factor of log n more and runs in plain Python, because costs may be numbers of any type.
    """
    needed = np.diff(graph.first_child).astype(np.int32)
    if price is None:
        chosen, distance = _spread(graph, needed, tick)
        return chosen, lambda node: None if distance[node] < 0 else int(distance[node])
    return _dearest_first(graph, needed.tolist(), price, tick)


def price_in(graph: BeliefGraph, model: ObservedModel[Any, Any]) -> Callable[[int], Cost] | None:
    """Return the function from an option to its cost; None if each costs 1."""
    view = model.view
    if view.has_unit_costs():
        return None
    same: dict[int, Cost | None] = {}  # by action, its cost if that is the same in every state

    def price(option: int) -> Cost:
        number = int(graph.actions[option])
        action = model.actions[number]
        if number not in same:
            states = members_of_words(model.applicable[number]).tolist()
            costs = {view.action_cost(1 << state, action) for state in states}
            same[number] = costs.pop() if len(costs) == 1 else None
        cost = same[number]
        return view.action_cost(mask_of_words(graph.beliefs[graph.node_of[option]]), action) if cost is None else cost

    return price


def keep_trying(graph: BeliefGraph, tick: Callable[[], None]) -> tuple[Integers32, Integers32]:
    """Return an option for each node that leads nearer to a goal and avoids dead ends, and the dead ends.

    The first array has the option of each node, -1 where there is none. The second has 0, or for a dead end the round
    that found it. The nodes of round 1 cannot reach a goal. In a later round options that may lead to an earlier dead
    end are forbidden, too. A round takes O(children).
    """
    lost = np.zeros(len(graph.won), dtype=np.int32)
    remaining = len(lost)
    while True:
        no_good = np.zeros(len(graph.actions), dtype=np.bool_)
        if lost.any():
            no_good = np.logical_or.reduceat(lost[graph.children] > 0, graph.first_child[:-1])
        chosen, distance = _spread(graph, np.where(no_good, _NEVER, np.int32(1)), tick)
        met = distance >= 0
        if int(met.sum()) == remaining:
            return chosen, lost
        remaining = int(met.sum())
        lost[~met & (lost == 0)] = lost.max() + 1


def _spread(graph: BeliefGraph, needed: Integers32, tick: Callable[[], None]) -> tuple[Integers32, Integers32]:
    """Search backward from the goals, breadth-first: the first option with enough reached children reaches its node.

    For option j `needed[j]` children are enough. Returns that option of each node and the distance to a goal, which is
    0 for goals; -1 and -1 for nodes that are not reached. `needed` is overwritten.
    """
    goals = np.flatnonzero(graph.won)
    chosen = np.full(len(graph.won), -1, dtype=np.int32)
    distance = chosen.copy()
    distance[goals] = 0
    queue = np.empty(len(graph.won), dtype=np.int32)
    queue[: len(goals)] = goals
    offsets, options = graph.into
    done, waiting = 0, len(goals)
    while done < waiting:
        tick()
        last = min(waiting, done + _PIECE)
        waiting = _spread_on(offsets, options, graph.node_of, needed, chosen, distance, queue, done, last, waiting)
        done = last
    return chosen, distance


@kernel
def _spread_on(
    offsets: Integers,
    options: Integers32,
    node_of: Integers32,
    needed: Integers32,
    chosen: Integers32,
    distance: Integers32,
    queue: Integers32,
    done: int,
    last: int,
    waiting: int,
) -> int:
    """Expand the nodes at the places from `done` to below `last` of the queue; return the new end of the queue."""
    for place in range(done, last):
        node = queue[place]
        for entry in range(offsets[node], offsets[node + 1]):
            option = options[entry]
            needed[option] -= 1
            parent = node_of[option]
            if needed[option] == 0 and distance[parent] < 0:
                distance[parent] = distance[node] + 1
                chosen[parent] = option
                queue[waiting] = parent
                waiting += 1
    return waiting


def _dearest_first(
    graph: BeliefGraph, missing: list[int], price: Callable[[int], Cost], tick: Callable[[], None]
) -> tuple[Integers32, Callable[[int], Cost | None]]:
    """Take the nodes in the order of their costs, so that the last child of an option is the dearest."""
    cost: dict[int, Cost] = {}
    chosen = np.full(len(graph.won), -1, dtype=np.int32)
    offsets, options = graph.into
    parents = graph.node_of
    frontier: list[tuple[Cost, int, int, int]] = [(0, goal, goal, -1) for goal in np.flatnonzero(graph.won).tolist()]
    age = len(graph.won)
    while frontier:
        tick()
        g, _, node, option = heappop(frontier)
        if node in cost:
            continue
        cost[node], chosen[node] = g, option
        for parent_option in options[offsets[node] : offsets[node + 1]].tolist():
            missing[parent_option] -= 1
            parent = int(parents[parent_option])
            if not missing[parent_option] and parent not in cost:
                age += 1
                heappush(frontier, (g + price(parent_option), age, parent, parent_option))
    return chosen, cost.get


# Nodes that one call of `_gain` handles.
_FEW = 1 << 12
_ONE = np.uint64(1)
_LOW = np.int64(63)


def winning_nodes(
    graph: BeliefGraph, model: ObservedModel[Any, Any], tick: Callable[[], None]
) -> tuple[Truths, Truths]:
    """Mark the nodes of the winning region, and the safe options: those whose outcomes all belong to it.

    A round removes the nodes with a state that has no path to a goal node by safe options. The states with such a path
    are collected in passes over the nodes, from those near the goals to those far away, until a pass finds no more.
    With n pairs of a node and a state and m edges between them a round takes O(n m); mostly few passes are enough.
    """
    kept = np.ones(len(graph.won), dtype=np.bool_)
    while True:
        safe = kept[graph.node_of]
        if len(graph.actions):
            safe &= np.logical_and.reduceat(kept[graph.children], graph.first_child[:-1])
        # A node without a path to a goal is out whatever its states are, and this test is much cheaper.
        _, distance = _spread(graph, np.where(safe, np.int32(1), _NEVER), tick)
        near = kept & (distance >= 0)
        if (near == kept).all():
            near = _able_in_all_states(graph, model, safe, kept, distance, tick)
            if (near == kept).all():
                return kept, safe
        kept = near


def _able_in_all_states(
    graph: BeliefGraph,
    model: ObservedModel[Any, Any],
    safe: Truths,
    kept: Truths,
    distance: Integers32,
    tick: Callable[[], None],
) -> Truths:
    """Mark the nodes of `kept` from all states of which safe options may lead to a goal node."""
    able: Words = np.zeros_like(graph.beliefs)
    able[graph.won] = graph.beliefs[graph.won]
    order = np.argsort(distance, kind="stable")
    order = order[(kept & ~graph.won)[order]]
    while True:
        gained = 0
        for start in range(0, len(order), _FEW):
            tick()
            gained += _gain(model.rows, len(model.actions), graph, safe, order[start : start + _FEW], able)
        order = order[(able[order] != graph.beliefs[order]).any(axis=1)]
        if not gained or not len(order):
            complete = kept.copy()
            complete[order] = False
            return complete


@kernel
def _gain(
    rows: OutcomeRows, number_of_actions: int, graph: BeliefGraph, safe: Truths, nodes: Integers, able: Words
) -> Any:
    """Add to `able` the states of `nodes` from which a safe option may lead into `able`; return their number."""
    offsets, percept_of, result_of = rows
    beliefs, _, first_option, actions, first_child, children = graph
    members = np.empty(64 * able.shape[1], dtype=np.int64)
    image = np.empty(able.shape[1], dtype=np.uint64)
    gained = 0
    for node in nodes:
        size = list_members(beliefs[node], members)
        for place in range(size):
            state = members[place]
            if able[node, state >> 6] >> np.uint64(state & _LOW) & _ONE != 0:
                continue
            found = False
            for option in range(first_option[node], first_option[node + 1]):
                if not safe[option]:
                    continue
                row = state * number_of_actions + actions[option]
                for entry in range(offsets[row], offsets[row + 1]):
                    result = np.int64(result_of[entry])
                    word, bit = result >> 6, np.uint64(result & _LOW)
                    around = np.int64(0)  # children that hold the result: if several, the percept decides between them
                    for child in children[first_child[option] : first_child[option + 1]]:
                        around += np.int64(beliefs[child, word] >> bit & _ONE)
                    for child in children[first_child[option] : first_child[option + 1]]:
                        if able[child, word] >> bit & _ONE == 0:
                            continue
                        if around > 1:
                            image[:] = 0
                            for other in range(size):
                                other_row = members[other] * number_of_actions + actions[option]
                                for after in range(offsets[other_row], offsets[other_row + 1]):
                                    if percept_of[after] == percept_of[entry]:
                                        reached = np.int64(result_of[after])
                                        image[reached >> 6] |= _ONE << np.uint64(reached & _LOW)
                            if (image != beliefs[child]).any():
                                continue
                        found = True
                        break
                    if found:
                        break
                if found:
                    break
            if found:
                able[node, state >> 6] |= _ONE << np.uint64(state & _LOW)
                gained += 1
    return gained
