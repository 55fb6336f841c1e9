"""Filtering: the belief, as a set or a distribution, after given actions and percepts.

Russell and Norvig, 4th edition, sections 4.4.2 (sets) and 14.2.1 (distributions).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from enum import Enum
from fractions import Fraction
from typing import Any, TypeAlias

from attrs import frozen

from ..errors import BeliefSearchError
from ..kinds import is_stochastic
from ..model.belief import applicable_actions, initial_belief, no_tick, outcomes, predict
from ..model.checked import checked_initial_distribution, checked_outcomes, checked_percept_distribution
from ..model.stochastic import AnyProblem
from ..model.values import is_among, totals
from ..plans.wording import number_order


class Unsaid(Enum):
    """Placeholder for a percept that is not given."""

    UNSAID = "?"


UNSAID = Unsaid.UNSAID

Happened: TypeAlias = "tuple[Any, Hashable | Unsaid]"
"""An action, and the percept after it."""


@frozen
class Filtered:
    """States that are possible after some actions and percepts.

    Attributes
    ----------
    states
        The possible states, also terminal ones, each with its probability; None instead for a problem without
        probabilities.
    likelihood
        The probability of these percepts after these actions; None for a problem without probabilities.
    """

    states: Mapping[Any, Any]
    likelihood: Any


def filtered(
    problem: AnyProblem[Any, Any], happened: Iterable[Happened], tick: Callable[[], None] = no_tick
) -> Filtered:
    """Do actions and condition on percepts, by the definition.

    Parameters
    ----------
    problem
        A problem of any kind.
    happened
        Actions, each with the percept after it, or `UNSAID`. If the player sees the state, the percept is the state. A
        percept tells the player that the game of a stochastic problem is not over.
    tick
        Called before each state, and raises to stop.

    Raises
    ------
    BeliefSearchError
        If an action does not apply in a possible state, a percept is impossible, or an entry is no pair.

    Notes
    -----
    Time is linear in the number of outcomes of all states that are possible on the way.

    Examples
    --------
    >>> from beliefsearch_problems.tiger import TigerProblem
    >>> listened = filtered(TigerProblem(), [("listen", "growl left"), ("listen", "growl left")])
    >>> max(listened.states.values()), listened.likelihood
    (Fraction(289, 298), Fraction(149, 400))
    """
    found = begin(problem, tick)
    for pair in happened:
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise BeliefSearchError(f"{pair!r:.60} is no pair of an action and a percept; for none there is UNSAID")
        action, percept = pair
        found = advance(problem, found, action, percept, tick)
    return found


def begin(problem: Any, tick: Callable[[], None] = no_tick) -> Filtered:
    """Return the states that are possible before the first action."""
    if not is_stochastic(problem):
        return _set_of(problem, initial_belief(problem, tick))
    return _chances(problem, _summed((state, Fraction(p)) for p, state in checked_initial_distribution(problem)), 1)


def advance(
    problem: Any, before: Filtered, action: Any, percept: Hashable | Unsaid, tick: Callable[[], None] = no_tick
) -> Filtered:
    """Return the states that are possible one action and percept later; errors as for `filtered`."""
    going_on = _going_on(problem, before.states)
    if not going_on:
        raise BeliefSearchError(f"{problem.format_action(action)} comes too late: the game is over by then")
    stuck = [state for state in going_on if not is_among(action, problem.actions(state))]
    if stuck:
        where = f"{problem.format_state(stuck[0])}, which is possible then"
        raise BeliefSearchError(f"{problem.format_action(action)} does not apply to {where}")
    if not is_stochastic(problem):
        if percept is UNSAID:
            return _set_of(problem, predict(problem, frozenset(going_on), action, tick))
        by_percept = outcomes(problem, going_on, action, tick)
        if percept not in by_percept:
            raise _never_comes(problem, action, percept, by_percept)
        return _set_of(problem, by_percept[percept])
    moved: list[tuple[Any, Fraction]] = []
    for state in going_on:
        tick()
        odds = [(Fraction(chance), result) for chance, result in checked_outcomes(problem, state, action)]
        whole = sum(chance for chance, _ in odds)
        moved += [(result, before.states[state] * chance / whole) for chance, result in odds]
    after = _summed(moved)
    if percept is UNSAID:
        ended = [(state, chance) for state, chance in before.states.items() if problem.is_terminal(state)]
        return _chances(problem, _summed([*ended, *after.items()]), before.likelihood)
    seen = {state: dict(_percepts(problem, state, action)) for state in after}
    weights = _summed((state, weight * seen[state].get(percept, 0)) for state, weight in after.items())
    if not weights:
        raise _never_comes(problem, action, percept, {known for of_state in seen.values() for known in of_state})
    return _chances(problem, weights, before.likelihood)


def _going_on(problem: Any, states: Iterable[Any]) -> list[Any]:
    """The states in which the game is not over."""
    return [state for state in states if not (is_stochastic(problem) and problem.is_terminal(state))]


def _set_of(problem: Any, states: Iterable[Any]) -> Filtered:
    return Filtered(dict.fromkeys(sorted(states, key=lambda state: number_order(problem.format_state(state)))), None)


def _chances(problem: Any, weights: Mapping[Any, Fraction], likelihood: Any) -> Filtered:
    """The states in order of decreasing probability, with probabilities that add up to 1."""
    total = sum(weights.values())
    order = sorted(weights, key=lambda state: (-weights[state], number_order(problem.format_state(state))))
    return Filtered({state: weights[state] / total for state in order}, likelihood * total)


def _percepts(problem: Any, state: Any, action: Any) -> Iterable[tuple[Any, Fraction]]:
    """The percepts on arriving in a state, with probabilities; a terminal state that is not seen has none."""
    if problem.is_terminal(state) and not problem.sees_state():
        return []
    seen = [(percept, Fraction(chance)) for chance, percept in checked_percept_distribution(problem, state, action)]
    total = sum(chance for _, chance in seen)
    return [(percept, chance / total) for percept, chance in _summed(seen).items()]


def _summed(pairs: Iterable[tuple[Any, Fraction]]) -> dict[Any, Fraction]:
    return totals((weight, state) for state, weight in pairs if weight)


def _never_comes(problem: Any, action: Any, percept: Any, possible: Iterable[Any]) -> BeliefSearchError:
    known = ", ".join(sorted([problem.format_percept(other) for other in possible], key=number_order))
    seen, done = problem.format_percept(percept), problem.format_action(action)
    return BeliefSearchError(f"{seen!r} is not perceived after {done} then; what may be: {known}")


def possible_actions(problem: Any, states: Iterable[Any]) -> list[Any]:
    """The actions that apply in all of some states in which the game is not over, in order."""
    going_on = _going_on(problem, states)
    return applicable_actions(problem, going_on) if going_on else []


def possible_percepts(problem: Any, states: Iterable[Any], action: Any) -> list[Any]:
    """The percepts that may come after an action in some states."""
    if not is_stochastic(problem):
        return [*outcomes(problem, states, action)]
    going_on = _going_on(problem, states)
    results = dict.fromkeys(result for state in going_on for _, result in checked_outcomes(problem, state, action))
    return [*dict.fromkeys(percept for result in results for percept, _ in _percepts(problem, result, action))]
