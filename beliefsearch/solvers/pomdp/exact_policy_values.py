"""Values of a policy graph as whole numbers over a power of two, which the policy is sure to attain.

Values in floats have rounding errors in both directions. So each value is lowered, in proportion to the expected number
of actions that are left, until every equation becomes an inequality with room for rounding down. The checker then
proves these inequalities in exact arithmetic.

If all numbers of a problem are exact, the values of a small graph are mostly simple fractions. These are tried first,
and taken if they satisfy the equations.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import evolve

from ...model.belief import no_tick
from ..sparse_rows import entries_of, sums_between
from .blocks import Blocks
from .joint import JointRows
from .policy_pairs import PolicyPairs

if TYPE_CHECKING:
    from collections.abc import Callable

    from .arrays import Floats, PomdpArrays
    from .pomdp_model import PomdpModel
    from .trials import FoundBounds

# The relative loss by rounding; values below the smallest may be lost entirely.
_LOSS = 1e-8
_SMALLEST = 1e-100
# Floats hold whole numbers of so many bits exactly.
_BITS_OF_FLOATS = 50

# Bounds on the rounding error of a sum of a few thousand products, relative to the largest value: ample, and tight.
_MARGIN, _ROUNDING = 1e-12, 1e-15

_ROOM = 0.1
# The largest denominator of a simple fraction, and the most values that are tried as fractions.
_LARGEST_DENOMINATOR = 100_000
_MOST_FRACTIONS = 5_000

_MISSES = 1e-9


def rounded_found(
    model: PomdpModel[Any, Any, Any], arrays: PomdpArrays, found: FoundBounds, tick: Callable[[], None]
) -> FoundBounds:
    """The same bounds, with values of the policy graph that are exact lower bounds; minus infinity where none are.

    The lower bound becomes the value of the start by these. O(nodes * (outcomes + percepts)); without a discount, times
    the number of actions of a game.
    """
    if found.goes_on:
        return _rounded_gains(model, arrays, found, tick)
    vectors = found.vectors.copy()
    graph = _Graph(arrays, found, tick)
    scale = max(float(np.abs(vectors[np.isfinite(vectors)]).max(initial=0)), _SMALLEST)
    kept = graph.closed(np.isfinite(vectors))
    vectors[~kept] = -np.inf
    if not kept.any():
        return evolve(found, vectors=vectors, lower=-math.inf)
    fractions = _exact_values(model, found, vectors) if model.exact and kept.sum() <= _MOST_FRACTIONS else None
    if fractions is not None:
        place_of = {int(state): place for place, state in enumerate(graph.columns[0].tolist())}
        at_start = [(probability, fractions[0, place_of[number]]) for number, probability in model.start]
        attained: Any = sum(Fraction(probability) * value for probability, value in at_start)
        return evolve(found, vectors=fractions, lower=attained)
    left = graph.actions_left(kept)
    if not np.isfinite(left).all():
        return _without_values(found)
    after = np.stack([graph.backed_up(node, vectors, arrays.rewards, arrays.discount) for node in range(len(vectors))])
    missed = float((vectors[kept] - after[kept]).max())
    begins = graph.there[0] & (arrays.start > 0)[graph.columns[0]]
    longest = float(left[0][begins].max(initial=1.0))
    wanted = math.ceil(math.log2(4 * longest / (_LOSS * scale)))
    bits = max(0, min(wanted, _BITS_OF_FLOATS - math.ceil(math.log2(scale + missed * longest + 1))))
    lowered = (max(missed, 0) * (1 + _ROOM) + _MARGIN * scale + 2.0**-bits) / (1 - _ROOM)
    vectors[kept] = np.floor((vectors[kept] - lowered * left[kept]) * 2.0**bits) / 2.0**bits
    at_start = arrays.start[graph.columns[0][begins]]
    known = kept[0][begins].all() and len(at_start) == np.count_nonzero(arrays.start)
    lower = float(at_start @ vectors[0][begins]) if known else -math.inf
    return evolve(found, vectors=vectors, lower=lower)


def _rounded_gains(
    model: PomdpModel[Any, Any, Any], arrays: PomdpArrays, found: FoundBounds, tick: Callable[[], None]
) -> FoundBounds:
    """`rounded_found` for rewards of one sign and games that may go on for ever."""
    start = np.flatnonzero(arrays.start)
    pairs = PolicyPairs.of(JointRows.of(arrays), start, found.actions, found.successors, tick)
    values, left = pairs.gains()
    vectors = np.full((len(found.actions), arrays.S), -np.inf)
    vectors[pairs.nodes, pairs.states] = values
    fractions = _exact_values(model, found, vectors) if model.exact and len(values) <= _MOST_FRACTIONS else None
    if fractions is not None:
        attained: Any = sum(Fraction(probability) * fractions[0, number] for number, probability in model.start)
        return evolve(found, vectors=fractions, lower=attained)
    scale = max(float(np.abs(values).max(initial=0)), _SMALLEST)
    bits = max(0, _BITS_OF_FLOATS - math.ceil(math.log2(scale + 1)))
    lowered = pairs.lowered(values, left, bits, _ROUNDING * scale)
    vectors[pairs.nodes, pairs.states] = np.where(values < 0, lowered, np.maximum(lowered, 0.0))  # gains are never < 0
    return evolve(found, vectors=vectors, lower=float(arrays.start[start] @ vectors[0, start]))


def lowered_found(arrays: PomdpArrays, found: FoundBounds, share: float) -> FoundBounds:
    """Return the same bounds with values lowered by this share of the largest, if there is no time for more.

    Without a discount that leaves no room for rounding, so that the values become minus infinity.
    """
    if arrays.discount == 1:
        return _without_values(found)
    kept = _Graph(arrays, found, no_tick).closed(np.isfinite(found.vectors))
    size = float(np.abs(found.vectors[kept]).max(initial=0))
    return evolve(
        found, vectors=np.where(kept, found.vectors - share * size, -np.inf), lower=found.lower - share * size
    )


def _without_values(found: FoundBounds) -> FoundBounds:
    return evolve(found, vectors=np.full_like(found.vectors, -np.inf), lower=-math.inf)


def simple_fraction(value: float, scale: float) -> Fraction | None:
    """The simple fraction close to a value, if there is one; `scale` is the size of the values."""
    found = Fraction(value).limit_denominator(_LARGEST_DENOMINATOR)
    return found if abs(float(found) - value) <= _MISSES * scale else None


def _exact_values(model: PomdpModel[Any, Any, Any], found: FoundBounds, vectors: Floats) -> Any:
    """The values as simple fractions, if they satisfy the inequalities; else None."""
    scale = float(np.abs(vectors[np.isfinite(vectors)]).max(initial=0)) or 1.0
    fractions = vectors.astype(object)
    pairs = [(int(node), int(column)) for node, column in np.argwhere(np.isfinite(vectors))]
    columns, _ = found.columns
    place_of = [{state: place for place, state in enumerate(states)} for states in columns.tolist()]
    for pair in pairs:
        fractions[pair] = simple_fraction(vectors[pair], scale)
        if fractions[pair] is None:
            return None
    for node, column in pairs:
        action, state = int(found.actions[node]), int(columns[node, column])
        total: Any = 0
        for result, chance in model.outcomes[action][state] or ():
            for percept, likely in model.percept_rows[action][result]:
                following = int(found.successors[node, percept])
                total += chance * likely * fractions[following, place_of[following][result]]
        if fractions[node, column] > (model.rewards[action][state] or 0) + model.discount * total:
            return None
    reached = all(np.isfinite(vectors[0, place_of[0][number]]) for number, _ in model.start)
    return fractions if reached else None


class _Graph:
    """A policy graph in a model, with tables for backing up values along it."""

    def __init__(self, arrays: PomdpArrays, found: FoundBounds, tick: Callable[[], None]) -> None:
        self._arrays = arrays
        self._actions = found.actions
        self._successors = found.successors
        self._tick = tick
        self.columns, self.there = found.columns
        blocks, homes = found.homes or (Blocks.whole(arrays.S), np.zeros(len(found.actions), np.int64))
        places = blocks.places(arrays.S)
        self._within = places - blocks.bounds[blocks.of[places]]  # the column of a state in its own block
        self._table_of = [(int(action), int(home)) for action, home in zip(found.actions, homes, strict=True)]
        # By action and block: the percepts, their probabilities, and places in rows of values; the results.
        self._tables: dict[tuple[int, int], tuple[Any, ...]] = {}
        for action, home in set(self._table_of):
            rows = action * arrays.S + blocks.members[blocks.bounds[home] : blocks.bounds[home + 1]]
            counts, entries = entries_of(arrays.to_pointers, rows)
            arrived, results = np.unique(arrays.to_states[entries], return_inverse=True)
            weights, bounds = arrays.to_weights[entries], np.append(0, np.cumsum(counts))
            counts, entries = entries_of(arrays.percept_pointers, arrays.percept_rows[action * arrays.S + arrived])
            self._tables[action, home] = (
                arrays.percept_numbers[entries],
                arrays.percept_weights[entries],
                np.repeat(self._within[arrived], counts),
                np.append(0, np.cumsum(counts)),
                results.reshape(-1),
                weights,
                bounds,
            )

    def backed_up(self, node: int, values: Floats, rewards: Floats, discount: float) -> Floats:
        """Return the reward plus the discounted expected value after the node's action, by column.

        `values` are by node and column, and may be minus infinity.
        """
        self._tick()
        numbers, likely, arrived, ends, results, weights, bounds = self._tables[self._table_of[node]]
        means = sums_between(likely * values[self._successors[node, numbers], arrived], ends)
        found = np.full(values.shape[1], -np.inf)
        there = len(bounds) - 1
        paid = rewards[self._actions[node], self.columns[node, :there]]
        found[:there] = paid + discount * sums_between(weights * means[results], bounds)
        return found

    def settle(self, values: Floats, rewards: Floats, better: Callable[[int, Floats], Floats]) -> None:
        """Replace the values of nodes by `better(node, backed up)` until none changes.

        A node is backed up again only after one of its successors has changed, so that a graph without cycles takes few
        back-ups of each node.
        """
        again = np.arange(len(values))[::-1]
        while len(again):
            changed = np.zeros(len(values), bool)
            for node in again.tolist():
                found = better(node, self.backed_up(node, values, rewards, 1.0))
                changed[node] = (found != values[node]).any()
                values[node] = found
            again = np.flatnonzero(changed[self._successors].any(axis=1))[::-1]

    def closed(self, kept: np.ndarray) -> np.ndarray:
        """The pairs of a node and a state from which only pairs of this set are reachable, and whose action applies.

        Without a discount they can also reach the end.
        """
        kept &= (self._arrays.rewards > -1e29)[self._actions[:, None], self.columns]
        if self._arrays.discount == 1:
            kept &= self._may_end()
        values, nothing = np.where(kept, 0.0, -np.inf), np.zeros_like(self._arrays.rewards)
        self.settle(values, nothing, lambda node, after: np.minimum(values[node], after))
        return values > -np.inf

    def actions_left(self, kept: np.ndarray) -> Floats:
        """Return the expected discounted number of actions that are left, for each pair of a closed set."""
        arrays = self._arrays
        if arrays.discount < 1:
            return np.full(kept.shape, 1 / (1 - arrays.discount))
        left, (nodes, columns) = np.zeros(kept.shape), np.nonzero(kept)
        codes = nodes * arrays.S + self.columns[nodes, columns]
        pairs = PolicyPairs.of(JointRows.of(arrays), codes, self._actions, self._successors, self._tick)
        left[kept] = evolve(pairs.chain, rewards=np.ones(len(codes))).solve(1.0)
        return left

    def _may_end(self) -> np.ndarray:
        """The pairs from which the end can be reached."""
        arrays = self._arrays
        staying = sums_between(arrays.to_weights, arrays.to_pointers).reshape(arrays.rewards.shape)
        ends = ((staying < 1 - 1e-9)[self._actions[:, None], self.columns] & self.there).astype(float)
        nothing = np.zeros_like(arrays.rewards)
        self.settle(ends, nothing, lambda node, after: np.maximum(ends[node], after > 0))
        return ends > 0
