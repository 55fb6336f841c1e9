"""How the rules of `testing.RULES` are checked."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import combinations, islice, pairwise
from typing import TYPE_CHECKING, Any

from ...errors import BeliefSearchError, ProblemError
from ...model.belief import initial_states, perceived, successors
from ...model.checked import checked_cost, checked_outcomes
from ...model.hooks import (
    ArrayHook,
    BeliefClassHook,
    ChanceArrayHook,
    DistinctActionsHook,
    PlotHook,
    PotentialHook,
    ReversibleProblem,
)
from ...model.identity import compared_by_identity, identity_complaint
from ...model.problem import BaseProblem, BeliefProblem, Problem
from ...model.slips import forgotten_decorator, swapped_percepts, undeclared_hook
from ...model.stochastic import AnyProblem, StochasticProblem
from ...model.values import is_hashable
from ...plans.encoding import encode_action
from ...running.alarm import call_within
from ...running.limits import STOPS, Budget
from .fast_hooks import array_hook_complaint, potential_complaint
from .report import RULES, Report, Violation
from .stochastic import (
    chance_arrays_complaint,
    chance_symmetry_complaint,
    ending_complaint,
    plot_complaint,
    utility_complaint,
)
from .symmetry_hooks import class_complaint

if TYPE_CHECKING:
    from ...model.problem import Cost


__all__ = ["Conformance"]

# Of a list of actions up to this length all pairs are compared, of a longer one only neighbours.
_SHORT_LIST = 50
_CLASS_HOOKS = (DistinctActionsHook, BeliefClassHook)


class Conformance:
    """One run of the suite: the states met, their transitions, and the rules broken so far."""

    def __init__(self, problem: BaseProblem[Any, Any], max_states: int) -> None:
        if not isinstance(problem, (BeliefProblem, StochasticProblem)):
            raise ProblemError(f"{problem!r} is neither a belief problem nor a stochastic one, so it has no rules")
        self.problem: AnyProblem[Any, Any] = problem
        self.max_states = max_states
        self.broken: dict[str, Violation] = {}
        self.transitions: dict[Any, dict[Any, tuple[Any, ...]]] = {}
        self.complete = False
        self._lists_states = isinstance(problem, ArrayHook)  # and not for other instances only
        self._written: dict[str, Any] = {}  # what each text of an action stands for
        self._perceived: dict[str, Any] = {}  # what each text of a percept stands for
        self._precedes: dict[tuple[Any, Any], Any] = {}  # pairs of actions, with a state that lists them so

    def run(self, budget: Budget) -> Report:
        """Look at all rules, as far as the limits allow."""
        stopped = None
        try:
            call_within(budget, self._look_at_all)
        except STOPS as stop:
            stopped = budget.why(stop)
        return Report(tuple(self.broken.values()), self._applied(), len(self.transitions), self.complete, stopped)

    def _look_at_all(self) -> None:
        self._report("start", forgotten_decorator(type(self.problem)) or undeclared_hook(type(self.problem)))
        self._guard("start", "finding the start", self._explore)
        self._guard("identity", "asking for states again", self._check_identity)
        for state in self.transitions:
            self._guard("goals", f"is_goal({state!r})", self._check_goal, state)
            self._guard("percepts", f"percepts in state {state!r}", self._check_percepts, state)
            self._guard("text", f"the text of state {state!r}", self._check_state_text, state)
            if self.problem.overrides("canonical"):
                self._guard("symmetry", f"looking at state {state!r}", self._check_symmetry, state)
        if isinstance(self.problem, ReversibleProblem):
            self._guard("backwards", "walking backwards", self._check_backwards, self.problem)
        if isinstance(self.problem, Problem):
            self._guard("start", "possible_starts()", self._check_possible_starts, self.problem)
        if isinstance(self.problem, StochasticProblem):
            self._check_chance(self.problem)
        else:
            self._guard("estimates", "estimating", self._check_estimates, self.problem)
            if isinstance(self.problem, ArrayHook):
                self._guard("array-hook", "asking the array hook", self._check_array_hook, self.problem)
            if isinstance(self.problem, PotentialHook):
                self._guard("potential", "adding up potentials", self._check_potential, self.problem)
            if isinstance(self.problem, _CLASS_HOOKS) and not self.broken:
                self._guard("classes", "looking at classes", self._check_classes, self.problem)

    def _applied(self) -> frozenset[str]:
        problem = self.problem
        of_chance = dict.fromkeys(("chance", "utility", "ending", "arrays", "pictures"), False)
        of_beliefs = dict.fromkeys(
            ("costs", "unit-costs", "estimates", "potential", "array-hook", "percepts", "classes"), False
        )
        if isinstance(problem, StochasticProblem):
            of_chance = {
                "arrays": isinstance(problem, ChanceArrayHook),
                "pictures": isinstance(problem, PlotHook),
            }
        else:
            of_beliefs = {
                "unit-costs": problem.has_unit_costs(),
                "estimates": problem.has_heuristic(),
                "potential": isinstance(problem, PotentialHook),
                "array-hook": self._lists_states,
                "percepts": not problem.is_sensorless(),
                "classes": isinstance(problem, _CLASS_HOOKS),
            }
        applies = {
            **of_chance,
            **of_beliefs,
            "symmetry": problem.overrides("canonical"),
            "backwards": isinstance(problem, ReversibleProblem),
            "identity": False,  # it is only told of where it is broken
        }
        return frozenset(rule for rule in RULES if applies.get(rule, True))

    def _guard(self, rule: str, doing: str, step: Callable[..., object], *arguments: Any) -> None:
        """Run a step; whatever it raises is a violation."""
        try:
            step(*arguments)
        except BeliefSearchError as error:
            self._break(rule, str(error))
        except MemoryError:
            raise  # a limit, and no mistake of the author's
        except Exception as error:
            self._break(rule, f"{doing}: {type(error).__name__}: {error}")

    def _break(self, rule: str, complaint: str) -> None:
        self.broken.setdefault(rule, Violation(rule, complaint))

    def _report(self, rule: str, complaint: str | None) -> None:
        if complaint is not None:
            self._break(rule, complaint)

    def _check_chance(self, problem: StochasticProblem[Any, Any]) -> None:
        for state in self.transitions:
            self._guard(
                "utility",
                f"utility({state!r})",
                lambda: self._report("utility", utility_complaint(problem, state)),  # noqa: B023  # called at once
            )
        if isinstance(problem, PlotHook):
            self._guard(
                "pictures",
                "asking where states lie in pictures",
                lambda: self._report("pictures", plot_complaint(problem, self.transitions)),
            )
        if "chance" in self.broken:
            return  # what follows is not known
        self._guard(
            "ending",
            "looking for an end",
            lambda: self._report("ending", ending_complaint(problem, self.transitions, self.complete)),
        )
        if isinstance(problem, ChanceArrayHook):
            self._guard(
                "arrays",
                "asking for arrays()",
                lambda: self._report("arrays", chance_arrays_complaint(problem, self.transitions)),
            )

    def _starts(self) -> Iterable[Any]:
        problem = self.problem
        return (problem.initial_state(),) if isinstance(problem, StochasticProblem) else initial_states(problem)

    def _explore(self) -> None:
        """Walk the states, breadth-first, asking of each its actions and their results."""
        frontier: list[Any] = []
        met: set[Any] = set()

        def meet(states: Iterable[Any]) -> None:
            for state in states:
                if len(frontier) > self.max_states:
                    return
                if state not in met:
                    met.add(state)
                    frontier.append(state)

        starts = list(islice(self._starts(), self.max_states + 1))
        if starts != list(islice(self._starts(), self.max_states + 1)):
            self._break("start", f"the start is another at the second call; the first time it was {starts[0]!r}")
        meet(starts)
        for state in frontier:  # grows while it is walked
            if len(self.transitions) == self.max_states:
                return
            self.transitions[state] = {}
            actions: list[Any] = []
            self._guard("actions", f"actions({state!r})", lambda: actions.extend(self._check_actions(state)))  # noqa: B023  # called at once
            self._guard("text", f"the texts of the actions of {state!r}", self._check_action_texts, actions)
            for action in actions:
                self._guard(
                    "results",
                    f"results of action {action!r} in state {state!r}",
                    lambda: meet(self._check_results(state, action)),  # noqa: B023  # called at once
                )
        self.complete = True

    def _check_possible_starts(self, problem: Problem[Any, Any]) -> None:
        if problem.overrides("possible_starts"):
            for state in islice(problem.possible_starts(), self.max_states):
                if not is_hashable(state):
                    self._break("start", f"possible_starts() lists {state!r}, which is not hashable")

    def _check_actions(self, state: Any) -> list[Any]:
        problem = self.problem
        if isinstance(problem, StochasticProblem) and problem.is_terminal(state):
            return []
        answer = problem.actions(state)
        if isinstance(answer, (set, frozenset)):
            self._break("actions", f"actions({state!r}) gives a set, whose order differs from run to run; sort it")
        if isinstance(answer, str):
            self._break("actions", f"actions({state!r}) gives {answer!r}, whose letters are taken for actions")
        actions = list(answer)
        for action in actions:
            if not is_hashable(action):
                self._break("actions", f"actions({state!r}) lists {action!r}, which is not hashable")
                return []
        if len(set(actions)) < len(actions):
            twice = next(action for action in actions if actions.count(action) > 1)
            self._break("actions", f"actions({state!r}) lists {twice!r} more than once")
        elif actions != list(problem.actions(state)):
            self._break("actions", f"actions({state!r}) gives another list at the second call")
        pairs = combinations(actions, 2) if len(actions) <= _SHORT_LIST else pairwise(actions)
        for first, second in pairs:
            other = self._precedes.get((second, first))
            if other is not None:
                self._break(
                    "order", f"{first!r} comes before {second!r} in state {state!r}, but after it in state {other[0]!r}"
                )
            self._precedes.setdefault((first, second), (state,))
        return actions

    def _check_action_texts(self, actions: list[Any]) -> None:
        problem = self.problem
        for action in actions:
            text = problem.format_action(action)
            if not _is_text(text):
                self._break("text", f"format_action({action!r}) gave {text!r}, which is no text")
            for key in (text, repr(encode_action(problem, action))):
                other = self._written.setdefault(key, action)
                if other != action:
                    self._break("text", f"actions {other!r} and {action!r} both read {key!r}")
            if problem.overrides("parse_action") and problem.parse_action(text) != action:
                self._break("text", f"parse_action({text!r}) is not {action!r}, which reads so")

    def _check_results(self, state: Any, action: Any) -> Iterator[Any]:
        """The results of an action, once they are checked."""
        results = self._results(state, action)
        self.transitions[state][action] = results
        if sorted(map(hash, results)) != sorted(map(hash, self._results(state, action))):
            self._break("results", f"action {action!r} in state {state!r} gives other results at the second call")
        if not isinstance(self.problem, StochasticProblem):
            self._guard("costs", f"cost of {action!r} in {state!r}", self._check_cost, self.problem, state, action)
        return iter(results)

    def _results(self, state: Any, action: Any) -> tuple[Any, ...]:
        problem = self.problem
        if isinstance(problem, StochasticProblem):
            try:
                outcomes = checked_outcomes(problem, state, action)
                if outcomes != checked_outcomes(problem, state, action):
                    self._break("chance", f"action {action!r} in state {state!r} gives others at the second call")
            except ProblemError as error:
                self._break("chance", str(error))
                return ()
            return tuple(result for _, result in outcomes)
        return tuple(dict.fromkeys(successors(problem, state, action)))

    def _check_cost(self, problem: BeliefProblem[Any, Any, Any], state: Any, action: Any) -> None:
        cost = checked_cost(problem, state, action)
        if cost != checked_cost(problem, state, action):
            self._break("costs", f"action_cost({state!r}, {action!r}) gives another cost at the second call")
        if problem.has_unit_costs() and cost != 1:
            self._break("unit-costs", f"action_cost({state!r}, {action!r}) is {cost!r}, but has_unit_costs() is true")

    def _check_goal(self, state: Any) -> None:
        problem = self.problem
        if isinstance(problem, StochasticProblem):
            test, name = problem.is_terminal, "is_terminal"
        else:
            test, name = problem.is_goal, "is_goal"
        answer = test(state)
        if not isinstance(answer, bool) or answer != test(state):
            self._break("goals", f"{name}({state!r}) gave {answer!r}; it must give True or False, always the same")
        self._guard("goals", f"goal_sets() and state {state!r}", self._goal_sets_around, state)

    def _check_identity(self) -> None:
        complaint = identity_complaint(self.problem, self.max_states)
        self._report("identity", complaint or compared_by_identity(self.transitions))

    def _check_percepts(self, state: Any) -> None:
        problem = self.problem
        if isinstance(problem, StochasticProblem):
            return
        self._report("percepts", swapped_percepts(type(problem)))
        for action, results in self.transitions[state].items():
            for result in results:
                for percept in self._perceived_after(problem, result, action):
                    text = problem.format_percept(percept)
                    if not _is_text(text):
                        self._break("percepts", f"format_percept({percept!r}) gave {text!r}, which is no text")
                    elif self._perceived.setdefault(text, percept) != percept:
                        other = self._perceived[text]
                        self._break("percepts", f"format_percept() writes both {other!r} and {percept!r} as {text!r}")

    def _perceived_after(self, problem: BeliefProblem[Any, Any, Any], state: Any, action: Any) -> Iterable[Any]:
        """What may be perceived; where the author's code fails, whether it would not, were the arguments swapped."""
        try:
            return perceived(problem, state, action)
        except BeliefSearchError:
            raise
        except Exception as error:
            with suppress(Exception):
                perceived(problem, action, state)
                self._break(
                    "percepts",
                    f"percepts({state!r}, {action!r}) raises {type(error).__name__}, and "
                    f"percepts({action!r}, {state!r}) does not: the order is percepts(state, action)",
                )
            raise

    def _check_classes(self, problem: BeliefProblem[Any, Any, Any]) -> None:
        self._report("classes", class_complaint(problem))

    def _check_state_text(self, state: Any) -> None:
        problem = self.problem
        text = problem.format_state(state)
        if not _is_text(text):
            self._break("text", f"format_state({state!r}) gave {text!r}, which is no text")
        if problem.overrides("parse_state") and problem.parse_state(text) != state:
            self._break("text", f"parse_state({text!r}) is not {state!r}, which reads so")

    def _check_symmetry(self, state: Any) -> None:
        canonical = self.problem.canonical
        chosen = canonical(state)
        if not is_hashable(chosen):
            raise BeliefSearchError(f"canonical({state!r}) gave {chosen!r}, which is not hashable")
        if canonical(chosen) != chosen:
            self._break("symmetry", f"canonical({state!r}) is {chosen!r}, whose own canonical is {canonical(chosen)!r}")
        problem = self.problem
        if isinstance(problem, StochasticProblem):
            self._report("symmetry", chance_symmetry_complaint(problem, state))
            return
        if self._goal_sets_around(state) != self._goal_sets_around(chosen):
            self._break("symmetry", f"of {state!r} and its canonical {chosen!r} only one is a goal")
        if set(problem.actions(chosen)) != set(problem.actions(state)):
            self._break("symmetry", f"{state!r} and its canonical {chosen!r} have different actions")
            return
        for action, results in self.transitions[state].items():
            if set(map(canonical, results)) != set(map(canonical, self._results(chosen, action))):
                self._break(
                    "symmetry", f"action {action!r} leads {state!r} and its canonical {chosen!r} to different states"
                )
            cost, chosen_cost = (checked_cost(problem, s, action) for s in (state, chosen))
            if cost != chosen_cost:
                self._break("symmetry", f"action {action!r} costs {cost} in {state!r}, {chosen_cost} in {chosen!r}")

    def _goal_sets_around(self, state: Any) -> tuple[bool, ...]:
        """Which goal sets the state belongs to."""
        problem = self.problem
        return () if isinstance(problem, StochasticProblem) else tuple(state in goals for goals in problem.goal_sets())

    def _check_backwards(self, problem: ReversibleProblem[Any, Any]) -> None:
        goals = set(problem.goal_states())
        for state, by_action in self.transitions.items():
            if problem.is_goal(state) != (state in goals):
                self._break("backwards", f"is_goal and goal_states() disagree about {state!r}")
            for action, (result,) in by_action.items():
                if (state, action) not in set(problem.predecessors(result)):
                    self._break("backwards", f"predecessors({result!r}) lacks ({state!r}, {action!r})")
            for parent, action in problem.predecessors(state):
                if action not in problem.actions(parent) or problem.result(parent, action) != state:
                    self._break(
                        "backwards", f"predecessors({state!r}) lists ({parent!r}, {action!r}), which leads elsewhere"
                    )

    def _check_estimates(self, problem: BeliefProblem[Any, Any, Any]) -> None:
        if not problem.has_heuristic():
            return
        exact = self._least_costs(problem) if self.complete else {}
        for state in self.transitions:
            estimate = problem.heuristic(state)
            if not estimate >= 0:
                self._break("estimates", f"heuristic({state!r}) is {estimate!r}")
            elif self.complete and estimate > exact.get(state, math.inf):
                self._break("estimates", f"heuristic({state!r}) is {estimate!r}, above the true cost {exact[state]!r}")

    def _check_array_hook(self, problem: Any) -> None:
        self._lists_states = problem.all_states() is not None
        self._report("array-hook", array_hook_complaint(problem, self.transitions))

    def _check_potential(self, problem: Any) -> None:
        won = next((s for s in self.transitions if problem.potential(s) and any(self._goal_sets_around(s))), None)
        if won is not None:
            self._break("potential", f"potential({won!r}) is not 0, but the player has won there")
            return
        self._report("potential", potential_complaint(problem, islice(initial_states(problem), self.max_states)))

    def _least_costs(self, problem: BeliefProblem[Any, Any, Any]) -> dict[Any, Cost]:
        """By state: what it costs a player who sees the state, against an adversary who chooses the results.

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


def _is_text(value: object) -> bool:
    return isinstance(value, str)
