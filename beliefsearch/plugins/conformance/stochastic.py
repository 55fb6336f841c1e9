"""Rules of the conformance suite for stochastic problems: probabilities, utilities, ends and symmetry."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...errors import ProblemError
from ...model.checked import (
    checked_discount,
    checked_initial_distribution,
    checked_outcomes,
    checked_percept_distribution,
    checked_reward,
    checked_utility,
)
from ...model.reachability import reaching
from ...model.stochastic import StochasticProblem
from .hooks.arrays import chances, same_chances
from .report import OF_CHANCE
from .rule import Broken, Partly
from .suite import Conformance


class StochasticConformance(Conformance):
    """A run of the suite over a stochastic problem."""

    problem: StochasticProblem[Any, Any]
    goal_test = "is_terminal"

    def starts(self) -> Iterable[Any]:
        return [state for _, state in checked_initial_distribution(self.problem)]

    def actions(self, state: Any) -> Iterable[Any]:
        return () if self.problem.is_terminal(state) else self.problem.actions(state)

    def results(self, state: Any, action: Any) -> tuple[Any, ...]:
        try:
            outcomes = checked_outcomes(self.problem, state, action)
            if outcomes != checked_outcomes(self.problem, state, action):
                complaint = f"action {action!r} in state {state!r} gives others at the second call"
                self.violate("chance", complaint, state, action)
        except ProblemError as error:
            self.violate("chance", str(error), state, action)
            return ()
        results = tuple(result for _, result in outcomes)
        self.guard("rewards", f"reward({state!r}, {action!r})", self._check_reward, state, action)
        if not self.problem.sees_state():
            for result in results:
                doing = f"percept_distribution({result!r}, {action!r})"
                self.guard("odds", doing, self._check_percept, result, action, about=(result,))
        return results

    def is_over(self, starts: Sequence[Any]) -> bool:
        return all(self.problem.is_terminal(start) for start in starts)

    def applied(self) -> Iterable[str]:
        return OF_CHANCE if not self.problem.sees_state() else OF_CHANCE.keys() - {"odds"}

    def look_at_state(self, state: Any) -> None:
        self.guard("utility", f"utility({state!r})", self._check_utility, state, about=(state,))

    def look_further(self) -> None:
        self.guard("ending", "looking for an end", self._check_ending)

    def check_equivalent(self, state: Any, chosen: Any) -> None:
        problem = self.problem
        over = problem.is_terminal(state)
        if over != problem.is_terminal(chosen):
            raise Broken(f"of {state!r} and its canonical {chosen!r} only one is terminal")
        if over:
            worth, other = checked_utility(problem, state), checked_utility(problem, chosen)
            if worth != other:
                raise Broken(f"{state!r} is worth {worth}, but its canonical {chosen!r} is worth {other}")
            return
        if set(problem.actions(chosen)) != set(problem.actions(state)):
            raise Broken(f"{state!r} and its canonical {chosen!r} have different actions")
        for action in self.transitions[state]:
            if not same_chances(chances(problem, state, action), chances(problem, chosen, action)):
                complaint = f"after action {action!r} in {state!r} and in its canonical {chosen!r}, other states follow"
                raise Broken(complaint)

    def _check_utility(self, state: Any) -> None:
        if self.problem.is_terminal(state):
            first, second = checked_utility(self.problem, state), checked_utility(self.problem, state)
            if first != second:
                raise Broken(f"utility({state!r}) gives {first}, and {second} at the second call")

    def _check_reward(self, state: Any, action: Any) -> None:
        first, second = (checked_reward(self.problem, state, action) for _ in range(2))
        if first != second:
            raise Broken(f"reward({state!r}, {action!r}) gives {first}, and {second} at the second call")

    def _check_percept(self, state: Any, action: Any) -> None:
        first, second = (checked_percept_distribution(self.problem, state, action) for _ in range(2))
        call = f"percept_distribution({state!r}, {action!r})"
        if first != second:
            raise Broken(f"{call} gives others at the second call")
        for _, percept in first:
            text = self.problem.format_percept(percept)
            if self.percepts.setdefault(text, percept) != percept:
                raise Broken(f"format_percept gives {text!r} for {percept!r} and for {self.percepts[text]!r}")

    def _check_ending(self) -> None:
        """Find a state that is not terminal without actions or, if all states are known, without a way to an end."""
        if "chance" in self.broken:
            raise Partly("not looked at, as chances are not known")
        steps: list[tuple[Any, Any]] = []
        ends = []
        for state, by_action in self.transitions.items():
            if self.problem.is_terminal(state):
                ends.append(state)
            elif not by_action:
                raise Broken(f"actions({state!r}) gives none, and the state is not terminal", state)
            steps += [(state, result) for results in by_action.values() for result in results]
        if checked_discount(self.problem) < 1 or self.problem.allows_improper():
            return  # the game may go on for ever
        if not self.complete:
            raise Partly("whether it comes to an end is known only where all states are")
        ending = reaching(ends, steps)
        stuck = next((state for state in self.transitions if state not in ending), None)
        if stuck is not None:
            raise Broken(f"from {stuck!r} no terminal state can be reached", stuck)
