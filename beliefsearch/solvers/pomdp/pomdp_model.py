"""A partially observable stochastic problem with numbered states, actions and percepts, for the solvers."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Generic, TypeAlias

from attrs import frozen

from ...model.base import Action, Number, Percept, State
from ...model.checked import checked_initial_distribution, checked_percept_distribution
from ...model.exact import exact
from ...model.stochastic import StochasticProblem
from ...model.values import is_exact, whole
from ...running.limits import Budget
from ...running.observer import Observer
from ..mdp.mdp_model import ChanceModel, explore

Row: TypeAlias = "tuple[tuple[int, Number], ...]"
"""Pairs of a number and a probability above 0, each number once."""


@frozen(eq=False, repr=False)
class PomdpModel(Generic[State, Action, Percept]):
    """All that a solver needs to know of a problem; nothing here makes use of `canonical`.

    The `states` are those that can come up and are not terminal, as they are met; `actions` and `percepts` all that may
    be done and perceived in them. As terminal states are left out, the probabilities of `start` and of `outcomes` may
    sum to less than 1: `start_value` is the mean utility of terminal starts, and `rewards` include the discounted mean
    utility of terminal states that may follow. `outcomes` and `rewards` are by action and state, None where the action
    does not apply; `percept_rows` as well, by the state in which the action arrives, and empty where it never does.
    `exact` is whether all numbers are whole numbers and fractions, `least_end` the smallest probability above 0 with
    which an action ends the game; 1 if none does. `improper` is whether policies count under which the game never ends.
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
    improper: bool = False


def pomdp_model(
    problem: StochasticProblem[State, Action, Percept], budget: Budget, observer: Observer | None = None
) -> PomdpModel[State, Action, Percept]:
    """Walk through all states that can come up, breadth-first, asking the author once for each state and action.

    Raises `ProblemError` if the problem is caught breaking its contract: probabilities that do not sum to 1, a number
    that is none, a state that is not hashable, or not terminal and without actions.
    """
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
        problem.allows_improper(),
    )
