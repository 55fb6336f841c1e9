"""Pairwise heuristic: the values of all reachable beliefs of two states, on arrays, and the largest one in a belief.

The successors of a pair under an action are the pairs, or single states, that remain after the same percept. A single
state is the pair of it with itself; all won pairs have the number 0.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf, lcm
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..engine.bits.contingent import BitsetContingentView
from ..engine.compiled.bitset_kernels import enlarged
from ..engine.compiled.bitset_words import members_of_words, words_of_mask
from ..engine.compiled.observed_model import ObservedModel, observed_model
from ..model.base import Cost
from ..model.checked import checked_cost
from ..model.values import whole
from ..running.limits import EffortExceeded, TooDear
from ..solvers.sparse_rows import spans
from .bisimulation import first_with_same_future
from .pairwise_kernels import NEVER, Pairs, Relation, explore_pairs, file_pairs, improve, largest_pair

if TYPE_CHECKING:
    from .state_graph import BeliefSetting, StateGraph

# Elementary steps in one call of a kernel: a twentieth of a second or so.
_STRETCH = 1_000_000
# Larger costs are refused: sums of them might come near `NEVER`.
_LARGEST_COST = 2**30
# The first size of the arrays of pairs and of edges, and the factor by which they grow.
_AT_FIRST = 2**12
_GROWTH = 4
# The most edges of all pairs with percepts: half a second's worth, and 150 MB.
_MOST_EDGES = 10_000_000
# The most pairs without percepts, if there is an allowance: a larger table takes too much memory.
_MOST_PAIRS = 4_000_000
_ANY = 2**62


class PairTable:
    """Pairs of states, and the least worst-case cost of a plan that wins from both without knowing the true one.

    The pairs are those of `states`, and all their successors. The values are the least solution of V(p) = min over the
    actions that apply in both states of cost + max over successors of V, with V = 0 if both are in one goal set. They
    are exact if every action has one result in every state. Otherwise a pair may become a belief of more states, of
    which again only pairs are looked at, and the values are lower bounds. `values` are multiplied by `scale`, which
    makes all costs whole numbers, or `NEVER`; if costs are floats, so are the values, and the scale is 1.

    Raises `TooDear` if there are more than `most` edges, from a pair to a successor, or the work exceeds the
    `allowance`. Exploring takes O(edges), and so does each sweep; there are at most as many sweeps as the longest plan
    has actions. Memory: 4 bytes an edge, 8 for each pair and action, 24 for each pair.
    """

    def __init__(
        self,
        relation: Relation,
        costs: NDArray[Any],
        states: NDArray[np.int64],
        tick: Callable[[], None],
        most: int = _ANY,
        *,
        first: NDArray[np.int64] | None = None,
        scale: int = 1,
        allowance: int | None = None,
    ) -> None:
        self.scale = scale
        self._costs = costs  # row by row, with a row for each state
        self._states = len(relation.goals_of) - 1
        self._first = np.arange(self._states) if first is None else first  # by state: the first with the same future
        self._tick = tick
        self._left = inf if allowance is None else allowance
        self._explore(relation, np.unique(self._first[states]), most)
        self.values = self._settle()
        order = np.argsort(-self.values, kind="stable")
        self._order = order[: np.count_nonzero(self.values)].astype(np.int64)

    @classmethod
    def of_model(cls, model: ObservedModel[Any, Any], tick: Callable[[], None], most: int) -> PairTable:
        """Make the table of a problem with percepts.

        States with the same future are merged (see `first_with_same_future`). Raises `TooDear` also if costs have no
        small common denominator.
        """
        initial = members_of_words(words_of_mask(model.view.initial_node(), model.width)).astype(np.int64)
        if len(initial) * (len(initial) - 1) // 2 * len(model.actions) > most:
            raise TooDear
        scale, costs = _whole_costs(model, tick)
        first = first_with_same_future(model, costs, tick)
        relation = Relation(
            model.rows.offsets,
            model.rows.percepts,
            first[model.rows.results].astype(np.int32),
            model.goals_of,
            model.goals_around,
            len(model.actions),
        )
        return cls(relation, costs, initial, tick, most, first=first, scale=scale)

    @classmethod
    def of_graph(cls, graph: StateGraph) -> PairTable:
        """Make the table of all pairs of states of a problem without percepts."""
        if graph.allowance is not None and graph.states**2 > _MOST_PAIRS:
            raise TooDear
        lengths = np.diff(graph.offsets, axis=1).T.ravel()  # row by row, with a row for each state
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        places = spans(graph.offsets[:, :-1].T.ravel(), lengths)
        relation = Relation(
            offsets,
            np.zeros(len(places), dtype=np.int32),
            graph.targets[places].astype(np.int32),
            np.concatenate([[0], np.cumsum(graph.goals.sum(axis=0))]),
            np.nonzero(graph.goals.T)[1].copy(),  # without gaps, as the other arrays: kernels are compiled once
            len(graph.applies),
        )
        costs = graph.costs.T.ravel()
        if (costs == np.floor(costs)).all() and costs.max(initial=0) <= _LARGEST_COST:
            costs = costs.astype(np.int64)
        else:  # a plan takes no more actions than there are pairs, so no sum of costs comes near `NEVER`
            costs = np.minimum(costs, NEVER // (graph.states**2 + 1))
        every = np.arange(graph.states)
        return cls(relation, costs, every, graph.tick, allowance=graph.allowance)

    def _explore(self, relation: Relation, initial: NDArray[np.int64], most: int) -> None:
        actions = relation.actions
        at_once = actions * (2 * int(np.diff(relation.offsets).max(initial=0))) ** 2  # the most edges of a pair
        one, other = np.triu_indices(len(initial))
        starts = initial[one] * self._states + initial[other]
        keys, ends = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        places, edges = np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int32)
        done = np.array([1, 1, 0], dtype=np.int64)  # pairs, the next to explore, edges
        explored = False
        while not explored:
            self._tick()
            if done[2] + at_once > len(edges):
                edges = enlarged(edges, max(_GROWTH * len(edges), int(done[2]) + at_once, _AT_FIRST))
            if done[0] + at_once + len(starts) > len(keys):
                room = max(_GROWTH * len(keys), int(done[0]) + at_once + len(starts), _AT_FIRST)
                keys, ends = enlarged(keys, room), enlarged(ends, room * actions + 1)
                places = np.zeros(1 << (2 * room - 1).bit_length(), dtype=np.int32)
                file_pairs(keys, places, done[0])
            explored = explore_pairs(relation, starts, Pairs(keys, places, ends, edges), done, at_once, _STRETCH)
            starts = starts[:0]
            if done[0] * actions > most or done[2] > min(most, self._left):
                raise TooDear
        count = int(done[0])
        self._pairs = Pairs(keys[:count], places, ends[: count * actions + 1], edges[: done[2]])

    def _settle(self) -> NDArray[Any]:
        values = np.full(len(self._pairs.keys), NEVER, dtype=self._costs.dtype)
        values[0] = 0
        is_whole = values.dtype == np.int64
        cheapest = int(self._costs.min(initial=_LARGEST_COST)) if is_whole else 0
        settled, changed = 0, True
        while changed:
            changed, pair = False, len(values) - 1
            while pair > 0:
                self._tick()
                pair, improved, left = improve(self._pairs, self._costs, values, self._states, settled, pair, _STRETCH)
                changed |= bool(improved)
                self._left -= _STRETCH - left
                if self._left < 0:
                    raise TooDear
            settled += cheapest  # the least cost of a plan with one action more
        # Sums of floats may be rounded up.
        return values if is_whole else np.where(values < NEVER, values * (1 - 1e-9), NEVER)

    def value(self, pair: int) -> Cost:
        """Return the value of a pair."""
        value = self.values[pair].item()
        return inf if value == NEVER else whole(value if self.scale == 1 else Fraction(value, self.scale))

    def largest(self, belief: NDArray[np.int64]) -> int:
        """Return the pair of members with the largest value; `belief` lists members by number."""
        inside = np.zeros(self._states, dtype=np.uint8)
        inside[self._first[belief]] = 1
        members = np.flatnonzero(inside).astype(np.int64)
        return int(largest_pair(self._pairs, self.values, self._order, members, inside, self._states))

    def members(self, pair: int, belief: NDArray[np.int64]) -> tuple[int, int]:
        """Return the first members of a belief with the futures of a pair."""
        one, other = divmod(int(self._pairs.keys[pair]), self._states)
        first = self._first[belief]
        return int(belief[np.argmax(first == one)]), int(belief[np.argmax(first == other)])


class ObservedPairs:
    """The heuristic of problems with percepts: the largest value of two members in a `PairTable`.

    Raises `TooDear` if there are more pairs of a state and an action than `most_pairs`, too many pairs of states, or
    costs that the table cannot add up.
    """

    def __init__(self, view: BitsetContingentView[Any, Any], most_pairs: int | None) -> None:
        try:
            self._model = observed_model(view, view.tick, most_pairs)
        except EffortExceeded as exceeded:
            raise TooDear from exceeded
        self._table = PairTable.of_model(self._model, view.tick, _MOST_EDGES)

    def __call__(self, belief: int) -> Cost:
        return self._table.value(self._table.largest(self._members(belief)))

    def with_pair(self, belief: int) -> tuple[Cost, int]:
        """Return the estimate, and the one or two members that attain it as a belief."""
        members = self._members(belief)
        pair = self._table.largest(members)
        one, other = self._table.members(pair, members)
        return self._table.value(pair), 1 << one | 1 << other

    def _members(self, belief: int) -> NDArray[np.int64]:
        return members_of_words(words_of_mask(belief, self._model.width)).astype(np.int64)


def pairs(setting: BeliefSetting, allowance: int | None) -> Callable[[Any], Cost]:
    """Return the heuristic of sensorless problems: the largest value of two members. It is consistent."""
    table = PairTable.of_graph(setting.graph(allowance))
    return lambda belief: table.value(table.largest(setting.numbers(belief)))


def _whole_costs(model: ObservedModel[Any, Any], tick: Callable[[], None]) -> tuple[int, NDArray[np.int64]]:
    """Return a factor that makes all costs whole, and the costs times it, row by row with a row for each state."""
    problem = model.problem
    actions = len(model.actions)
    costs = np.ones(len(model.states) * actions, dtype=np.int64)
    if problem.has_unit_costs():
        return 1, costs
    scale = 1
    exact: dict[int, Fraction] = {}
    for row in np.flatnonzero(np.diff(model.rows.offsets)).tolist():
        tick()
        state, action = divmod(row, actions)
        exact[row] = Fraction(checked_cost(problem, model.states[state], model.actions[action]))
        scale = lcm(scale, exact[row].denominator)
        if scale > _LARGEST_COST:
            raise TooDear
    for row, cost in exact.items():
        scaled = cost * scale
        if scaled > _LARGEST_COST:
            raise TooDear
        costs[row] = int(scaled)
    return scale, costs
