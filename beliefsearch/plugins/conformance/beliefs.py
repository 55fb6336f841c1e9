"""Rules of the conformance suite for belief problems, including plain ones: costs, percepts and estimates."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any

from ...errors import BeliefSearchError
from ...kinds import is_plain
from ...model.base import Cost
from ...model.belief import initial_states, is_goal_belief, perceived, successors
from ...model.checked import written_cost
from ...model.class_lint import swapped_percepts
from ...model.problem import BeliefProblem, Problem
from ...model.values import is_hashable
from .report import OF_BELIEFS
from .rule import Broken, Partly, broken_if
from .suite import Conformance, is_text

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
                if not is_text(text):
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
