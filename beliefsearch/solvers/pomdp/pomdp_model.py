"""A partially observable stochastic problem with numbered states, actions and percepts, for the solvers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Generic, TypeAlias

from attrs import frozen

from ...errors import ProblemError
from ...model.base import Action, Number, Percept, State
from ...model.checked import (
    checked_discount,
    checked_initial_distribution,
    checked_outcomes,
    checked_percept_distribution,
    checked_reward,
    checked_utility,
)
from ...model.exact import exact
from ...model.stochastic import StochasticProblem
from ...model.values import is_exact, listed, whole
from ...running.limits import Budget
from ...running.observer import Observer

Row: TypeAlias = "tuple[tuple[int, Number], ...]"
"""Pairs of a number and a probability above 0, each number once."""


@frozen(eq=False, repr=False)
class PomdpModel(Generic[State, Action, Percept]):
    """All that a solver needs to know of a problem; nothing here makes use of `canonical`.

    Attributes
    ----------
    states
        The states that can come up and are not terminal, as they are met.
    actions
        All their actions.
    percepts
        All that may be perceived in them.
    start
        Where the game begins, as far as it is not over then; so the probabilities may sum to less than 1.
    start_value
        The sum of probability times utility over terminal starts.
    outcomes
        By action and state: the states that may follow and are not terminal, so the probabilities may sum to less
        than 1; None where the action does not apply.
    rewards
        By action and state: the reward, plus the discounted mean utility of terminal states that may follow; None
        where the action does not apply.
    percept_rows
        By action and state: what may be perceived on arriving in the state by the action. Empty where it never does.
    discount
        The problem's.
    exact
        Whether all numbers are whole numbers and fractions.
    least_end
        The smallest probability above 0 with which an action ends the game; 1 if none does.
    """

    states: tuple[State, ...]
    actions: tuple[Action, ...]
    percepts: tuple[Percept, ...]
    start: Row
    start_value: Number
    outcomes: tuple[tuple[Row | None, ...], ...]
    rewards: tuple[tuple[Number | None, ...], ...]
    percept_rows: tuple[tuple[Row, ...], ...]
    discount: Number
    exact: bool
    least_end: Number


def pomdp_model(
    problem: StochasticProblem[State, Action, Percept], budget: Budget, observer: Observer | None = None
) -> PomdpModel[State, Action, Percept]:
    """Walk through all states that can come up, breadth-first, asking the author once for each state and action.

    Raises `ProblemError` if the problem is caught breaking its contract: probabilities that do not sum to 1, a number
    that is none, a state that is not hashable, or not terminal and without actions.
    """
    return _Walk(problem, budget, observer).model()


class _Walk(Generic[State, Action, Percept]):
    """The walk, and what has been met so far."""

    def __init__(
        self, problem: StochasticProblem[State, Action, Percept], budget: Budget, observer: Observer | None
    ) -> None:
        self._problem = problem
        self._budget = budget
        self._observer = observer
        self._discount: Any = checked_discount(problem)
        self._exact = is_exact(self._discount)
        self._least_end: Any = 1
        self._states: list[State] = []
        self._number_of: dict[State, int] = {}
        self._utilities: dict[State, Number] = {}
        self._actions: dict[Action, int] = {}
        self._percepts: dict[Percept, int] = {}
        # By number of an action: what is known of states, by number.
        self._outcomes: list[dict[int, Row]] = []
        self._rewards: list[dict[int, Number]] = []
        self._percept_rows: list[dict[int, Row]] = []

    def model(self) -> PomdpModel[State, Action, Percept]:
        problem, budget = self._problem, self._budget
        starts = checked_initial_distribution(problem)
        start, start_value = self._split(starts)
        if start_value and not is_exact(start_value):  # floats mean shares of their sum, as the checker takes them
            shares = [(exact(probability), state) for probability, state in starts]
            ended = [(share, exact(self._utilities[state])) for share, state in shares if state in self._utilities]
            worth = sum(share * utility for share, utility in ended) / Fraction(sum(share for share, _ in shares))
            start_value = worth if start else float(worth)
        self._least_end = 1
        for number, state in enumerate(self._states):  # grows while it is walked
            budget.check_expanded(number)
            if self._observer is not None and not number & 1023:
                self._observer.numbered(len(self._states))
            actions = listed(problem.actions(state))
            if not actions:
                raise ProblemError(
                    f"{type(problem).__name__}.actions({state!r}) gave none, and the state is not terminal: "
                    "there the game would stand still"
                )
            for action in actions:
                budget.tick()
                self._look(number, state, action)
        by_state = range(len(self._states))
        return PomdpModel(
            tuple(self._states),
            tuple(self._actions),
            tuple(self._percepts),
            start,
            start_value,
            tuple(tuple(map(rows.get, by_state)) for rows in self._outcomes),
            tuple(tuple(map(rewards.get, by_state)) for rewards in self._rewards),
            tuple(tuple(rows.get(number, ()) for number in by_state) for rows in self._percept_rows),
            self._discount,
            self._exact,
            self._least_end,
        )

    def _look(self, number: int, state: State, action: Action) -> None:
        """Note what `action` does in `state`, and what may be perceived then."""
        place = self._actions.setdefault(action, len(self._actions))
        if place == len(self._outcomes):
            self._outcomes.append({})
            self._rewards.append({})
            self._percept_rows.append({})
        row, ended = self._split(checked_outcomes(self._problem, state, action))
        reward: Any = checked_reward(self._problem, state, action)
        self._exact = self._exact and is_exact(reward)
        self._outcomes[place][number] = row
        self._rewards[place][number] = whole(reward + self._discount * ended)
        rows = self._percept_rows[place]
        for result, _ in row:
            if result not in rows:
                rows[result] = self._perceived(self._states[result], action)

    def _perceived(self, state: State, action: Action) -> Row:
        merged: dict[int, Any] = {}
        for probability, percept in checked_percept_distribution(self._problem, state, action):
            self._exact = self._exact and is_exact(probability)
            known = self._percepts.setdefault(percept, len(self._percepts))
            merged[known] = merged.get(known, 0) + probability
        return tuple(merged.items())

    def _split(self, outcomes: tuple[tuple[Number, State], ...]) -> tuple[Row, Any]:
        """The pairs of states that are not terminal, by number, and the mean utility of the others."""
        merged: dict[int, Any] = {}
        ended: Any = 0
        ends: Any = 0
        for probability, state in outcomes:
            self._exact = self._exact and is_exact(probability)
            number = self._number_of.get(state)
            if number is None:
                utility = self._utilities.get(state)
                if utility is None and not self._problem.is_terminal(state):
                    number = self._number_of[state] = len(self._states)
                    self._states.append(state)
                else:
                    if utility is None:
                        utility = self._utilities[state] = checked_utility(self._problem, state)
                        self._exact = self._exact and is_exact(utility)
                    ended += probability * utility
                    ends += probability
                    continue
            merged[number] = merged.get(number, 0) + probability
        if ends:
            self._least_end = min(self._least_end, ends)
        return tuple(merged.items()), ended
