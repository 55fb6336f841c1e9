"""How the conformance suite checks belief problems, including plain ones: costs, percepts, estimates and hooks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from itertools import islice
from typing import Any

from ...errors import BeliefSearchError
from ...kinds import is_plain
from ...model.belief import initial_states, perceived, successors
from ...model.checked import checked_cost
from ...model.hooks import (
    ArrayHook,
    BeliefClassHook,
    ConstructionHook,
    DistinctActionsHook,
    PotentialHook,
    ReversibleProblem,
)
from ...model.problem import BeliefProblem, Cost, Problem
from ...model.slips import swapped_percepts
from ...model.values import is_hashable
from .fast_hooks import array_hook_complaint, construction_complaint, potential_complaint
from .suite import OF_BELIEFS, Conformance, is_text
from .symmetry_hooks import class_complaint

_CLASS_HOOKS = (DistinctActionsHook, BeliefClassHook)


class BeliefConformance(Conformance):
    """A run of the suite over a belief problem."""

    problem: BeliefProblem[Any, Any, Any]

    def __init__(self, problem: BeliefProblem[Any, Any, Any], max_states: int) -> None:
        super().__init__(problem, max_states)
        self._lists_states = isinstance(problem, ArrayHook)  # and not for other instances only
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

    def applied(self) -> Mapping[str, bool]:
        problem = self.problem
        return {
            **dict.fromkeys(OF_BELIEFS, True),
            "unit-costs": problem.has_unit_costs(),
            "estimates": problem.has_heuristic(),
            "potential": isinstance(problem, PotentialHook),
            "array-hook": self._lists_states,
            "construct": isinstance(problem, ConstructionHook),
            "percepts": not problem.is_sensorless(),
            "classes": isinstance(problem, _CLASS_HOOKS),
            "backwards": isinstance(problem, ReversibleProblem),
        }

    def look_at_state(self, state: Any) -> None:
        for action in self.transitions[state]:
            self.guard("costs", f"cost of {action!r} in {state!r}", self._check_cost, self.problem, state, action)
        self.guard("goals", f"goal_sets() and state {state!r}", self._goal_sets_around, state)
        self.guard("percepts", f"percepts in state {state!r}", self._check_percepts, state)

    def look_further(self) -> None:
        problem = self.problem
        if isinstance(problem, ReversibleProblem):
            self.guard("backwards", "walking backwards", self._check_backwards, problem)
        if is_plain(problem):
            self.guard("start", "possible_starts()", self._check_possible_starts, problem)
        self.guard("estimates", "estimating", self._check_estimates, problem)
        if isinstance(problem, ArrayHook):
            self.guard("array-hook", "asking the array hook", self._check_array_hook, problem)
        if isinstance(problem, PotentialHook):
            self.guard("potential", "adding up potentials", self._check_potential, problem)
        if isinstance(problem, ConstructionHook):
            self.guard("construct", "asking construction()", self._check_construction, problem)
        if isinstance(problem, _CLASS_HOOKS) and not self.broken:
            self.guard("classes", "looking at classes", self._check_classes, problem)

    def check_equivalent(self, state: Any, chosen: Any) -> None:
        problem, canonical = self.problem, self.problem.canonical
        if self._goal_sets_around(state) != self._goal_sets_around(chosen):
            self.violate("symmetry", f"of {state!r} and its canonical {chosen!r} only one is a goal")
        if set(problem.actions(chosen)) != set(problem.actions(state)):
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
        self.report("percepts", swapped_percepts(type(problem)))
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

    def _check_classes(self, problem: BeliefProblem[Any, Any, Any]) -> None:
        self.report("classes", class_complaint(problem))

    def _goal_sets_around(self, state: Any) -> tuple[bool, ...]:
        """Which goal sets the state belongs to."""
        return tuple(state in goals for goals in self.problem.goal_sets())

    def _check_backwards(self, problem: ReversibleProblem[Any, Any]) -> None:
        goals = set(problem.goal_states())
        for state, by_action in self.transitions.items():
            if problem.is_goal(state) != (state in goals):
                self.violate("backwards", f"is_goal and goal_states() disagree about {state!r}")
            for action, (result,) in by_action.items():
                if (state, action) not in set(problem.predecessors(result)):
                    self.violate("backwards", f"predecessors({result!r}) lacks ({state!r}, {action!r})")
            for parent, action in problem.predecessors(state):
                if action not in problem.actions(parent) or problem.result(parent, action) != state:
                    self.violate(
                        "backwards", f"predecessors({state!r}) lists ({parent!r}, {action!r}), which leads elsewhere"
                    )

    def _check_estimates(self, problem: BeliefProblem[Any, Any, Any]) -> None:
        if not problem.has_heuristic():
            return
        exact = self._least_costs(problem) if self.complete else {}
        for state in self.transitions:
            estimate = problem.heuristic(state)
            if not estimate >= 0:
                self.violate("estimates", f"heuristic({state!r}) is {estimate!r}")
            elif self.complete and estimate > exact.get(state, math.inf):
                self.violate("estimates", f"heuristic({state!r}) is {estimate!r}, above the true cost {exact[state]!r}")

    def _check_array_hook(self, problem: Any) -> None:
        self._lists_states = problem.all_states() is not None
        self.report("array-hook", array_hook_complaint(problem, self.transitions))

    def _check_construction(self, problem: Any) -> None:
        self.report("construct", construction_complaint(problem))

    def _check_potential(self, problem: Any) -> None:
        won = next((s for s in self.transitions if problem.potential(s) and any(self._goal_sets_around(s))), None)
        if won is not None:
            self.violate("potential", f"potential({won!r}) is not 0, but the player has won there")
            return
        self.report("potential", potential_complaint(problem, islice(initial_states(problem), self.max_states)))

    def _least_costs(self, problem: BeliefProblem[Any, Any, Any]) -> dict[Any, Cost]:
        """By state: the cost for a player who sees the state, against an adversary who chooses the results.

        No plan can cost a player who sees nothing less. Bellman's equations, relaxed until nothing changes.
        """
        costs: dict[Any, Cost] = {state: 0 for state in self.transitions if any(self._goal_sets_around(state))}
        changed = True
        while changed:
            changed = False
            for state, by_action in self.transitions.items():
                for action, results in by_action.items():
                    if not all(result in costs for result in results):
                        continue
                    cost = max(costs[result] for result in results) + checked_cost(problem, state, action)
                    if cost < costs.get(state, math.inf):
                        costs[state] = cost
                        changed = True
        return costs
