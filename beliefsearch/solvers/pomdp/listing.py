"""Listing of a partially observable problem as a model with numbered states, actions and percepts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, Generic

from ...model.base import Action, Number, Percept, State
from ...model.checked import (
    checked_discount,
    checked_initial_distribution,
    checked_outcomes,
    checked_percept_distribution,
    checked_reward,
)
from ...model.exact import exact
from ...model.hook_arrays import PerceptChanceArrays
from ...model.hooks import ChanceArrayHook
from ...model.stochastic import Numbering, StochasticProblem
from ...model.values import is_exact, whole
from ...running.limits import Budget
from ...running.observer import Observer
from ..mdp.mdp_model import ChanceModel, explore
from .pomdp_model import PomdpModel, Row


def pomdp_model(
    problem: StochasticProblem[State, Action, Percept], budget: Budget, observer: Observer | None = None
) -> PomdpModel[State, Action, Percept]:
    """Explore all reachable states, breadth-first, calling the author's methods once for each state and action.

    If the author gives arrays, they are taken instead. Raises `ProblemError` if the problem breaks its contract:
    probabilities that do not sum to 1, a number that is none, a state that is not hashable, or not terminal and without
    actions.
    """
    given = problem.arrays(lambda states: budget.tick()) if isinstance(problem, ChanceArrayHook) else None
    if isinstance(given, PerceptChanceArrays):
        from .array_model import model_of_arrays

        return model_of_arrays(problem, given)
    chances: ChanceModel[State, Action] = ChanceModel()
    explore(problem, chances, budget, observer, use_canonical=False)
    return _Listing(problem, chances).model(budget.tick)


class _Listing(Generic[State, Action, Percept]):
    """A model in the making, from the explored MDP: without terminal states, and with numbered actions and percepts."""

    def __init__(self, problem: StochasticProblem[State, Action, Percept], chances: ChanceModel[State, Action]) -> None:
        self._problem, self._chances = problem, chances
        self._going_on = [number for number, utility in enumerate(chances.utilities) if utility is None]
        self._place_of = {number: place for place, number in enumerate(self._going_on)}
        self._actions: dict[Action, int] = {}
        self._percepts: dict[Percept, int] = {}
        # By number of an action, and place of a state.
        self._outcomes: list[dict[int, Row]] = []
        self._rewards: list[dict[int, Number]] = []
        self._percept_rows: list[dict[int, Row]] = []
        self._exact = chances.exact
        self._least_end: Any = 1

    def model(self, tick: Callable[[], None]) -> PomdpModel[State, Action, Percept]:
        """List everything, and return the model."""
        chances = self._chances
        start, start_value = self._start()
        for place, number in enumerate(self._going_on):
            tick()
            by_action = zip(chances.actions[number], chances.outcomes[number], chances.rewards[number], strict=True)
            for action, pairs, reward in by_action:
                self._add(place, action, pairs, reward)
        by_state = range(len(self._going_on))
        return PomdpModel(
            tuple(chances.states[number] for number in self._going_on),
            tuple(self._actions),
            tuple(self._percepts),
            start,
            start_value,
            tuple(tuple(map(rows.get, by_state)) for rows in self._outcomes),
            tuple(tuple(map(by_place.get, by_state)) for by_place in self._rewards),
            tuple(tuple(rows.get(place, ()) for place in by_state) for rows in self._percept_rows),
            chances.discount,
            self._exact,
            self._least_end,
            improper=self._problem.allows_improper(),
        )

    def _start(self) -> tuple[Row, Any]:
        """Return the initial distribution without terminal states, and the expected utility of these."""
        chances = self._chances
        starts = [(chance, chances.number_of[state]) for chance, state in checked_initial_distribution(self._problem)]
        self._exact = self._exact and all(is_exact(chance) for chance, _ in starts)
        start, value, _ = self._split(starts)
        if value and not is_exact(value):  # like the checker, which divides floats by their exact sum
            shares = [(exact(chance), number) for chance, number in starts]
            ends = [(share, number) for share, number in shares if number not in self._place_of]
            over = sum(share * exact(chances.utilities[number]) for share, number in ends)
            value = over / Fraction(sum(share for share, _ in shares))
            value = value if start else float(value)
        return start, value

    def _split(self, pairs: Iterable[tuple[Any, int]]) -> tuple[Row, Any, Any]:
        """Return the pairs without terminal states, the expected utility of these, and their probability."""
        row: dict[int, Any] = {}
        ended: Any = 0
        ends: Any = 0
        for probability, number in pairs:
            place = self._place_of.get(number)
            if place is None:
                ended += probability * self._chances.utilities[number]
                ends += probability
            else:
                row[place] = row.get(place, 0) + probability
        return tuple(row.items()), ended, ends

    def _add(self, place: int, action: Action, pairs: Iterable[tuple[Any, int]], reward: Any) -> None:
        """Add the outcomes of an action in a state, with the percepts in its results."""
        known = self._actions.setdefault(action, len(self._actions))
        if known == len(self._outcomes):
            self._outcomes.append({})
            self._rewards.append({})
            self._percept_rows.append({})
        row, ended, ends = self._split(pairs)
        discount: Any = self._chances.discount
        self._least_end = min(self._least_end, ends or 1)
        self._outcomes[known][place], self._rewards[known][place] = row, whole(reward + discount * ended)
        for result, _ in row:
            if result not in self._percept_rows[known]:
                self._percept_rows[known][result] = self._percepts_in(result, action)

    def _percepts_in(self, place: int, action: Action) -> Row:
        state = self._chances.states[self._going_on[place]]
        merged: dict[int, Any] = {}
        for chance, percept in checked_percept_distribution(self._problem, state, action):
            self._exact = self._exact and is_exact(chance)
            seen = self._percepts.setdefault(percept, len(self._percepts))
            merged[seen] = merged.get(seen, 0) + chance
        return tuple(merged.items())


def numbered_model(
    problem: StochasticProblem[State, Action, Percept], numbering: Numbering[State, Action, Percept], budget: Budget
) -> PomdpModel[State, Action, Percept]:
    """List a problem with the numbers of its file, also terminal and unreachable states; O(its size).

    Terminal states have outcomes and percepts, as for a player who is not told that the game is over.
    """
    states = {state: number for number, state in enumerate(numbering.states)}
    percepts = {percept: number for number, percept in enumerate(numbering.percepts)}
    able = [None if problem.is_terminal(state) else {*problem.actions(state)} for state in states]
    outcomes: list[list[Row | None]] = []
    rewards: list[list[Any]] = []
    percept_rows: list[list[Row]] = []
    known: dict[Row, Row] = {}

    def row(pairs: Iterable[tuple[Any, Any]], number_of: dict[Any, int]) -> Row:
        merged: dict[int, Any] = {}
        for chance, value in pairs:
            merged[number_of[value]] = merged.get(number_of[value], 0) + chance
        return known.setdefault(found := tuple(merged.items()), found)

    for action in numbering.actions:
        outcomes.append([])
        rewards.append([])
        percept_rows.append([])
        for state, applicable in zip(states, able, strict=True):
            budget.tick()
            over, applies = applicable is None, applicable is None or action in applicable
            outcomes[-1].append(row(checked_outcomes(problem, state, action), states) if applies else None)
            rewards[-1].append((0 if over else checked_reward(problem, state, action)) if applies else None)
            percept_rows[-1].append(row(checked_percept_distribution(problem, state, action), percepts))
    start = row(checked_initial_distribution(problem), states)
    names = (*states,), (*numbering.actions,), (*percepts,)
    return PomdpModel(*names, start, 0, outcomes, rewards, percept_rows, checked_discount(problem), True, 1)
