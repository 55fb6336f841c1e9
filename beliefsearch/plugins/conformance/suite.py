"""The conformance suite: the walk over the states, and the rules for every kind of problem."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, islice, pairwise
from typing import Any, ClassVar

from ...errors import BeliefSearchError
from ...model.class_lint import forgotten_decorator, misspelt_methods, percepts_without_odds, undeclared_hook
from ...model.stochastic import AnyProblem
from ...model.values import is_hashable, listed
from ...plans.encoding import encode_action, encode_state
from ...running.alarm import call_within
from ...running.limits import STOPS, Budget
from ..identity import compared_by_identity, identity_complaint
from ..loading import own_calls
from ..options import fields_without_option
from .hooks.pictures import are_given, check_drawing
from .report import FOR_ALL, Report, Violation
from .rule import Broken, NotHere, Partly, broken_if, evenly, hook_rules

# The order of all pairs of actions is compared in lists up to this length, of neighbours in longer ones.
_SHORT_LIST = 50
# The walk may take 120 steps for each state that it may look at, of which there are at least 1,000: three steps for an
# action and one for each result. After that it takes only a few actions of each state, spread differently in each.
_STEPS_A_STATE = 120
_FEWEST_STATES = 1000
_STEPS_AN_ACTION = 3
_FEW_ACTIONS = 4
# The walk ends once states have listed so many actions, not counting lists that several states share.
_MOST_LISTED = 1_000_000


class Conformance(ABC):
    """A run of the suite: the states met, their transitions, and the rules broken so far.

    This class has the rules for every problem; each kind of problem has a subclass (see `check.py`).
    """

    goal_test: ClassVar[str]
    """The author's method that decides whether the game is won, or over."""

    def __init__(
        self, problem: AnyProblem[Any, Any], max_states: int, given_starts: Sequence[Any] | None = None
    ) -> None:
        self.problem = problem
        self.max_states = max_states
        self._given_starts = given_starts
        self.broken: dict[str, Violation] = {}
        self.transitions: dict[Any, dict[Any, tuple[Any, ...]]] = {}
        self.complete = False
        self.partly: dict[str, str] = {}
        self.advice: list[str] = []
        self.percepts: dict[str, Any] = {}  # the percept of each text
        self.goal_sets: dict[Any, tuple[bool, ...]] = {}  # by state: for each goal set, whether it contains the state
        self._hooks: set[str] = set()  # the rules about hooks that apply
        self._written: dict[str, Any] = {}  # the action of each text
        self._in_files: dict[str, Any] = {}  # the state of each text in files
        self._read: set[Any] = set()  # the actions in `_written`
        self._last: object = None  # the last list of actions; many authors return the same one for every state
        self._listed = 0  # the number of actions in all lists that differ from the one before
        self._precedes: dict[tuple[Any, Any], Any] = {}  # pairs of actions, with a state that lists them so

    def run(self, budget: Budget) -> Report:
        """Check all rules, as far as the limits allow."""
        stopped = None
        try:
            call_within(budget, self._look_at_all)
        except STOPS as stop:
            stopped = budget.why(stop)
        cls = type(self.problem)
        advice = (*self.advice, *misspelt_methods(cls), *fields_without_option(cls).values())
        states, broken = len(self.transitions), tuple(self.broken.values())
        return Report(broken, self._applied(), states, self.complete, self.partly, advice, stopped)

    def _look_at_all(self) -> None:
        problem, cls = self.problem, type(self.problem)
        lint = forgotten_decorator(cls) or percepts_without_odds(cls) or undeclared_hook(cls)
        self.guard("start", "", broken_if, lint)
        self.guard("start", "finding the start", self._explore)
        self.guard("identity", "asking for states again", self._check_identity)
        for state in self.transitions:
            here = (state,)
            self.guard("goals", f"{self.goal_test}({state!r})", self._check_goal, state, about=here)
            self.look_at_state(state)
            self.guard("text", f"the text of state {state!r}", self._check_state_text, state, about=here)
            if problem.overrides("canonical"):
                self.guard("symmetry", f"looking at state {state!r}", self._check_symmetry, state, about=here)
        if "goals" not in self.broken:
            self.guard("start", "asking whether the game is over at the start", self._start_advice)
        self.look_further()
        if are_given(problem) and self.transitions:
            self.guard("drawings", "drawing", check_drawing, problem, self.transitions)
        for rule in hook_rules() if self.transitions else ():
            if not isinstance(problem, rule.hooks):
                continue
            self._hooks.add(rule.name)
            if rule.if_sound and self.broken:
                self.partly[rule.name] = "not looked at while another rule is broken"
                continue
            hooks = " and ".join(hook.__name__ for hook in rule.hooks)
            try:
                self.guard(rule.name, f"trying {hooks}", rule.check, problem, self.transitions)
            except NotHere:
                self._hooks.remove(rule.name)

    def _applied(self) -> frozenset[str]:
        general = FOR_ALL.keys() - {"identity"}  # reported only if broken
        if not self.problem.overrides("canonical"):
            general -= {"symmetry"}
        if not are_given(self.problem):
            general -= {"drawings"}
        return frozenset({*general, *self.applied(), *self._hooks})

    @abstractmethod
    def starts(self) -> Iterable[Any]:
        """The initial states."""

    @abstractmethod
    def actions(self, state: Any) -> Iterable[Any]:
        """The applicable actions of a state."""

    @abstractmethod
    def results(self, state: Any, action: Any) -> tuple[Any, ...]:
        """The results of an action, checked."""

    @abstractmethod
    def is_over(self, starts: Sequence[Any]) -> bool:
        """Whether the game is over before the first action if the true start is one of these."""

    @abstractmethod
    def look_further(self) -> None:
        """Check the rules for problems of this kind, once all states are met."""

    @abstractmethod
    def applied(self) -> Iterable[str]:
        """The rules for problems of this kind that apply to this one."""

    @abstractmethod
    def check_equivalent(self, state: Any, chosen: Any) -> None:
        """Check that a state is equivalent to `chosen`, its canonical one."""

    @abstractmethod
    def look_at_state(self, state: Any) -> None:
        """Check the rules for problems of this kind that are about one state."""

    def guard(
        self, rule: str, doing: str, step: Callable[..., object], *arguments: Any, about: tuple[Any, ...] = ()
    ) -> None:
        """Run a step of a rule; `Broken`, or an exception of the author's code, is a violation.

        `about` is the state, or the state and the action, that is being looked at, unless `Broken` has its own.
        """
        try:
            step(*arguments)
        except Broken as broken:
            self.violate(rule, str(broken), *(broken.about or about))
        except Partly as part:
            self.partly[rule] = str(part)
        except BeliefSearchError as error:
            self.violate(rule, str(error), *about)
        except (MemoryError, NotHere):
            raise  # no mistake of the author
        except Exception as error:
            calls = own_calls(error, type(self.problem)) if rule in self._hooks else ()
            where = f"{calls[0].tb_frame.f_code.co_name}() raised " if calls else ""
            self.violate(rule, f"{doing}: {where}{type(error).__name__}: {error}", *about)

    def violate(self, rule: str, complaint: str, *about: Any) -> None:
        """Record a violation, with the state, or the state and the action; only the first one of each rule is kept."""
        self.broken.setdefault(rule, Violation(rule, complaint, about))

    def _explore(self) -> None:
        """Explore the states breadth-first, with their actions and results."""
        starts, again = self._first_starts(), self._first_starts()
        frontier = list(dict.fromkeys(starts))
        met = set(frontier)

        def take(state: Any, action: Any) -> None:
            results = self.transitions[state][action] = self.results(state, action)
            for result in results:
                if result not in met and len(frontier) <= self.max_states:
                    met.add(result)
                    frontier.append(result)
            if sorted(map(hash, results)) != sorted(map(hash, self.results(state, action))):
                raise Broken(f"action {action!r} in state {state!r} gives other results at the second call")

        in_part = 0
        left = _STEPS_A_STATE * max(self.max_states, _FEWEST_STATES)
        for number, state in enumerate(frontier):  # grows while it is walked
            if number == self.max_states or self._listed > _MOST_LISTED:
                break
            by_action = self.transitions[state] = {}
            actions: list[Any] = []
            self.guard("actions", f"actions({state!r})", self._list_actions, state, actions, about=(state,))
            taken = evenly(actions, max(_FEW_ACTIONS, left // (_STEPS_AN_ACTION + 1)), number)
            doing = f"the texts of the actions of {state!r}"
            self.guard("text", doing, self._check_action_texts, taken, about=(state,))
            for action in taken:
                step = (state, action)
                self.guard("results", f"results of action {action!r} in state {state!r}", take, *step, about=step)
                left -= _STEPS_AN_ACTION + len(by_action.get(action, ()))
            in_part += len(taken) < len(actions)
        else:
            self.complete = not in_part
        if in_part:
            self.partly["results"] = f"of {in_part:,} states not for all actions"
        if self._listed > _MOST_LISTED:
            self.partly["actions"] = f"for {len(self.transitions):,} states, which list {self._listed:,} actions"
        if starts != again:
            raise Broken(f"the start is another at the second call; the first time it was {starts[0]!r}")

    def _first_starts(self) -> list[Any]:
        """Return the starts, at most one more than the number of states to be looked at."""
        return list(islice(self.starts() if self._given_starts is None else self._given_starts, self.max_states + 1))

    def _start_advice(self) -> None:
        """Advise the author if the game is over at the start: often the goal test holds everywhere."""
        if 0 < len(starts := self._first_starts()) <= self.max_states and self.is_over(starts):
            self.advice.append(f"the game is over at the start, before the first action: see {self.goal_test}()")

    def _list_actions(self, state: Any, actions: list[Any]) -> None:
        """Check the actions of a state, and add them to a list if they are hashable."""
        answer = self.actions(state)
        if isinstance(answer, tuple) and answer is self._last:
            actions += answer
            return
        self._last = answer
        these = listed(answer)
        for action in these:
            if not is_hashable(action):
                raise Broken(f"actions({state!r}) lists {action!r}, which is not hashable")
        actions += these
        self._listed += len(actions)
        for first, second in combinations(actions, 2) if len(actions) <= _SHORT_LIST else pairwise(actions):
            if (second, first) in self._precedes:
                other = self._precedes[second, first]
                complaint = f"{first!r} comes before {second!r} in state {state!r}, but after it in state {other!r}"
                self.violate("order", complaint, state)
            self._precedes.setdefault((first, second), state)
        if isinstance(answer, (set, frozenset)):
            raise Broken(f"actions({state!r}) gives a set, whose order differs from run to run; sort it")
        if isinstance(answer, str):
            raise Broken(f"actions({state!r}) gives {answer!r}, whose letters are taken for actions")
        if len(set(actions)) < len(actions):
            twice = next(action for action, count in Counter(actions).items() if count > 1)
            raise Broken(f"actions({state!r}) lists {twice!r} more than once")
        if actions != list(listed(self.actions(state))):
            raise Broken(f"actions({state!r}) gives another list at the second call")

    def _check_action_texts(self, actions: Iterable[Any]) -> None:
        problem = self.problem
        for action in actions:
            if action in self._read:
                continue
            self._read.add(action)
            text = problem.format_action(action)
            if not isinstance(text, str):
                raise Broken(f"format_action({action!r}) gave {text!r}, which is not text")
            for key in (text, repr(encode_action(problem, action))):
                other = self._written.setdefault(key, action)
                if other != action:
                    raise Broken(f"actions {other!r} and {action!r} both read {key!r}")
            if problem.overrides("parse_action") and problem.parse_action(text) != action:
                raise Broken(f"parse_action({text!r}) is not {action!r}, which reads so")

    def _check_goal(self, state: Any) -> None:
        test = getattr(self.problem, self.goal_test)
        answer = test(state)
        if not (isinstance(answer, bool) and answer == test(state)):
            raise Broken(f"{self.goal_test}({state!r}) gave {answer!r}; it must give True or False, always the same")

    def _check_identity(self) -> None:
        broken_if(identity_complaint(self.problem, self.max_states) or compared_by_identity(self.transitions))

    def _check_state_text(self, state: Any) -> None:
        problem = self.problem
        text = problem.format_state(state)
        if not isinstance(text, str):
            raise Broken(f"format_state({state!r}) gave {text!r}, which is not text")
        if problem.overrides("parse_state") and problem.parse_state(text) != state:
            raise Broken(f"parse_state({text!r}) is not {state!r}, which reads so")
        other = self._in_files.setdefault(json.dumps(encode_state(problem, state)), state)
        if other != state:
            raise Broken(
                f"files would have the same for the states {other!r} and {state!r}, so none of them proves anything"
            )

    def _check_symmetry(self, state: Any) -> None:
        canonical = self.problem.canonical
        chosen = canonical(state)
        if not is_hashable(chosen):
            raise Broken(f"canonical({state!r}) gave {chosen!r}, which is not hashable")
        again = canonical(chosen)
        if again != chosen:
            raise Broken(f"canonical({state!r}) is {chosen!r}, whose own canonical is {again!r}")
        if chosen != state:
            self.check_equivalent(state, chosen)
