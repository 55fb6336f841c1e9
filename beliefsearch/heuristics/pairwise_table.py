"""The values of all beliefs of two states that can come up where something is perceived, on arrays.

A pair is explored with what may become of it: under each action the pairs, or single states, that may be left when the
same is perceived. Single states are pairs of a state with itself, all pairs that are won are number 0.

Pairs where something is perceived: of all pairs of states a table has those that can come up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import inf, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..engine.bits.contingent import BitsetContingentView
from ..engine.compiled.bitset_words import members_of_words, words_of_mask
from ..engine.compiled.observed_model import ObservedModel, observed_model
from ..model.base import Cost
from ..model.checked import checked_cost
from ..model.values import whole
from ..running.limits import Outgrown, TooDear
from .bisimulation import first_with_same_future
from .pairwise_kernels import NEVER, edges_at_once, explore_pairs, file_pairs, improve, largest_pair

# Elementary steps in one call of a kernel: a twentieth of a second or so.
_STRETCH = 1_000_000

# Larger numbers are not added up: sums of them might come near `NEVER`.
_LARGEST_COST = 2**30

# The room for pairs and for edges at first, and how many times as much there is when it does not suffice.
_AT_FIRST = 2**12

_GROWTH = 4


class PairTable:
    """Pairs of states, and the least worst-case cost of a plan that wins from both without knowing which it is.

    The pairs are those of the initial belief of the view, and all that come of them; of states with the same future
    there is only the first (see `first_with_same_future`). The values are the least solution of: 0 if both states are
    in one goal set, else the least, over the actions that apply in both, of the cost + the largest value of what may be
    left. So they are exact where every action has one result in every state. Where there are several, a pair may become
    a belief of more states, of which again only pairs are looked at: then they are lower bounds.

    Attributes
    ----------
    values
        By pair: its value times `scale`, or `NEVER`; int64.
    scale
        What makes all costs whole numbers.

    Raises `TooDear` where there are more than `most` edges, from a pair to one that may come of it, or costs have no
    small common denominator. O(edges) for exploring, and for each sweep of at most as many as the longest plan has
    actions; 4 bytes an edge, 8 for each pair and action, 24 for each pair.
    """

    def __init__(self, model: ObservedModel[Any, Any], tick: Callable[[], None], most: int) -> None:
        self._model = model
        self._tick = tick
        self._actions = len(model.actions)
        initial = members_of_words(words_of_mask(model.view.initial_node(), model.width)).astype(np.int64)
        if len(initial) * (len(initial) - 1) // 2 * self._actions > most:
            raise TooDear
        self.scale, self._costs = _whole_costs(model, tick)
        self._first = first_with_same_future(model, self._costs, tick)
        self._explore(np.unique(self._first[initial]), most)
        self.values = self._settle()
        order = np.argsort(-self.values, kind="stable")
        self._order = order[: np.count_nonzero(self.values)].astype(np.int64)

    def _explore(self, initial: NDArray[np.int64], most: int) -> None:
        model, actions = self._model, self._actions
        at_once = int(edges_at_once(model.offsets, actions))
        one, other = np.triu_indices(len(initial))
        starts = initial[one] * len(model.states) + initial[other]
        keys, ends = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        places, edges = np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int32)
        done = np.array([1, 1, 0], dtype=np.int64)  # pairs, the next to explore, edges
        results = self._first[model.result_of].astype(np.int32)
        relation = model.offsets, model.percept_of, results, model.goals_of, model.goals_around, actions
        explored = False
        while not explored:
            self._tick()
            if done[2] + at_once > len(edges):
                edges = _longer(edges, max(_GROWTH * len(edges), int(done[2]) + at_once, _AT_FIRST))
            if done[0] + at_once + len(starts) > len(keys):
                room = max(_GROWTH * len(keys), int(done[0]) + at_once + len(starts), _AT_FIRST)
                keys, ends = _longer(keys, room), _longer(ends, room * actions + 1)
                places = np.zeros(1 << (2 * room - 1).bit_length(), dtype=np.int32)
                file_pairs(keys, places, done[0])
            explored = explore_pairs(*relation, starts, keys, places, ends, edges, done, _STRETCH)
            starts = starts[:0]
            if done[0] * actions > most or done[2] > most:
                raise TooDear
        count = int(done[0])
        self._keys, self._places = keys[:count], places
        # By pair and action, one behind the other: where its edges end. Without any it is of no use.
        self._ends, self._edges = ends[: count * actions + 1], edges[: done[2]]

    def _settle(self) -> NDArray[np.int64]:
        values = np.full(len(self._keys), NEVER, dtype=np.int64)
        values[0] = 0
        cheapest = int(self._costs.min(initial=_LARGEST_COST))
        settled, changed = 0, True
        while changed:
            changed, pair = False, len(values) - 1
            while pair > 0:
                self._tick()
                pair, improved = improve(
                    self._ends,
                    self._edges,
                    self._keys,
                    self._costs,
                    values,
                    len(self._model.states),
                    settled,
                    pair,
                    _STRETCH,
                )
                changed |= bool(improved)
            settled += cheapest  # what a plan of one action more than before can cost at the least
        return values

    def value(self, pair: int) -> Cost:
        """The value of a pair."""
        value = int(self.values[pair])
        return inf if value == NEVER else value if self.scale == 1 else whole(Fraction(value, self.scale))

    def largest(self, belief: NDArray[np.int64]) -> int:
        """The pair of members with the largest value; `belief` has the numbers of its members in ascending order."""
        states = len(self._model.states)
        inside = np.zeros(states, dtype=np.uint8)
        inside[self._first[belief]] = 1
        members = np.flatnonzero(inside).astype(np.int64)
        return int(largest_pair(self._keys, self._places, self.values, self._order, members, inside, states))

    def members(self, pair: int, belief: NDArray[np.int64]) -> tuple[int, int]:
        """The first members of a belief that a pair stands for."""
        one, other = divmod(int(self._keys[pair]), len(self._model.states))
        first = self._first[belief]
        return int(belief[np.argmax(first == one)]), int(belief[np.argmax(first == other)])


def _whole_costs(model: ObservedModel[Any, Any], tick: Callable[[], None]) -> tuple[int, NDArray[np.int64]]:
    """By state and action: the cost times a number that makes all costs whole; and that number."""
    problem = model.problem
    actions = len(model.actions)
    costs = np.ones(len(model.states) * actions, dtype=np.int64)
    if problem.has_unit_costs():
        return 1, costs
    exact: dict[int, Fraction] = {}
    for row in np.flatnonzero(np.diff(model.offsets)).tolist():
        tick()
        state, action = divmod(row, actions)
        exact[row] = Fraction(checked_cost(problem, model.states[state], model.actions[action]))
    scale = _common(cost.denominator for cost in exact.values())
    for row, cost in exact.items():
        scaled = cost * scale
        if scaled > _LARGEST_COST:
            raise TooDear
        costs[row] = int(scaled)
    return scale, costs


def _longer(array: NDArray[Any], length: int) -> NDArray[Any]:
    longer = np.zeros(length, dtype=array.dtype)
    longer[: len(array)] = array
    return longer


def _common(denominators: Iterable[int]) -> int:
    scale = 1
    for denominator in denominators:
        scale = lcm(scale, denominator)
        if scale > _LARGEST_COST:
            raise TooDear
    return scale


# What may come of all pairs, under all actions, is half a second's worth, and 150 MB.
_MOST_EDGES = 10_000_000


class ObservedPairs:
    """The heuristic where something is perceived: the largest value of two members in a `PairTable`.

    Raises `TooDear` where there are more pairs of a state and an action than `most_pairs`, too many pairs of states,
    or costs that the table cannot add up.
    """

    def __init__(self, view: BitsetContingentView[Any, Any], most_pairs: int | None) -> None:
        try:
            self._model = observed_model(view, view.tick, most_pairs)
        except Outgrown as outgrown:
            raise TooDear from outgrown
        self._table = PairTable(self._model, view.tick, _MOST_EDGES)

    def __call__(self, belief: int) -> Cost:
        return self._table.value(self._table.largest(self._members(belief)))

    def with_pair(self, belief: int) -> tuple[Cost, int]:
        """The estimate, and the belief of the one or two members that it is about."""
        members = self._members(belief)
        pair = self._table.largest(members)
        one, other = self._table.members(pair, members)
        return self._table.value(pair), 1 << one | 1 << other

    def _members(self, belief: int) -> NDArray[np.int64]:
        return members_of_words(words_of_mask(belief, self._model.width)).astype(np.int64)
