"""Listing of a partially observable problem: its states, actions and percepts get numbers."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

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
from ...model.numbering import Numbering
from ...model.stochastic import StochasticProblem
from ...model.values import is_exact, whole
from ...running.limits import Budget
from ...running.observer import Observer
from ..mdp.mdp_model import ChanceModel, explore
from .pomdp_model import PomdpModel, Row


def pomdp_model(
    problem: StochasticProblem[State, Action, Percept], budget: Budget, observer: Observer | None = None
) -> PomdpModel[State, Action, Percept]:
    """Walk through all states that can come up, breadth-first, asking the author once for each state and action.

    If the author gives arrays, they are taken instead. Raises `ProblemError` if the problem is caught breaking its
    contract: probabilities that do not sum to 1, a number that is none, a state that is not hashable, or not terminal
    and without actions.
    """
    given = problem.arrays(lambda states: budget.tick()) if isinstance(problem, ChanceArrayHook) else None
    if isinstance(given, PerceptChanceArrays):
        from .array_model import model_of_arrays

        return model_of_arrays(problem, given)
    chances: ChanceModel[State, Action] = ChanceModel()
    explore(problem, chances, budget, observer, use_canonical=False)
    discount: Any = chances.discount
    exact_so_far = chances.exact
    going_on = [number for number, utility in enumerate(chances.utilities) if utility is None]
    place_of = {number: place for place, number in enumerate(going_on)}
    least_end: Any = 1

    def split(pairs: Iterable[tuple[Any, int]]) -> tuple[Row, Any, Any]:
        """Return the pairs of states that are not terminal, the mean utility of the others, and their probability."""
        row: dict[int, Any] = {}
        ended: Any = 0
        ends: Any = 0
        for probability, number in pairs:
            if number in place_of:
                row[place_of[number]] = row.get(place_of[number], 0) + probability
            else:
                ended += probability * chances.utilities[number]
                ends += probability
        return tuple(row.items()), ended, ends

    starts = [(chance, chances.number_of[state]) for chance, state in checked_initial_distribution(problem)]
    exact_so_far = exact_so_far and all(is_exact(chance) for chance, _ in starts)
    start, start_value, _ = split(starts)
    if start_value and not is_exact(start_value):  # floats mean shares of their sum, as the checker takes them
        shares = [(exact(chance), number) for chance, number in starts]
        over = sum(share * exact(chances.utilities[number]) for share, number in shares if number not in place_of)
        start_value = over / Fraction(sum(share for share, _ in shares))
        start_value = start_value if start else float(start_value)
    actions: dict[Action, int] = {}
    percepts: dict[Percept, int] = {}
    # By number of an action: what is known of states, by number.
    outcomes: list[dict[int, Row]] = []
    rewards: list[dict[int, Number]] = []
    percept_rows: list[dict[int, Row]] = []
    for place, number in enumerate(going_on):
        budget.tick()
        for by_action in zip(chances.actions[number], chances.outcomes[number], chances.rewards[number], strict=True):
            action, pairs, reward = by_action
            known = actions.setdefault(action, len(actions))
            if known == len(outcomes):
                outcomes.append({})
                rewards.append({})
                percept_rows.append({})
            row, ended, ends = split(pairs)
            least_end = min(least_end, ends or 1)
            outcomes[known][place], rewards[known][place] = row, whole(reward + discount * ended)
            for result in (result for result, _ in row if result not in percept_rows[known]):
                merged: dict[int, Any] = {}
                for chance, percept in checked_percept_distribution(problem, chances.states[going_on[result]], action):
                    exact_so_far = exact_so_far and is_exact(chance)
                    seen = percepts.setdefault(percept, len(percepts))
                    merged[seen] = merged.get(seen, 0) + chance
                percept_rows[known][result] = tuple(merged.items())
    by_state = range(len(going_on))
    return PomdpModel(
        tuple(chances.states[number] for number in going_on),
        tuple(actions),
        tuple(percepts),
        start,
        start_value,
        tuple(tuple(map(rows.get, by_state)) for rows in outcomes),
        tuple(tuple(map(by_place.get, by_state)) for by_place in rewards),
        tuple(tuple(rows.get(place, ()) for place in by_state) for rows in percept_rows),
        discount,
        exact_so_far,
        least_end,
        improper=problem.allows_improper(),
    )


def numbered_model(
    problem: StochasticProblem[State, Action, Percept], numbering: Numbering[State, Action, Percept], budget: Budget
) -> PomdpModel[State, Action, Percept]:
    """List all that is numbered, with those numbers, also states in which the game is over; O(its size).

    Terminal states have outcomes and percepts there, as for who is not told that the game is over.
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
