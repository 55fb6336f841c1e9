"""How the conformance suite checks stochastic problems: utilities, ends, symmetry and arrays."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, TypeAlias

from ...errors import ProblemError
from ...model.checked import checked_outcomes, checked_plot_labels, checked_utility
from ...model.hooks import ChanceArrayHook, PlotHook
from ...model.problem import Number
from ...model.stochastic import StochasticProblem
from ...model.values import is_exact
from ...verify.reaching import reaching
from .suite import OF_CHANCE, Conformance

Chances: TypeAlias = "Mapping[Any, Number]"

# Arrays of more states than this are not looked at.
_MOST_LISTED = 1 << 20


class StochasticConformance(Conformance):
    """A run of the suite over a stochastic problem."""

    problem: StochasticProblem[Any, Any]

    @property
    def goal_test(self) -> Callable[[Any], bool]:
        return self.problem.is_terminal

    def starts(self) -> Iterable[Any]:
        return (self.problem.initial_state(),)

    def actions(self, state: Any) -> Iterable[Any]:
        return () if self.problem.is_terminal(state) else self.problem.actions(state)

    def results(self, state: Any, action: Any) -> tuple[Any, ...]:
        try:
            outcomes = checked_outcomes(self.problem, state, action)
            if outcomes != checked_outcomes(self.problem, state, action):
                self.violate("chance", f"action {action!r} in state {state!r} gives others at the second call")
        except ProblemError as error:
            self.violate("chance", str(error))
            return ()
        return tuple(result for _, result in outcomes)

    def applied(self) -> Mapping[str, bool]:
        return {
            **dict.fromkeys(OF_CHANCE, True),
            "arrays": isinstance(self.problem, ChanceArrayHook),
            "pictures": isinstance(self.problem, PlotHook),
        }

    def check_equivalent(self, state: Any, chosen: Any) -> None:
        self.report("symmetry", chance_symmetry_complaint(self.problem, state))

    def look_at_state(self, state: Any) -> None:
        self._ask("utility", f"utility({state!r})", partial(utility_complaint, self.problem, state))

    def look_further(self) -> None:
        problem, states = self.problem, self.transitions
        if isinstance(problem, PlotHook):
            self._ask("pictures", "asking where states lie in pictures", partial(plot_complaint, problem, states))
        if "chance" in self.broken:
            return  # what follows is not known
        self._ask("ending", "looking for an end", partial(ending_complaint, problem, states, self.complete))
        if isinstance(problem, ChanceArrayHook):
            self._ask("arrays", "asking for arrays()", partial(chance_arrays_complaint, problem, states))

    def _ask(self, rule: str, doing: str, complaint: Callable[[], str | None]) -> None:
        self.guard(rule, doing, lambda: self.report(rule, complaint()))


def utility_complaint(problem: StochasticProblem[Any, Any], state: Any) -> str | None:
    """What is wrong with the utility of a state, if anything."""
    if not problem.is_terminal(state):
        return None
    first, second = checked_utility(problem, state), checked_utility(problem, state)
    return None if first == second else f"utility({state!r}) gives {first}, and {second} at the second call"


def plot_complaint(problem: StochasticProblem[Any, Any], states: Iterable[Any]) -> str | None:
    """What is wrong with the labels or a place in pictures, if anything; raises `ProblemError` for the labels."""
    if not isinstance(problem, PlotHook):
        return None
    checked_plot_labels(problem)
    for state in states:
        place: Any = problem.plot_position(state)
        if place is not None and not (
            isinstance(place, tuple) and len(place) == 2 and all(type(value) is int for value in place)
        ):
            return f"plot_position({state!r}) gave {place!r}; it must give None or a pair of whole numbers"
    return None


def ending_complaint(
    problem: StochasticProblem[Any, Any], transitions: Mapping[Any, Mapping[Any, Iterable[Any]]], complete: bool
) -> str | None:
    """A state in which the game stands still or, if all states are known, from which it cannot come to an end."""
    steps: list[tuple[Any, Any]] = []
    ends = []
    for state, by_action in transitions.items():
        if problem.is_terminal(state):
            ends.append(state)
        elif not by_action:
            return f"actions({state!r}) gives none, and the state is not terminal"
        steps += [(state, result) for results in by_action.values() for result in results]
    ending = reaching(ends, steps)
    stuck = next((state for state in transitions if state not in ending), None)
    return f"from {stuck!r} no terminal state can be reached" if complete and stuck is not None else None


def chance_symmetry_complaint(problem: StochasticProblem[Any, Any], state: Any) -> str | None:
    """How a state differs from its canonical one; None if it does not."""
    chosen = problem.canonical(state)
    over = problem.is_terminal(state)
    if over != problem.is_terminal(chosen):
        return f"of {state!r} and its canonical {chosen!r} only one is terminal"
    if over:
        worth, other = checked_utility(problem, state), checked_utility(problem, chosen)
        alike = worth == other
        return None if alike else f"{state!r} is worth {worth}, but its canonical {chosen!r} is worth {other}"
    if set(problem.actions(chosen)) != set(problem.actions(state)):
        return f"{state!r} and its canonical {chosen!r} have different actions"
    for action in problem.actions(state):
        if not _alike(_chances(problem, state, action), _chances(problem, chosen, action)):
            return f"after action {action!r} in {state!r} and in its canonical {chosen!r}, other states follow"
    return None


def _chances(problem: StochasticProblem[Any, Any], state: Any, action: Any) -> dict[Any, Number]:
    """By canonical state: the probability that it follows."""
    chances: dict[Any, Number] = {}
    for probability, result in checked_outcomes(problem, state, action):
        representative = problem.canonical(result)
        chances[representative] = chances.get(representative, 0) + probability
    return chances


def _alike(first: Chances, second: Chances) -> bool:
    return first.keys() == second.keys() and all(_equal(chance, second[state]) for state, chance in first.items())


def _equal(first: Number, second: Number) -> bool:
    return first == second if is_exact(first) and is_exact(second) else math.isclose(first, second, abs_tol=1e-12)


def chance_arrays_complaint(problem: StochasticProblem[Any, Any], met: Iterable[Any]) -> str | None:
    """Where `arrays` differs from the problem's other methods, in the states met; None if nowhere."""
    arrays = problem.arrays() if isinstance(problem, ChanceArrayHook) else None
    if arrays is None or len(arrays.states) > _MOST_LISTED:
        return None
    number_of = {state: number for number, state in enumerate(arrays.states)}
    if len(number_of) < len(arrays.states):
        twice = next(state for number, state in enumerate(arrays.states) if number_of[state] != number)
        return f"arrays() lists the state {twice!r} more than once"
    for state in dict.fromkeys(map(problem.canonical, met)):
        number = number_of.get(state)
        if number is None:
            return f"arrays() lacks the state {state!r}, which can come up"
        over = problem.is_terminal(state)
        if bool(arrays.terminal[number]) != over:
            return f"arrays() and is_terminal({state!r}) disagree"
        if over:
            if not _equal(_plain(arrays.utilities[number]), checked_utility(problem, state)):
                return f"arrays() and utility({state!r}) disagree"
            continue
        applies = [action for action in arrays.outcomes if _applies(arrays, action, number)]
        if applies != list(problem.actions(state)):
            return (
                f"by arrays() the actions of {state!r} are {applies!r}, by actions() {list(problem.actions(state))!r}"
            )
        layer = bisect_right(arrays.layers, number)
        following = arrays.layers[layer] if layer < len(arrays.layers) else len(arrays.states)
        for action in applies:
            row = _row(arrays, action, number)
            if not all(following <= result < len(arrays.states) for result in row):
                return f"by arrays() action {action!r} leads {state!r} to a state that is in no later layer"
            if not _alike({arrays.states[r]: p for r, p in row.items() if p}, _chances(problem, state, action)):
                return f"arrays() and outcomes({state!r}, {action!r}) disagree"
    return None


def _applies(arrays: Any, action: Any, number: int) -> bool:
    applicable = arrays.applicable.get(action)
    return applicable is None or bool(applicable[number])


def _row(arrays: Any, action: Any, number: int) -> dict[int, Number]:
    """By number of a state: the probability that it follows."""
    numbers, probabilities = arrays.outcomes[action]
    results = numbers[number].tolist()
    # One row of probabilities may stand for all states, one probability for all outcomes.
    shares = probabilities[number if len(probabilities) > 1 else 0] if probabilities.ndim == 2 else probabilities
    spread = shares.tolist() if shares.ndim else [shares.item()]
    spread = spread * len(results) if len(spread) == 1 else spread
    row: dict[int, Number] = {}
    for result, share in zip(results, spread, strict=True):
        row[result] = row.get(result, 0) + share
    return row


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value
