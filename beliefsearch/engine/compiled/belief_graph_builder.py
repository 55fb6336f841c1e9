"""Breadth-first construction of the graph of all reachable beliefs, which can be stopped and resumed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...model.hooks import DistinctActionsHook
from ...running.limits import EffortExceeded
from .array_model import Rules
from .belief_graph import BeliefGraph
from .bitset_kernels import enlarged, find_or_insert, includes, is_goal, list_members, rehash, slots_for
from .bitset_words import Integers, Integers32, Words, mask_of_words
from .hashed_visited import ASK, EXHAUSTED, FULL, PAUSED, Outcome, next_pause
from .jit import inner_kernel, kernel
from .observed_model import ObservedModel, OutcomeRows

# Places of the counters. NODE and OPTION: the node that is being expanded and its next option. COUNT: the nodes found.
# LISTED: the nodes whose options are listed. OPTIONS and CHILDREN: the entries of these arrays so far. EXPANDED,
# GENERATED, MAX_FRONTIER: the usual figures of a search. STEPS: the elementary steps, which are outcomes of states and
# words of beliefs. OPENED: 1 more than the last node whose expansion has begun.
NODE, OPTION, COUNT, LISTED, OPTIONS, CHILDREN, EXPANDED, GENERATED, MAX_FRONTIER, STEPS, OPENED = range(11)

_ONE = np.uint64(1)
_LOW = np.int64(63)


class Scratch(NamedTuple):
    """Working memory of `unfold`: marks instead of sets, so that nothing is cleared between two options."""

    parts: Words
    """By percept, the belief after it."""
    seen_by: Integers32
    """By percept, 1 more than the last option after which it was seen."""
    met_by: Integers32
    """By node, 1 more than the last option that has it as a child."""


@kernel
def unfold(
    rows: OutcomeRows,
    rules: Rules,
    asks_author: bool,
    graph: BeliefGraph,
    slots: NDArray[np.uint32],
    scratch: Scratch,
    counters: Integers,
    most_expanded: int,
    most_steps: int,
) -> int:
    """Expand nodes in their order, as `Unfolding.go_on` does; return an `Outcome` and update `counters`."""
    offsets, percept_of, result_of = rows
    applicable, _, goals, goals_of, goals_around = rules
    beliefs, won, first_option, actions, first_child, children = graph
    parts, seen_by, met_by = scratch
    node, option, count, listed = counters[NODE], counters[OPTION], counters[COUNT], counters[LISTED]
    options, made, expanded, generated = counters[OPTIONS], counters[CHILDREN], counters[EXPANDED], counters[GENERATED]
    max_frontier, steps = counters[MAX_FRONTIER], counters[STEPS]
    pause = steps + most_steps
    percepts = seen_by.size
    states = goals_of.size - 1
    members = np.empty(states, dtype=np.int64)
    touched = np.empty(percepts, dtype=np.int64)
    begun = counters[OPENED]
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
            _sort_percepts(touched, found, seen_by, mark)
            steps += found * belief.size
            first_child[option] = made
            for place in range(found):
                percept = touched[place]
                child = find_or_insert(beliefs, slots, count, parts[percept])
                if child == count:
                    count += 1
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
    counters[NODE], counters[OPTION], counters[COUNT], counters[LISTED] = node, option, count, listed
    counters[OPTIONS], counters[CHILDREN], counters[EXPANDED], counters[GENERATED] = options, made, expanded, generated
    counters[MAX_FRONTIER], counters[STEPS], counters[OPENED] = max_frontier, steps, begun
    return outcome


@inner_kernel
def _sort_percepts(percepts: Integers, count: int, seen_by: Integers32, mark: np.int32) -> None:
    """Sort the first `count` of `percepts`, which are those that `seen_by` marks with `mark`.

    Few are sorted by insertion; for many it is quicker to go through all marks.
    """
    if count * count > 4 * seen_by.size:
        place = 0
        for percept in range(seen_by.size):
            if seen_by[percept] == mark:
                percepts[place] = percept
                place += 1
        return
    for place in range(1, count):
        moved = percepts[place]
        hole = place
        while hole > 0 and percepts[hole - 1] > moved:
            percepts[hole] = percepts[hole - 1]
            hole -= 1
        percepts[hole] = moved


_FIRST_CAPACITY = 1 << 12

# Below this number of nodes the arrays grow fourfold instead of twofold, so that the hash table is rebuilt less often.
_MANY = 1 << 18

_FIRST_CALL = 1 << 16

# The number of nodes for which the author's method is called between two calls of the kernel.
_ASKED = 256


class Unfolding:
    """A `BeliefGraph` under construction: nodes are expanded in the order in which they are found.

    The options of a node are all applicable actions, or those that the author's `DistinctActionsHook` gives.
    A node takes 8 bytes a word and 9 to 17 more for hashing; an option takes 12 bytes and a child 4.
    """

    def __init__(self, model: ObservedModel[Any, Any]) -> None:
        self.model = model
        self._asks_author = isinstance(model.problem, DistinctActionsHook)
        percepts = len(model.percepts) if len(model.rows.offsets) else 0
        self._counters = np.zeros(11, dtype=np.int64)
        self._counters[COUNT] = 1
        self._graph = BeliefGraph(
            beliefs=model.initial[np.newaxis],
            won=np.zeros(1, dtype=np.bool_),
            first_option=np.zeros(2, dtype=np.int32),
            actions=np.zeros(0, dtype=np.int32),
            first_child=np.zeros(1, dtype=np.int64),
            children=np.zeros(0, dtype=np.int32),
        )
        self._slots = np.zeros(0, dtype=np.uint32)
        self._scratch = Scratch(
            parts=np.zeros((percepts, model.width), dtype=np.uint64),
            seen_by=np.zeros(percepts, dtype=np.int32),
            met_by=np.zeros(1, dtype=np.int32),
        )
        self._make_room()

    def __len__(self) -> int:
        return int(self._counters[COUNT])

    @property
    def waiting(self) -> int:
        """Count the nodes that are not expanded yet."""
        return len(self) - int(self._counters[NODE])

    @property
    def tally(self) -> tuple[int, int, int]:
        """The nodes expanded, the outcomes generated, and the largest number of waiting nodes."""
        return int(self._counters[EXPANDED]), int(self._counters[GENERATED]), int(self._counters[MAX_FRONTIER])

    def go_on(self, most_expanded: int, most_steps: int) -> Outcome:
        """Expand nodes until the graph is complete, a limit is reached, or room or the author's answer is needed.

        `most_expanded` limits the nodes expanded since the beginning, `most_steps` the elementary steps of this call.
        """
        outcome = unfold(
            self.model.rows,
            self.model.rules,
            self._asks_author,
            self._graph,
            self._slots,
            self._scratch,
            self._counters,
            most_expanded,
            most_steps,
        )
        if outcome == Outcome.ASK:
            self._ask_author()
        elif outcome == Outcome.FULL:
            self._make_room()
        return Outcome(outcome)

    def finish(
        self,
        look_up: Callable[[], None],
        most_expanded: int = sys.maxsize,
        most_steps: int | None = None,
        most_bytes: int | None = None,
    ) -> None:
        """Expand all nodes; `look_up` is called about ten times a second and raises to stop.

        Raises `EffortExceeded` at more than `most_steps` elementary steps since the beginning, or `most_bytes`.
        """
        pause = _FIRST_CALL
        outcome = Outcome.PAUSED
        while outcome is not Outcome.EXHAUSTED:
            look_up()
            left = sys.maxsize if most_steps is None else most_steps - int(self._counters[STEPS])
            used = sum(array.nbytes for array in (*self._graph, self._slots, self._scratch.met_by))
            if left < 0 or (most_bytes is not None and used > most_bytes):
                raise EffortExceeded
            started = perf_counter()
            outcome = self.go_on(most_expanded, min(pause, left + 1))
            seconds = perf_counter() - started
            if outcome is Outcome.PAUSED:
                pause = next_pause(pause, seconds)
        look_up()

    def graph(self) -> BeliefGraph:
        """Return the complete graph, after `finish`."""
        count, options, children = (int(self._counters[place]) for place in (COUNT, OPTIONS, CHILDREN))
        arrays: tuple[NDArray[Any], ...] = self._graph
        sizes = count, count, count + 1, options, options + 1, children
        return BeliefGraph(*(array[:size] for array, size in zip(arrays, sizes, strict=True)))

    def max_size(self) -> int:
        """Return the number of states of the largest belief."""
        largest = 0
        for start in range(0, len(self), 1 << 16):
            sizes = np.bitwise_count(self._graph.beliefs[start : min(start + (1 << 16), len(self))])
            largest = max(largest, int(sizes.sum(axis=1, dtype=np.int64).max()))
        return largest

    def _ask_author(self) -> None:
        """List the options of the next nodes by the author's hook."""
        view, number_of = self.model.view, self.model.number_of_action
        first, options = int(self._counters[LISTED]), int(self._counters[OPTIONS])
        for node in range(first, min(first + _ASKED, len(self))):
            belief = mask_of_words(self._graph.beliefs[node])
            won = self._graph.won[node] = view.is_goal(belief)
            chosen = [] if won else [number_of[action] for action in view.actions(belief)]
            if options + len(chosen) > len(self._graph.actions):
                self._make_room_for_options(options + len(chosen))
            self._graph.actions[options : options + len(chosen)] = chosen
            options += len(chosen)
            self._graph.first_option[node + 1] = options
            self._counters[LISTED], self._counters[OPTIONS] = node + 1, options

    def _make_room(self) -> None:
        """Enlarge each array that is too small for one more option, to at least twice what is needed."""
        count, options, children = (int(self._counters[place]) for place in (COUNT, OPTIONS, CHILDREN))
        percepts, room = len(self._scratch.seen_by), len(self._graph.beliefs)
        if count + percepts > room or room == 1:
            capacity = max(_FIRST_CAPACITY, (4 if count < _MANY else 2) * (count + percepts))
            self._slots = np.zeros(0, dtype=np.uint32)  # frees the old ones first
            self._enlarge(beliefs=capacity, won=capacity, first_option=capacity + 1)
            self._scratch = self._scratch._replace(met_by=enlarged(self._scratch.met_by, capacity))
            self._slots = slots_for(capacity)
            rehash(self._graph.beliefs, count, self._slots)
        if children + percepts > len(self._graph.children):
            self._enlarge(children=max(_FIRST_CAPACITY, 2 * (children + percepts)))
        if options + len(self.model.actions) > len(self._graph.actions):
            self._make_room_for_options(options + len(self.model.actions))

    def _make_room_for_options(self, options: int) -> None:
        capacity = max(_FIRST_CAPACITY, 2 * options)
        self._enlarge(actions=capacity, first_child=capacity + 1)

    def _enlarge(self, **capacities: int) -> None:
        """Enlarge these arrays of the graph one by one, so that each old array is freed before the next copy."""
        for name, capacity in capacities.items():
            self._graph = self._graph._replace(**{name: enlarged(getattr(self._graph, name), capacity)})
