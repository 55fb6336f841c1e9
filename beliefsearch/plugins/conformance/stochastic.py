"""How the conformance suite checks stochastic problems: chances, utilities, ends and symmetry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from ...errors import ProblemError
from ...model.checked import checked_outcomes, checked_utility
from ...model.stochastic import StochasticProblem
from ...verify.reaching import reaching
from .chances import chances, same_chances
from .report import OF_CHANCE
from .suite import Conformance


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

    def applied(self) -> Iterable[str]:
        return OF_CHANCE

    def check_equivalent(self, state: Any, chosen: Any) -> None:
        self.report("symmetry", chance_symmetry_complaint(self.problem, state))

    def look_at_state(self, state: Any) -> None:
        self._ask("utility", f"utility({state!r})", partial(utility_complaint, self.problem, state))

    def look_further(self) -> None:
        if "chance" in self.broken:
            self.partly["ending"] = "not looked at, as chances are not known"
            return
        if not self.complete:
            self.partly["ending"] = "whether it comes to an end is known only where all states are"
        complaint = partial(ending_complaint, self.problem, self.transitions, self.complete)
        self._ask("ending", "looking for an end", complaint)

    def _ask(self, rule: str, doing: str, complaint: Callable[[], str | None]) -> None:
        self.guard(rule, doing, lambda: self.report(rule, complaint()))


def utility_complaint(problem: StochasticProblem[Any, Any], state: Any) -> str | None:
    """What is wrong with the utility of a state, if anything."""
    if not problem.is_terminal(state):
        return None
    first, second = checked_utility(problem, state), checked_utility(problem, state)
    return None if first == second else f"utility({state!r}) gives {first}, and {second} at the second call"


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
        if not same_chances(chances(problem, state, action), chances(problem, chosen, action)):
            return f"after action {action!r} in {state!r} and in its canonical {chosen!r}, other states follow"
    return None
