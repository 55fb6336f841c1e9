"""How the conformance suite checks belief problems, including plain ones: costs, percepts and estimates."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import islice
from typing import Any

from ...errors import BeliefSearchError
from ...kinds import is_plain
from ...model.belief import initial_states, perceived, successors
from ...model.checked import checked_cost
from ...model.problem import BeliefProblem, Cost, Problem
from ...model.slips import swapped_percepts
from ...model.values import is_hashable
from .report import OF_BELIEFS
from .suite import Conformance, is_text

# True costs are worked out by at most so many passes over all states.
_MANY_PASSES = 100


class BeliefConformance(Conformance):
    """A run of the suite over a belief problem."""

    problem: BeliefProblem[Any, Any, Any]

    def __init__(self, problem: BeliefProblem[Any, Any, Any], max_states: int) -> None:
        super().__init__(problem, max_states)
        self._goal_sets: dict[Any, tuple[bool, ...]] = {}  # by state: which goal sets it belongs to
        self._perceived: dict[str, Any] = {}  # what each text of a percept stands for

    @property
    def goal_test(self) -> Callable[[Any], bool]:
        return self.problem.is_goal

    def starts(self) -> Iterable[Any]:
        return initial_states(self.problem)

    def actions(self, state: Any) -> Iterable[Any]:
        return self.problem.actions(state)

    def results(self, state: Any, action: Any) -> tuple[Any, ...]:
        return tuple(dict.fromkeys(successors(self.problem, state, action)))

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
            self.guard("costs", f"cost of {action!r} in {state!r}", self._check_cost, self.problem, state, action)
        self.guard("goals", f"goal_sets() and state {state!r}", self._goal_sets_around, state)
        self.guard("percepts", f"percepts in state {state!r}", self._check_percepts, state)

    def look_further(self) -> None:
        problem = self.problem
        self.report("percepts", swapped_percepts(type(problem)))
        if is_plain(problem):
            self.guard("start", "possible_starts()", self._check_possible_starts, problem)
        self.guard("estimates", "estimating", self._check_estimates, problem)

    def check_equivalent(self, state: Any, chosen: Any) -> None:
        problem, canonical = self.problem, self.problem.canonical
        if self._goal_sets_around(state) != self._goal_sets_around(chosen):
            self.violate("symmetry", f"of {state!r} and its canonical {chosen!r} only one is a goal")
        here, there = problem.actions(state), problem.actions(chosen)
        if here is not there and set(here) != set(there):
            self.violate("symmetry", f"{state!r} and its canonical {chosen!r} have different actions")
            return
        for action, results in self.transitions[state].items():
            if set(map(canonical, results)) != set(map(canonical, self.results(chosen, action))):
                self.violate(
                    "symmetry", f"action {action!r} leads {state!r} and its canonical {chosen!r} to different states"
                )
            cost, chosen_cost = (checked_cost(problem, s, action) for s in (state, chosen))
            if cost != chosen_cost:
                self.violate("symmetry", f"action {action!r} costs {cost} in {state!r}, {chosen_cost} in {chosen!r}")

    def _check_cost(self, problem: BeliefProblem[Any, Any, Any], state: Any, action: Any) -> None:
        cost = checked_cost(problem, state, action)
        if cost != checked_cost(problem, state, action):
            self.violate("costs", f"action_cost({state!r}, {action!r}) gives another cost at the second call")
        if problem.has_unit_costs() and cost != 1:
            self.violate("unit-costs", f"action_cost({state!r}, {action!r}) is {cost!r}, but has_unit_costs() is true")

    def _check_possible_starts(self, problem: Problem[Any, Any]) -> None:
        if problem.overrides("possible_starts"):
            for state in islice(problem.possible_starts(), self.max_states):
                if not is_hashable(state):
                    self.violate("start", f"possible_starts() lists {state!r}, which is not hashable")

    def _check_percepts(self, state: Any) -> None:
        problem = self.problem
        for action, results in self.transitions[state].items():
            for result in results:
                for percept in self._perceived_after(problem, result, action):
                    text = problem.format_percept(percept)
                    if not is_text(text):
                        self.violate("percepts", f"format_percept({percept!r}) gave {text!r}, which is not text")
                    elif self._perceived.setdefault(text, percept) != percept:
                        other = self._perceived[text]
                        self.violate("percepts", f"format_percept() writes both {other!r} and {percept!r} as {text!r}")

    def _perceived_after(self, problem: BeliefProblem[Any, Any, Any], state: Any, action: Any) -> Iterable[Any]:
        """The percepts; if the author's code fails, says whether the arguments are in the wrong order."""
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
        """Which goal sets the state belongs to."""
        around = self._goal_sets.get(state)
        if around is None:
            around = self._goal_sets[state] = tuple(state in goals for goals in self.problem.goal_sets())
        return around

    def _check_estimates(self, problem: BeliefProblem[Any, Any, Any]) -> None:
        if not problem.has_heuristic():
            return
        if not self.complete:
            self.partly["estimates"] = "not compared with true costs, for which all states must be known"
        exact = self._least_costs(problem) if self.complete else {}
        for state in self.transitions:
            estimate = problem.heuristic(state)
            if not estimate >= 0:
                self.violate("estimates", f"heuristic({state!r}) is {estimate!r}")
            elif self.complete and estimate > exact.get(state, math.inf):
                self.violate("estimates", f"heuristic({state!r}) is {estimate!r}, above the true cost {exact[state]!r}")

    def _least_costs(self, problem: BeliefProblem[Any, Any, Any]) -> dict[Any, Cost]:
        """By state: the cost for a player who sees the state, against an adversary who chooses the results.

        No plan can cost a player who sees nothing less. Bellman's equations, relaxed until nothing changes; what is
        known before that is never too little.
        """
        steps = [
            (state, checked_cost(problem, state, action), results)
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
