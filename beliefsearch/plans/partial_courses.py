"""Plans followed by partial states, where the player sees the state.

A node of the plan is followed from one state; what matters there is found by regression (`model/partial_states.py`).
From the other states that agree in that the plan does the same, so they are not followed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from attrs import define, field

from ..errors import DoesNotHoldError
from ..model.belief import initial_states, perceived, successors
from ..model.hooks import FactoredHook
from ..model.partial_states import Agreement, PartialStates, StateRules, regress
from ..model.values import is_among
from .node_plans import NodePlan, no_branch, require_applicable


def rules_of(problem: Any) -> StateRules[Any] | None:
    """Return the rules of a problem whose player sees the state from the single start on; None if there are none."""
    facts = problem.facts() if isinstance(problem, FactoredHook) else None
    if facts is None or facts.rules is None:
        return None
    starts = initial_states(problem)
    first = next(starts)
    return facts.rules if all(start == first for start in starts) else None


@define(eq=False)
class Place:
    """Node of a plan in a partial state, which is these parts of a state; `then` has the next by percept and result."""

    node: int
    state: Any
    action: Any = None
    parts: int = 0
    then: dict[tuple[Any, Any], Place] = field(factory=dict)


class _Course(ABC):
    """Places to which a plan leads, the first of them at the start."""

    def __init__(self, problem: Any, rules: StateRules[Any]) -> None:
        self.partial = PartialStates(rules)
        self.places: list[Place] = []
        self._problem, self._rules = problem, rules
        self._place_of: dict[tuple[int, Any], Place] = {}
        self._like: dict[int, Agreement[Any]] = {}  # by node: states
        start = next(initial_states(problem))
        self._place(self._first_node(start), start)
        done = 0
        while done < len(self.places):
            self._follow(self.places[done])
            done += 1
            if done == len(self.places):
                self._regress()
                self._follow_what_differs()

    @property
    def steps(self) -> dict[int, tuple[Any, dict[Any, int]]]:
        """Return, by node with an action, this and by percept the next node."""
        found: dict[int, tuple[Any, dict[Any, int]]] = {}
        for place in self.places:
            if place.then:
                branches = found.setdefault(place.node, (place.action, {}))[1]
                branches |= {percept: then.node for (percept, _), then in place.then.items()}
        return found

    def agrees(self, state: Any, place: Place) -> bool:
        """Whether the plan does in a state what it does in a place."""
        return not (self._rules.bits(state) ^ self._rules.bits(place.state)) & place.parts

    def parts_before(self, place: Place) -> int:
        """Return the parts that matter in a place, by those that matter in what follows."""
        bits = self._rules.bits
        if place.then:
            after: dict[int, int] = {}
            for (_, result), then in place.then.items():  # a result may have several percepts
                after[bits(result)] = after.get(bits(result), 0) | then.parts
            return self.partial.before(bits(place.state), place.action, after)
        return self.partial.in_goal(bits(place.state)) if self._problem.is_goal(place.state) else 0

    def _place(self, node: int, state: Any) -> Place:
        """Return the place of a node whose partial state this state entails; a new one if there is none."""
        known = self._like.setdefault(node, Agreement(lambda state, parts: self._rules.bits(state) & parts))
        found = self._place_of.get((node, state))
        if found is None:
            found = next((self._place_of[node, other] for other in known.like(state)), None)
        if found is None:
            found = self._place_of[node, state] = Place(node, state, parts=self._parts_of_choice(node, state))
            known.add(state, found.parts)
            self.places.append(found)
        return found

    @abstractmethod
    def _first_node(self, state: Any) -> int:
        """Return the node at which the plan begins."""

    @abstractmethod
    def _next_node(self, node: int, percept: Any, result: Any) -> int | None:
        """Return the node after an outcome; None without a branch."""

    @abstractmethod
    def _follow(self, place: Place) -> None:
        """Enter the action of a place, and its outcomes."""

    def _parts_of_choice(self, node: int, state: Any) -> int:
        """Return the parts of a state that decide that the plan is at this node (default: none, the percepts do)."""
        return 0

    def _outcomes(self, place: Place) -> Iterator[tuple[tuple[Any, Any], int]]:
        """Yield percepts and results, each with the node that follows."""
        problem = self._problem
        for result in dict.fromkeys(successors(problem, place.state, place.action)):
            for percept in perceived(problem, result, place.action):
                target = self._next_node(place.node, percept, result)
                if target is None:
                    action, told = problem.format_action(place.action), problem.format_percept(percept)
                    raise no_branch(place.node, action, told)
                yield (percept, result), target

    def _regress(self) -> None:
        """Let the parts of each place have all that matters after it."""

        def grow(place: Place) -> bool:
            before = place.parts
            place.parts = self._like[place.node].grow(place.state, before, self.parts_before(place))
            return place.parts != before

        regress(((place, place.then.values()) for place in self.places), grow)

    def _follow_what_differs(self) -> None:
        for place in [*self.places]:
            for told, then in place.then.items():
                if not self.agrees(told[1], then):
                    place.then[told] = self._place(then.node, told[1])


class PartialCourse(_Course):
    """Course of a plan; raises `DoesNotHoldError` where it goes wrong. `complaint` says what is not won."""

    def __init__(self, problem: Any, rules: StateRules[Any], plan: NodePlan) -> None:
        self.complaint = ""
        self._plan = plan
        super().__init__(problem, rules)

    def _first_node(self, state: Any) -> int:
        return 0

    def _next_node(self, node: int, percept: Any, result: Any) -> int | None:
        return self._plan.follow(node, percept)

    def _follow(self, place: Place) -> None:
        problem, plan, node = self._problem, self._plan, place.node
        if not plan.is_end(node):
            place.action = plan.action(node, (place.state,))
            require_applicable(problem, f"node {node}", place.action, [place.state], DoesNotHoldError)
            place.then = {told: self._place(target, told[1]) for told, target in self._outcomes(place)}
        elif not self.complaint and not problem.is_goal(place.state):
            state = problem.format_state(place.state)
            self.complaint = f"the plan ends in node {node}, where the state may be {state}, which is not won"


class PolicyCourse(_Course):
    """Course of a policy: its nodes are pairs of a partial state and an action, of which the first that fits counts.

    `rules_fit` has the parts of each partial state, and their values. The policy ends in the goal, or where none fits.
    An action that does not apply has no outcomes.
    """

    def __init__(
        self,
        problem: Any,
        rules: StateRules[Any],
        rules_fit: Sequence[tuple[int, int]],
        action: Callable[[int, Any], Any],
    ) -> None:
        self.end = len(rules_fit)
        self._rules_fit, self._action = rules_fit, action
        super().__init__(problem, rules)

    def _first_node(self, state: Any) -> int:
        if self._problem.is_goal(state):
            return self.end
        known = self._rules.bits(state)
        return next((n for n, (bits, value) in enumerate(self._rules_fit) if known & bits == value), self.end)

    def _next_node(self, node: int, percept: Any, result: Any) -> int:
        return self._first_node(result)

    def _parts_of_choice(self, node: int, state: Any) -> int:
        known = self._rules.bits(state)
        if self._problem.is_goal(state):
            return self.partial.in_goal(known)
        found = self.partial.not_won(known) | (self._rules_fit[node][0] if node < self.end else 0)
        wrong = [(known ^ value) & bits for bits, value in self._rules_fit[:node]]
        # A literal for which many rules do not fit, such as a place, should matter rather than one of each rule's own.
        counts = Counter(bit for bits in wrong for bit in _single(bits))
        for bits in wrong:
            if not bits & found:
                found |= max(_single(bits), key=counts.__getitem__)
        return found

    def _follow(self, place: Place) -> None:
        if place.node == self.end:
            return
        place.action = self._action(place.node, place.state)
        if is_among(place.action, self._problem.actions(place.state)):
            place.then = {told: self._place(target, told[1]) for told, target in self._outcomes(place)}


def _single(bits: int) -> Iterator[int]:
    while bits:
        yield bits & -bits
        bits &= bits - 1
