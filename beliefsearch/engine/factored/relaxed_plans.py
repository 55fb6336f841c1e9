"""The estimate by relaxed plans over all factors at once, and the actions with which these begin.

It is no lower bound: relaxed plans are not the shortest, and a plan may do in one action what serves two levels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache, partial
from itertools import chain
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...model.base import Action
from ...model.factor import Facts
from ...running.limits import EffortExceeded
from ..bits.bitset import bit_numbers
from .local_beliefs import LocalBeliefs
from .relaxed_kernels import RelaxedTask, Tracks, relaxed_plan
from .view import FactoredView, Tuple

# Of more states of a local belief some stand for all, evenly spread.
_MOST_TRACKS = 200
# A factor without facts of its own, with more pairs of a state and an action, is too large to have a fact a state.
_MOST_PAIRS = 500_000
# So many estimates are kept: searches one after the other meet the same beliefs.
_KEPT = 100_000
# Elementary steps of a relaxed plan, and facts and effects of tracks that take one more.
_STEPS, _A_STEP = 250, 8


class RelaxedPlans:
    """Relaxed plans from the beliefs of a view, which guide `lazy_best_first_search`.

    Raises `EffortExceeded` if a factor neither has facts nor is small.
    """

    def __init__(self, view: FactoredView[Any]) -> None:
        self._view = view
        self._facts = [
            factor.facts or facts_of_table(local) for factor, local in zip(view.factors, view.locals, strict=True)
        ]
        start = view.initial_state()
        costs = [float(view.action_cost(start, action)) for action in view.all_actions]
        self._task = task_of(self._facts, view.number_of, costs)
        self._rows: list[dict[int, int]] = [{} for _ in self._facts]  # by factor and state: the place of its facts
        self._fact_starts, self._row_facts = np.zeros(64, np.int64), np.zeros(1024, np.int64)
        self._count_rows = 0
        self._tracks: list[dict[int, NDArray[np.int64]]] = [{} for _ in self._facts]  # by factor and local belief
        self._sizes = np.array([facts.count for facts in self._facts], np.int64)
        self._effects = np.diff(self._task.first_effect)
        self._known = lru_cache(_KEPT)(partial(self._guided, task=self._task))
        self._true_of, self._true_with = cache(self._true_in), cache(self._true_in_row)

    def by_cost(self, belief: Tuple) -> tuple[tuple[float, float], list[Any]]:
        """Guide by the cost of the relaxed plan, and by how much is uncertain."""
        cost, _, actions = self._known(belief)
        return (cost, self._view.size(belief)), actions

    def by_goals(self, belief: Tuple) -> tuple[tuple[float, float], list[Any]]:
        """Guide by how many goals are left, counted in each state, and by how much is uncertain."""
        cost, unmet, actions = self._known(belief)
        return (cost if cost == inf else unmet, self._view.size(belief)), actions

    def towards(self, belief: Tuple, rest: Sequence[Any]) -> tuple[Callable[[Tuple], Any], Callable[[Tuple], bool]]:
        """Return a guide to beliefs from which these actions win as from `belief`, and a test for what may be one.

        Both go by what the actions need of it, and take no notice of conditions of their effects.
        """
        task = self._task
        needed = {*task.goals.tolist()}
        for action in rest:
            number = self._view.number_of[action]
            needed.update(task.needs[task.need_starts[number] : task.need_starts[number + 1]].tolist())
        by_factor = [needed & self._true_of(place, number) for place, number in enumerate(belief)]
        goals = np.array(sorted(chain.from_iterable(by_factor)), np.int64)

        def may_do(belief: Tuple) -> bool:
            return all(own <= self._true_of(place, belief[place]) for place, own in enumerate(by_factor) if own)

        task = task._replace(goals=goals)

        def guide(belief: Tuple) -> tuple[tuple[float, float], list[Any]]:
            cost, _, actions = self._guided(belief, task)
            return (cost, self._view.size(belief)), actions

        return guide, may_do

    def _guided(self, belief: Tuple, task: RelaxedTask) -> tuple[float, int, list[Any]]:
        """Return the cost of a relaxed plan, how many goals are left, and with which actions it begins."""
        cost, unmet, first = self.plan(belief, task)
        return cost, unmet, [self._view.all_actions[number] for number in bit_numbers(first)]

    def _true_in(self, place: int, number: int) -> frozenset[int]:
        """Return the clauses of a factor that hold in all states of a local belief."""
        return frozenset.intersection(*map(partial(self._true_with, place), self._rows_of(place, number).tolist()))

    def _true_in_row(self, place: int, row: int) -> frozenset[int]:
        first, serving, starts = self._task.first_fact[place], self._task.serving, self._task.serving_starts
        facts = first + self._row_facts[self._fact_starts[row] : self._fact_starts[row + 1]]
        return frozenset(n for fact in facts for n in serving[starts[fact] : starts[fact + 1]].tolist())

    def plan(self, belief: Tuple, task: RelaxedTask) -> tuple[float, int, int]:
        """Return the cost of a relaxed plan, infinite if there is none; how many goals are left; the first actions."""
        rows = [self._rows_of(place, number) for place, number in enumerate(belief)]
        counts = np.array([len(part) for part in rows], np.int64)
        factor = np.repeat(np.arange(len(rows)), counts)
        fact_at, effect_at = sums(self._sizes[factor]), sums(self._effects[factor])
        self._view.allowance.spend(_STEPS + int(fact_at[-1] + effect_at[-1]) // _A_STEP)
        tracks = Tracks(
            sums(counts),
            factor,
            np.concatenate(rows),
            fact_at,
            effect_at,
            self._fact_starts,
            self._row_facts,
        )
        cost, unmet, helpful = relaxed_plan(task, tracks)
        first = int.from_bytes(np.packbits(helpful, bitorder="little").tobytes(), "little")
        return cost if cost == inf else float(cost), unmet, first & self._view.applicable(belief)

    def _rows_of(self, place: int, number: int) -> NDArray[np.int64]:
        found = self._tracks[place].get(number)
        if found is None:
            local, known = self._view.locals[place], self._rows[place]
            states = list(bit_numbers(local.masks[number]))
            if len(states) > _MOST_TRACKS:
                states = [states[i * len(states) // _MOST_TRACKS] for i in range(_MOST_TRACKS)]
            for state in states:
                if state not in known:
                    known[state] = self._add_row(sorted(self._facts[place].of(local.model.states[state])))
            found = np.array([known[state] for state in states], np.int64)
            self._tracks[place][number] = found
        return found

    def _add_row(self, facts: Sequence[int]) -> int:
        row, first = self._count_rows, int(self._fact_starts[self._count_rows])
        self._count_rows += 1
        self._fact_starts = _with_room(self._fact_starts, row + 2)
        self._row_facts = _with_room(self._row_facts, first + len(facts))
        self._row_facts[first : first + len(facts)] = facts
        self._fact_starts[row + 1] = first + len(facts)
        return row


def facts_of_table(local: LocalBeliefs[Action]) -> Facts[Action]:
    """Each state of a factor as a fact; all that can come up are numbered."""
    model, pairs, done = local.model, 0, 0
    effects: list[tuple[Action, Sequence[int], int]] = []
    percepts: list[tuple[Action, Sequence[int], Any]] = []
    applies: dict[Action, list[int]] = {action: [] for action in local.actions.values()}
    while done < len(model.states):
        (actions,) = model.action_lists(range(done, done + 1))
        pairs += len(actions)
        if pairs > _MOST_PAIRS:
            raise EffortExceeded
        for action in actions:
            applies[action].append(done)
            results = {*model.results(done, action)}
            if len(results) > 1:
                continue
            (result,) = results
            if result != done:
                effects.append((action, (done,), result))
            percepts += [(action, (done,), told) for told in local.told(result, action) if told is not None]
        done += 1
    count = len(model.states)
    needs = {action: [states] for action, states in applies.items() if len(states) < count}
    won = sorted({state for members in model.goal_members for state in members})
    goal = [] if len(won) == count else [won]
    return Facts(count, lambda state: (model.number(state),), effects, needs, goal, percepts)


def task_of(facts: Sequence[Facts[Any]], number_of: Mapping[Any, int], costs: Sequence[float]) -> RelaxedTask:
    """Return the task of these facts of factors, and of the actions with these numbers and costs."""
    clauses: dict[tuple[int, tuple[int, ...]], int] = {}  # by factor and facts
    needs: list[list[int]] = [[] for _ in number_of]
    goals: list[int] = []
    effects: list[tuple[int, int, int, Sequence[int]]] = []  # action, factor, fact, conditions
    first_effect = [0]
    for place, own in enumerate(facts):
        for action, lists in own.needs.items():
            for clause in lists:
                number = clauses.setdefault((place, tuple(sorted(set(clause)))), len(clauses))
                if number not in needs[number_of[action]]:
                    needs[number_of[action]].append(number)
        goals += [clauses.setdefault((place, tuple(sorted(set(clause)))), len(clauses)) for clause in own.goal]
        for action, condition, fact in own.effects:
            effects.append((number_of[action], place, fact, sorted(set(condition))))
        first_effect.append(len(effects))
    first_fact = sums([own.count for own in facts])
    waiting: list[list[int]] = [[] for _ in range(int(first_fact[-1]))]
    serving: list[list[int]] = [[] for _ in range(int(first_fact[-1]))]
    bringing: list[list[int]] = [[] for _ in number_of]
    users: list[list[int]] = [[] for _ in clauses]
    for number, (done, place, _, condition) in enumerate(effects):
        bringing[done].append(number)
        for fact in condition:
            waiting[first_fact[place] + fact].append(number)
    for (place, members), number in clauses.items():
        for fact in members:
            serving[first_fact[place] + fact].append(number)
    for done, needed in enumerate(needs):
        for clause_number in needed:
            users[clause_number].append(done)
    return RelaxedTask(
        first_fact,
        np.array(first_effect, np.int64),
        np.array([effect[0] for effect in effects], np.int64),
        np.array([effect[1] for effect in effects], np.int64),
        np.array([effect[2] for effect in effects], np.int64),
        *_lists([effect[3] for effect in effects]),
        *_lists(waiting),
        *_lists(serving),
        np.array([place for place, _ in clauses], np.int64),
        *_lists(needs),
        *_lists(users),
        *_lists(bringing),
        np.array([*dict.fromkeys(goals)], np.int64),
        np.array(costs, np.float64),
    )


def sums(counts: Iterable[int]) -> NDArray[np.int64]:
    """Add up sizes: the places where the parts begin, and where the last ends."""
    sizes = np.asarray([*counts], np.int64) if not isinstance(counts, np.ndarray) else counts
    found = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=found[1:])
    return found


def _lists(parts: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Lists as one, with where each begins."""
    return sums([len(part) for part in parts]), np.array([value for part in parts for value in part], np.int64)


def _with_room(array: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Return the array, enlarged if it is shorter than this."""
    if size <= len(array):
        return array
    enlarged = np.zeros(max(size, 2 * len(array)), np.int64)
    enlarged[: len(array)] = array
    return enlarged
