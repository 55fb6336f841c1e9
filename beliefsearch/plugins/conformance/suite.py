"""The conformance suite: the walk over the states, and the rules for every kind of problem."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations, islice, pairwise
from typing import Any

from ...errors import BeliefSearchError
from ...model.slips import forgotten_decorator, undeclared_hook
from ...model.stochastic import AnyProblem
from ...model.values import is_hashable, listed
from ...plans.encoding import encode_action
from ...running.alarm import call_within
from ...running.limits import STOPS, Budget
from .drawings import DRAWING_METHODS, drawing_complaint
from .identity import compared_by_identity, identity_complaint
from .report import RULES, Report, Violation

OF_BELIEFS = ("costs", "unit-costs", "estimates", "potential", "array-hook", "construct", "percepts", "classes")
OF_CHANCE = ("chance", "utility", "ending", "arrays", "pictures")

# Of a list of actions up to this length all pairs are compared, of a longer one only neighbours.
_SHORT_LIST = 50


class Conformance(ABC):
    """A run of the suite: the states met, their transitions, and the rules broken so far.

    Here is what every problem must keep; the kinds have classes of their own (see `check.py`).
    """

    def __init__(self, problem: AnyProblem[Any, Any], max_states: int) -> None:
        self.problem = problem
        self.max_states = max_states
        self.broken: dict[str, Violation] = {}
        self.transitions: dict[Any, dict[Any, tuple[Any, ...]]] = {}
        self.complete = False
        self._written: dict[str, Any] = {}  # what each text of an action stands for
        self._precedes: dict[tuple[Any, Any], Any] = {}  # pairs of actions, with a state that lists them so

    def run(self, budget: Budget) -> Report:
        """Check all rules, as far as the limits allow."""
        stopped = None
        try:
            call_within(budget, self._look_at_all)
        except STOPS as stop:
            stopped = budget.why(stop)
        return Report(tuple(self.broken.values()), self._applied(), len(self.transitions), self.complete, stopped)

    def _look_at_all(self) -> None:
        self.report("start", forgotten_decorator(type(self.problem)) or undeclared_hook(type(self.problem)))
        self.guard("start", "finding the start", self._explore)
        self.guard("identity", "asking for states again", self._check_identity)
        for state in self.transitions:
            self.guard("goals", f"{self.goal_test.__name__}({state!r})", self._check_goal, state)
            self.look_at_state(state)
            self.guard("text", f"the text of state {state!r}", self._check_state_text, state)
            if self.problem.overrides("canonical"):
                self.guard("symmetry", f"looking at state {state!r}", self._check_symmetry, state)
        if self._draws():
            self.guard("drawings", "drawing", self._check_drawings)
        self.look_further()

    def _draws(self) -> bool:
        """Whether the author draws anything."""
        return any(map(self.problem.overrides, DRAWING_METHODS))

    def _check_drawings(self) -> None:
        actions = dict.fromkeys(action for results in self.transitions.values() for action in results)
        self.report("drawings", drawing_complaint(self.problem, self.transitions, actions))

    def _applied(self) -> frozenset[str]:
        applies = dict.fromkeys((*OF_BELIEFS, *OF_CHANCE, "backwards"), False)
        applies |= {"symmetry": self.problem.overrides("canonical"), "identity": False}  # reported only if broken
        applies["drawings"] = self._draws()
        return frozenset(rule for rule in RULES if {**applies, **self.applied()}.get(rule, True))

    @property
    @abstractmethod
    def goal_test(self) -> Callable[[Any], bool]:
        """The author's method that decides whether the game is won, or over."""

    @abstractmethod
    def starts(self) -> Iterable[Any]:
        """The states that the game may begin in."""

    @abstractmethod
    def actions(self, state: Any) -> Iterable[Any]:
        """The actions that can be taken in a state."""

    @abstractmethod
    def results(self, state: Any, action: Any) -> tuple[Any, ...]:
        """The states that may follow, once they are checked."""

    @abstractmethod
    def look_further(self) -> None:
        """Check the rules for problems of this kind, once all states are met."""

    @abstractmethod
    def applied(self) -> Mapping[str, bool]:
        """By rule, whether it was checked for this problem; rules for every kind may be left out."""

    @abstractmethod
    def check_equivalent(self, state: Any, chosen: Any) -> None:
        """Check that a state is equivalent to `chosen`, its canonical one."""

    @abstractmethod
    def look_at_state(self, state: Any) -> None:
        """Check the rules about one state that are for problems of this kind."""

    def guard(self, rule: str, doing: str, step: Callable[..., object], *arguments: Any) -> None:
        """Run a step; an exception counts as a violation."""
        try:
            step(*arguments)
        except BeliefSearchError as error:
            self.violate(rule, str(error))
        except MemoryError:
            raise  # a limit, and no mistake of the author's
        except Exception as error:
            self.violate(rule, f"{doing}: {type(error).__name__}: {error}")

    def violate(self, rule: str, complaint: str) -> None:
        """Note that a rule is broken; only the first complaint is kept."""
        self.broken.setdefault(rule, Violation(rule, complaint))

    def report(self, rule: str, complaint: str | None) -> None:
        """Note a complaint, if there is one."""
        if complaint is not None:
            self.violate(rule, complaint)

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

        starts = list(islice(self.starts(), self.max_states + 1))
        if starts != list(islice(self.starts(), self.max_states + 1)):
            self.violate("start", f"the start is another at the second call; the first time it was {starts[0]!r}")
        meet(starts)
        for state in frontier:  # grows while it is walked
            if len(self.transitions) == self.max_states:
                return
            self.transitions[state] = {}
            actions: list[Any] = []
            self.guard("actions", f"actions({state!r})", lambda: actions.extend(self._check_actions(state)))  # noqa: B023  # called at once
            self.guard("text", f"the texts of the actions of {state!r}", self._check_action_texts, actions)
            for action in actions:
                self.guard(
                    "results",
                    f"results of action {action!r} in state {state!r}",
                    lambda: meet(self._check_results(state, action)),  # noqa: B023  # called at once
                )
        self.complete = True

    def _check_actions(self, state: Any) -> list[Any]:
        answer = self.actions(state)
        if isinstance(answer, (set, frozenset)):
            self.violate("actions", f"actions({state!r}) gives a set, whose order differs from run to run; sort it")
        if isinstance(answer, str):
            self.violate("actions", f"actions({state!r}) gives {answer!r}, whose letters are taken for actions")
        actions = list(listed(answer))
        for action in actions:
            if not is_hashable(action):
                self.violate("actions", f"actions({state!r}) lists {action!r}, which is not hashable")
                return []
        if len(set(actions)) < len(actions):
            twice = next(action for action in actions if actions.count(action) > 1)
            self.violate("actions", f"actions({state!r}) lists {twice!r} more than once")
        elif actions != list(listed(self.actions(state))):
            self.violate("actions", f"actions({state!r}) gives another list at the second call")
        pairs = combinations(actions, 2) if len(actions) <= _SHORT_LIST else pairwise(actions)
        for first, second in pairs:
            other = self._precedes.get((second, first))
            if other is not None:
                self.violate(
                    "order", f"{first!r} comes before {second!r} in state {state!r}, but after it in state {other[0]!r}"
                )
            self._precedes.setdefault((first, second), (state,))
        return actions

    def _check_action_texts(self, actions: list[Any]) -> None:
        problem = self.problem
        for action in actions:
            text = problem.format_action(action)
            if not is_text(text):
                self.violate("text", f"format_action({action!r}) gave {text!r}, which is not text")
            for key in (text, repr(encode_action(problem, action))):
                other = self._written.setdefault(key, action)
                if other != action:
                    self.violate("text", f"actions {other!r} and {action!r} both read {key!r}")
            if problem.overrides("parse_action") and problem.parse_action(text) != action:
                self.violate("text", f"parse_action({text!r}) is not {action!r}, which reads so")

    def _check_results(self, state: Any, action: Any) -> Iterator[Any]:
        """The results of an action, once they are checked."""
        results = self.results(state, action)
        self.transitions[state][action] = results
        if sorted(map(hash, results)) != sorted(map(hash, self.results(state, action))):
            self.violate("results", f"action {action!r} in state {state!r} gives other results at the second call")
        return iter(results)

    def _check_goal(self, state: Any) -> None:
        test, name = self.goal_test, self.goal_test.__name__
        answer = test(state)
        if not isinstance(answer, bool) or answer != test(state):
            self.violate("goals", f"{name}({state!r}) gave {answer!r}; it must give True or False, always the same")

    def _check_identity(self) -> None:
        complaint = identity_complaint(self.problem, self.max_states)
        self.report("identity", complaint or compared_by_identity(self.transitions))

    def _check_state_text(self, state: Any) -> None:
        problem = self.problem
        text = problem.format_state(state)
        if not is_text(text):
            self.violate("text", f"format_state({state!r}) gave {text!r}, which is not text")
        if problem.overrides("parse_state") and problem.parse_state(text) != state:
            self.violate("text", f"parse_state({text!r}) is not {state!r}, which reads so")

    def _check_symmetry(self, state: Any) -> None:
        canonical = self.problem.canonical
        chosen = canonical(state)
        if not is_hashable(chosen):
            raise BeliefSearchError(f"canonical({state!r}) gave {chosen!r}, which is not hashable")
        if canonical(chosen) != chosen:
            again = canonical(chosen)
            self.violate("symmetry", f"canonical({state!r}) is {chosen!r}, whose own canonical is {again!r}")
        self.check_equivalent(state, chosen)


def is_text(value: object) -> bool:
    """Whether it is text, which type hints alone do not ensure."""
    return isinstance(value, str)
