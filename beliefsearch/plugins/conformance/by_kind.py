"""Rules of the conformance suite that a kind of problem adds.

Belief problems, plain ones included, add costs, percepts and estimates; stochastic problems probabilities, utilities
and ends.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any

from ...errors import BeliefSearchError, ProblemError
from ...kinds import is_plain
from ...model.base import Cost
from ...model.belief import initial_states, is_goal_belief, perceived, successors
from ...model.checked import (
    checked_discount,
    checked_initial_distribution,
    checked_outcomes,
    checked_percept_distribution,
    checked_reward,
    checked_utility,
    written_cost,
)
from ...model.class_lint import swapped_percepts
from ...model.problem import BeliefProblem, Problem
from ...model.reachability import reaching
from ...model.stochastic import StochasticProblem
from ...model.values import is_hashable
from .hooks.arrays import chances, same_chances
from .report import OF_BELIEFS, OF_CHANCE
from .rule import Broken, Partly, broken_if
from .suite import Conformance

# The most passes over all states for computing true costs.
_MANY_PASSES = 100


class BeliefConformance(Conformance):
    """A run of the suite over a belief problem."""

    problem: BeliefProblem[Any, Any, Any]
    goal_test = "is_goal"

    def starts(self) -> Iterable[Any]:
        return initial_states(self.problem)

    def actions(self, state: Any) -> Iterable[Any]:
        return self.problem.actions(state)

    def results(self, state: Any, action: Any) -> tuple[Any, ...]:
        return tuple(dict.fromkeys(successors(self.problem, state, action)))

    def is_over(self, starts: Sequence[Any]) -> bool:
        return is_goal_belief(self.problem, frozenset(starts))

    def applied(self) -> Iterable[str]:
        problem = self.problem
        unfit = {
            "unit-costs": not problem.has_unit_costs(),
            "estimates": not problem.has_heuristic(),
            "percepts": problem.is_sensorless(),
        }
        return [rule for rule in OF_BELIEFS if not unfit.get(rule)]

    def look_at_state(self, state: Any) -> None:
        for action in self.transitions[state]:
            step = (state, action)
            self.guard("costs", f"cost of {action!r} in {state!r}", self._check_cost, *step, about=step)
        here = (state,)
        self.guard("goals", f"goal_sets() and state {state!r}", self._goal_sets_around, state, about=here)
        self.guard("percepts", f"percepts in state {state!r}", self._check_percepts, state, about=here)

    def look_further(self) -> None:
        if is_plain(self.problem):
            self.guard("start", "possible_starts()", self._check_starts, self.problem)
        if self.problem.has_heuristic():
            self.guard("estimates", "estimating", self._check_estimates)

    def check_equivalent(self, state: Any, chosen: Any) -> None:
        problem, canonical = self.problem, self.problem.canonical
        if self._goal_sets_around(state) != self._goal_sets_around(chosen):
            raise Broken(f"of {state!r} and its canonical {chosen!r} only one is a goal")
        here, there = problem.actions(state), problem.actions(chosen)
        if here is not there and set(here) != set(there):
            raise Broken(f"{state!r} and its canonical {chosen!r} have different actions")
        for action, results in self.transitions[state].items():
            if {canonical(result) for result in results} != {
                canonical(result) for result in self.results(chosen, action)
            }:
                raise Broken(f"action {action!r} leads {state!r} and its canonical {chosen!r} to different states")
            cost, chosen_cost = (written_cost(problem, s, action) for s in (state, chosen))
            if cost != chosen_cost:
                raise Broken(f"action {action!r} costs {cost} in {state!r}, {chosen_cost} in {chosen!r}")

    def _check_cost(self, state: Any, action: Any) -> None:
        cost = written_cost(self.problem, state, action)
        if self.problem.has_unit_costs() and cost != 1:
            complaint = f"action_cost({state!r}, {action!r}) is {cost!r}, but has_unit_costs() is true"
            self.violate("unit-costs", complaint, state, action)
        if cost != written_cost(self.problem, state, action):
            raise Broken(f"action_cost({state!r}, {action!r}) gives another cost at the second call")

    def _check_starts(self, problem: Problem[Any, Any]) -> None:
        given = islice(problem.possible_starts(), self.max_states) if problem.overrides("possible_starts") else ()
        for state in given:
            if not is_hashable(state):
                raise Broken(f"possible_starts() lists {state!r}, which is not hashable")

    def _check_percepts(self, state: Any) -> None:
        problem = self.problem
        broken_if(swapped_percepts(type(problem)))
        steps = [(result, action) for action, results in self.transitions[state].items() for result in results]
        if not problem.overrides("percepts"):
            steps = steps[:1]  # every other step has the same percept, None
        for result, action in steps:
            for percept in self._perceived_after(problem, result, action):
                text = problem.format_percept(percept)
                if not isinstance(text, str):
                    raise Broken(f"format_percept({percept!r}) gave {text!r}, which is not text")
                other = self.percepts.setdefault(text, percept)
                if other != percept:
                    raise Broken(f"format_percept() writes both {other!r} and {percept!r} as {text!r}", state, action)

    def _perceived_after(self, problem: BeliefProblem[Any, Any, Any], state: Any, action: Any) -> Iterable[Any]:
        """The percepts; if the author's code fails, checks whether it takes the arguments in the wrong order."""
        try:
            return perceived(problem, state, action)
        except BeliefSearchError:
            raise
        except Exception as error:
            with suppress(Exception):
                perceived(problem, action, state)
                self.violate(
                    "percepts",
                    f"percepts({state!r}, {action!r}) raises {type(error).__name__}, and "
                    f"percepts({action!r}, {state!r}) does not: the order is percepts(state, action)",
                )
            raise

    def _goal_sets_around(self, state: Any) -> tuple[bool, ...]:
        """Return for each goal set whether it contains the state; the author's container may raise."""
        if state not in self.goal_sets:
            self.goal_sets[state] = tuple(state in goals for goals in self.problem.goal_sets())
        return self.goal_sets[state]

    def _check_estimates(self) -> None:
        exact = self._least_costs(self.problem) if self.complete else {}
        for state in self.transitions:
            estimate = self.problem.heuristic(state)
            if not estimate >= 0:
                raise Broken(f"heuristic({state!r}) is {estimate!r}", state)
            if self.complete and estimate > exact.get(state, math.inf):
                raise Broken(f"heuristic({state!r}) is {estimate!r}, above the true cost {exact[state]!r}", state)
        if not self.complete:
            raise Partly("not compared with true costs, for which all states must be known")

    def _least_costs(self, problem: BeliefProblem[Any, Any, Any]) -> dict[Any, Cost]:
        """Return the cost of each state for a player who sees the state, against an adversary who chooses the results.

        No plan of a player who sees less costs less. Bellman's equations are relaxed until nothing changes; the costs
        before that are upper bounds.
        """
        steps = [
            (state, written_cost(problem, state, action), results)
            for state, by_action in reversed(self.transitions.items())
            for action, results in by_action.items()
        ]
        costs: dict[Any, Cost] = {state: 0 for state in self.transitions if any(self._goal_sets_around(state))}
        for _ in range(_MANY_PASSES):
            before = dict(costs)
            for state, cost, results in steps:
                worst = max(costs.get(result, math.inf) for result in results)
                if worst + cost < costs.get(state, math.inf):
                    costs[state] = worst + cost
            if costs == before:
                return costs
        self.partly["estimates"] = "some true costs are less than what they were compared with"
        return costs


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
