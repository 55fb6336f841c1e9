"""Relaxed plans from beliefs where something is perceived, as if percepts could be chosen.

One state of the belief is taken for the true one. Every other is a track that may be *refuted*, by an
action after which another percept comes there than in the true state; what is refuted need not come to the goal. A
percept that no action can change is the true state's own; of others the better one is chosen.

Goals are pursued one after the other, in the author's order: the fewer goals are left the better, then the cheaper the
relaxed plan for the first of them. Who looked for all at once would come to know a little of everything, and beliefs
would be as many as all combinations of this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...belief_space.and_or import AndOrProblem
from ...belief_space.seen_states import SeenStates
from ...model.factor import Facts
from ...model.partial_states import WHOLE
from ..bits.bitset import bit_numbers
from ..bits.contingent import BitsetContingentView
from .relaxed_kernels import RelaxedTask, Tracks, relaxed_plan
from .relaxed_plans import facts_of_table, sums, task_of
from .view import BlocksView

# Of more states of a belief some stand for all, evenly spread: there are very many beliefs. Of a block, which is one of
# many, fewer do.
_MOST_TRACKS = 500
_MOST_OF_BLOCK = 40
# So many of the states of a belief, evenly spread, are taken for the true one in turn; fewer if there are many tracks.
_MOST_TRUE = 16
_TRIALS_OF_MANY = 3
# So many lists of tracks are kept for each part.
_KEPT = 2_000


class _RelaxedPlans:
    """The task of relaxed plans for a view, of the facts of its parts."""

    def __init__(self, view: AndOrProblem[Any, Any], facts: Sequence[Facts[Any]]) -> None:
        self._view = view
        met = chain.from_iterable((*(effect[0] for effect in own.effects), *own.needs) for own in facts)
        self._actions = list(dict.fromkeys(met))
        number_of = {action: number for number, action in enumerate(self._actions)}
        start = view.initial_node()
        costs = [float(view.action_cost(start, action)) for action in self._actions]
        self._task = task_of(facts, number_of, costs)
        goals = dict.fromkeys(
            (place, tuple(sorted(set(clause)))) for place, own in enumerate(facts) for clause in own.goal
        )
        self._goals = [(place, frozenset(clause)) for place, clause in goals]  # in the order of the task's
        self._facts = np.array([own.count for own in facts], np.int64)
        self._effects = np.array([len(own.effects) for own in facts], np.int64)

    def _applicable(self, belief: Any, helpful: NDArray[np.bool_]) -> Iterator[Any]:
        """Yield those of the helpful actions that apply in a belief."""
        applicable = set(self._view.actions(belief))
        yield from (a for n in np.flatnonzero(helpful) if (a := self._actions[n]) in applicable)


class RelaxedPercepts(_RelaxedPlans):
    """Guide of a search, by the facts of the parts of a belief: of its blocks, or of the whole.

    `masks_of` gives the states of a belief in each part.
    """

    def __init__(
        self,
        view: AndOrProblem[Any, Any],
        parts: Sequence[_Part],
        masks_of: Callable[[Any], Sequence[int]],
    ) -> None:
        super().__init__(view, [part.facts for part in parts])
        self._parts, self._masks_of = parts, masks_of
        self._most = max(part.most for part in parts)

    def __call__(self, belief: Any) -> tuple[tuple[float, float], Iterable[Any]]:
        """Guide a search, by the relaxed plan and by how little is uncertain."""
        masks = self._masks_of(belief)
        sizes = [mask.bit_count() for mask in masks]
        size = float(sum(sizes))
        tracks = sum(min(part.most, own) for part, own in zip(self._parts, sizes, strict=True))
        # The cheapest of several plans: else one would go to the states in their order, however far away each is.
        trials = min(_MOST_TRUE, 1 + self._most * _TRIALS_OF_MANY // tracks, max(sizes))
        left = [n for n, (place, goal) in enumerate(self._goals) if not self._parts[place].holds(goal, masks[place])]
        first = self._task._replace(goals=self._task.goals[left[:1]])
        plans = [self._plan(first, masks, trial, trials) for trial in range(trials)]
        cost, helpful = min(plans, key=lambda plan: plan[0])
        if cost == inf:
            return (inf, size), []
        return (len(left) + cost / (1 + cost), size), self._applicable(belief, helpful)

    def _plan(
        self, task: RelaxedTask, masks: Sequence[int], trial: int, trials: int
    ) -> tuple[float, NDArray[np.bool_]]:
        """Return the cost of a relaxed plan, and the actions with which it begins; in each part a state is true."""
        found = [part.tracks(mask, trial, trials) for part, mask in zip(self._parts, masks, strict=True)]
        lengths = np.concatenate([own for own, _ in found])
        counts = np.array([len(own) for own, _ in found], np.int64)
        part_of = np.repeat(np.arange(len(found)), counts)
        tracks = Tracks(
            sums(counts),
            part_of,
            np.arange(len(lengths)),
            sums(self._facts[part_of]),
            sums(self._effects[part_of]),
            sums(lengths),
            np.concatenate([facts for _, facts in found]),
        )
        cost, _, helpful = relaxed_plan(task, tracks)
        return cost, helpful


class RelaxedStates(_RelaxedPlans):
    """Guide through states that are seen, by one relaxed plan for all goals: nothing need be found out for any."""

    def __init__(self, view: SeenStates[Any, Any]) -> None:
        rules, self._sides = view.rules, view.partial.needed
        self._bits, self._forbidden, self._left_out = rules.bits, view.forbidden, 0
        useful = [effect for effect in view.partial.effects if self._sides[effect[2] & 1] >> (effect[2] >> 1) & 1]
        goals = [*rules.goal, *([2 * n + side] for side in (0, 1) for n in bit_numbers(self._sides[side]))]
        super().__init__(view, [Facts(2 * len(rules.names), self._holding, useful, rules.needs, goals)])
        self._whole = len({frozenset(clause) for clause in rules.goal})
        self._goal_of = {one: n for n, (_, goal) in enumerate(self._goals) if len(goal) == 1 for one in goal}

    def __call__(self, state: Any) -> tuple[tuple[float, float], Iterable[Any]]:
        """Guide a search, by the relaxed plan and by how many goals are left."""
        return self._guided(state, range(self._whole))

    def toward(self, state: Any, other: Any, parts: int) -> tuple[tuple[float, float], Iterable[Any]]:
        """Guide a search to what agrees with another state in these parts."""
        return self._guided(state, [self._goal_of[one] for one in self._holding(other, parts)])

    def _guided(self, state: Any, goals: Sequence[int]) -> tuple[tuple[float, float], Iterable[Any]]:
        if len(self._forbidden) > self._left_out:
            self._left_out = len(self._forbidden)
            self._task.costs[[n for n, action in enumerate(self._actions) if action in self._forbidden]] = inf
        holds = self._holding(state)
        only, lists = np.zeros(1, np.int64), sums([len(holds)])
        facts, effects = sums(self._facts), sums(self._effects)
        tracks = Tracks(sums([1]), only, only, facts, effects, lists, np.array(holds, np.int64))
        cost, _, helpful = relaxed_plan(self._task._replace(goals=self._task.goals[goals]), tracks)
        left = sum(self._goals[n][1].isdisjoint(holds) for n in goals)
        return (float(cost), float(left)), self._applicable(state, helpful)

    def _holding(self, state: Any, parts: int = WHOLE) -> list[int]:
        """Return the literals about these parts that hold in a state, of those that something needs."""
        bits, (about_true, about_false) = self._bits(state), self._sides
        found = [2 * n for n in bit_numbers(bits & about_true & parts)]
        return found + [2 * n + 1 for n in bit_numbers(~bits & about_false & parts)]


class _Part:
    """A part of a belief: its facts, with those about percepts, its states, which are numbered, and the most tracks."""

    def __init__(self, facts: Facts[Any], states: Sequence[Any], most: int) -> None:
        self.most = most
        self.facts, self._may_tell = _with_refutations(facts)
        self._of, self._states = facts.of, states
        self._rows: dict[int, NDArray[np.int64]] = {}  # by state its facts
        self.holds = lru_cache(_KEPT)(self._holds)
        self.tracks = lru_cache(_KEPT)(self._tracks)

    def _tracks(self, mask: int, trial: int, trials: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the lengths of the lists of facts of the tracks, and these lists; another track is true each trial."""
        rows = [self._row(state) for state in _spread([*bit_numbers(mask)], self.most)]
        true = trial * len(rows) // trials
        others = self._may_tell(rows[true].tolist())
        parts = [part for row in rows for part in (row, others)]
        parts[2 * true + 1] = others[:0]
        return np.diff(sums([len(part) for part in parts])[::2]), np.concatenate(parts)

    def _holds(self, clause: frozenset[int], mask: int) -> bool:
        """Whether one of these facts holds in each state."""
        return not any(clause.isdisjoint(self._row(state).tolist()) for state in bit_numbers(mask))

    def _row(self, state: int) -> NDArray[np.int64]:
        found = self._rows.get(state)
        if found is None:
            found = self._rows[state] = np.array(sorted(self._of(self._states[state])), np.int64)
        return found


def percepts_of_whole(view: BitsetContingentView[Any, Any], facts: Facts[Any]) -> RelaxedPercepts:
    """The guide through whole beliefs."""
    return RelaxedPercepts(view, [_Part(facts, view.model.states, _MOST_TRACKS)], lambda belief: (belief,))


def percepts_of_blocks(view: BlocksView[Any]) -> RelaxedPercepts:
    """The guide through the beliefs of all blocks; raises `EffortExceeded` as `RelaxedPlans` does."""
    pairs = zip(view.factors, view.locals, strict=True)
    parts = [
        _Part(
            factor.facts or facts_of_table(local), local.model.states, _MOST_TRACKS if factor.fixed else _MOST_OF_BLOCK
        )
        for factor, local in pairs
    ]
    return RelaxedPercepts(
        view, parts, lambda belief: [own.masks[number] for own, number in zip(view.locals, belief, strict=True)]
    )


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
