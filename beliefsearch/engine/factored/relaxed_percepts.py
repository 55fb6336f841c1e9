"""Relaxed plans from beliefs where something is perceived, as if percepts could be chosen.

One state of the belief is taken for the true one. Every other is a track that may be *refuted*, by an
action after which another percept comes there than in the true state; what is refuted need not come to the goal. A
percept that no action can change is the true state's own; of others the better one is chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...model.hooks import Facts
from ..bits.bitset import bit_numbers
from ..bits.contingent import BitsetContingentView
from .relaxed_kernels import Tracks, relaxed_plan
from .relaxed_plans import sums, task_of

# Of more states of a belief some stand for all, evenly spread: there are very many beliefs.
_MOST_TRACKS = 500
# So many of the states of a belief, evenly spread, are taken for the true one in turn; fewer if there are many tracks.
_MOST_TRUE = 16
_TRIALS_OF_MANY = 3


class RelaxedPercepts:
    """Guide of a search through the beliefs of a view, by the facts of its problem."""

    def __init__(self, view: BitsetContingentView[Any, Any], facts: Facts[Any]) -> None:
        self._view, self._facts = view, facts
        extended, self._may_tell = _with_refutations(facts)
        met = chain((effect[0] for effect in extended.effects), extended.needs)
        self._actions = list(dict.fromkeys(met))
        number_of = {action: number for number, action in enumerate(self._actions)}
        start = view.initial_node()
        costs = [float(view.action_cost(start, action)) for action in self._actions]
        self._task = task_of([extended], number_of, costs)
        self._count, self._effects = extended.count, len(extended.effects)
        self._rows: dict[int, NDArray[np.int64]] = {}  # by state its facts

    def __call__(self, belief: int) -> tuple[tuple[float, float], list[Any]]:
        """Guide a search, by the relaxed plan and by how little is uncertain."""
        states = list(bit_numbers(belief))
        size = float(len(states))
        rows = [self._row(state) for state in _spread(states, _MOST_TRACKS)]
        # The cheapest of several plans: else one would go to the states in their order, however far away each is.
        trials = min(_MOST_TRUE, 1 + _MOST_TRACKS * _TRIALS_OF_MANY // len(rows))
        plans = [self._plan(rows, place) for place in _spread(range(len(rows)), trials)]
        cost, helpful = min(plans, key=lambda plan: plan[0])
        if cost == inf:
            return (inf, size), []
        applicable = set(self._view.actions(belief))
        return (float(cost), size), [a for n in np.flatnonzero(helpful) if (a := self._actions[n]) in applicable]

    def _plan(self, rows: Sequence[NDArray[np.int64]], true: int) -> tuple[float, NDArray[np.bool_]]:
        """Return the cost of a relaxed plan if the track at a place is true, and the actions with which it begins."""
        others = self._may_tell(rows[true].tolist())
        parts = [part for row in rows for part in (row, others)]
        parts[2 * true + 1] = others[:0]
        count = len(rows)
        tracks = Tracks(
            np.array([0, count], np.int64),
            np.zeros(count, np.int64),
            np.arange(count),
            np.arange(count + 1) * self._count,
            np.arange(count + 1) * self._effects,
            sums([len(part) for part in parts])[::2],
            np.concatenate(parts),
        )
        plan: tuple[float, NDArray[np.bool_]] = relaxed_plan(self._task, tracks)
        return plan

    def _row(self, state: int) -> NDArray[np.int64]:
        found = self._rows.get(state)
        if found is None:
            found = self._rows[state] = np.array(sorted(self._facts.of(self._view.model.states[state])), np.int64)
        return found


def _spread(things: Sequence[int], most: int) -> Sequence[int]:
    """At most so many of these, evenly spread."""
    if len(things) <= most:
        return things
    return [things[place * len(things) // most] for place in range(most)]


def _with_refutations(facts: Facts[Any]) -> tuple[Facts[Any], Callable[[Any], NDArray[np.int64]]]:
    """Return facts with one more, that a track is refuted, and for each percept that the true state may give another.

    Besides it returns the function from the facts of the true state to which of the latter hold.
    """
    changed = {fact for _, _, fact in facts.effects}
    kinds = dict.fromkeys((action, percept) for action, _, percept in facts.percepts)
    refuted = facts.count
    other = {kind: number for number, kind in enumerate(kinds, refuted + 1)}
    unsure = {action for action, condition, _ in facts.percepts if not changed.isdisjoint(condition)}
    effects = [*facts.effects]
    effects += [(a, [*condition, other[a, percept]], refuted) for a, condition, percept in facts.percepts]
    needs = {action: [[*clause, refuted] for clause in clauses] for action, clauses in facts.needs.items()}
    goal = [[*clause, refuted] for clause in facts.goal]

    def may_tell(true: Any) -> NDArray[np.int64]:
        holds = set(true)
        told = {(a, percept) for a, condition, percept in facts.percepts if holds.issuperset(condition)}
        numbers = [number for kind, number in other.items() if kind[0] in unsure or kind not in told]
        return np.array(numbers, np.int64)

    extended = Facts(refuted + 1 + len(other), facts.of, effects, needs, goal)
    return extended, may_tell
