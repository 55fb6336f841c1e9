"""A contingent problem as an AND-OR problem whose nodes are beliefs and whose outcomes are percepts.

- `ContingentView`: the base of every such view.
- `FrozensetContingentView`: `model/belief.py` and nothing else; the oracle for `engine/bits/contingent.py`.
- `WeightedView`: beliefs in which every state has a weight, for expected costs.

Percepts are those of the states themselves; afterwards equivalent states are replaced by their `canonical` one.
Outcomes come in the order of the texts of their percepts.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator
from fractions import Fraction
from math import gcd
from typing import Any, Generic, TypeAlias, TypeVar

from ..errors import ProblemError
from ..model.base import Action, Cost, State
from ..model.belief import (
    Belief,
    applicable_actions,
    initial_belief,
    initial_states,
    is_goal_belief,
    no_tick,
    outcomes,
    perceived,
    successors,
)
from ..model.checked import checked_cost
from ..model.hooks import BeliefClassHook, DistinctActionsHook
from ..model.problem import BeliefProblem
from ..model.reachability import is_certain
from .and_or import AndOrProblem, Outcomes
from .sensorless import FrozensetBeliefs

Node = TypeVar("Node", bound=Hashable)
_Value = TypeVar("_Value")


class ContingentView(AndOrProblem[Node, Action], Generic[Node, State, Action]):
    """A belief problem as an AND-OR problem; subclasses choose how to represent beliefs.

    `tick` is called before each piece of work that may take long, and raises to stop it (see `Budget.tick`).
    `max_belief_size` is the size of the largest belief so far.
    """

    def __init__(self, problem: BeliefProblem[State, Action, Any], tick: Callable[[], None] = no_tick) -> None:
        self.problem = problem
        self.max_belief_size = 1
        self._tick = tick
        self._texts: dict[Any, str] = {}
        self._certain: bool | None = None

    def actions(self, belief: Node) -> Iterable[Action]:
        distinct = self._distinct_actions(belief)
        return applicable_actions(self.problem, self.members(belief), self._tick) if distinct is None else distinct

    def tick(self) -> None:
        """Raise `LimitReached` if a limit is reached (see `Budget.tick`)."""
        self._tick()

    def promising(self, belief: Node) -> Iterator[Action]:
        hook: Any = self.problem
        if isinstance(hook, DistinctActionsHook):
            given = hook.distinct_actions(frozenset(self.members(belief)))
            if isinstance(given, Iterator):  # only a generator orders them by promise, see the hook
                yield from given

    @abstractmethod
    def members(self, belief: Node) -> list[State]:
        """The states of `belief`, in an order that is the same in every run."""

    def has_unit_costs(self) -> bool:
        return self.problem.has_unit_costs()

    def may_keep_trying(self) -> bool:
        # Without percepts the player does not know when to stop trying. If only the start is uncertain, trying again
        # gives the same outcome again (docs/engine.md).
        return not self.problem.has_adversary() and not self.problem.is_sensorless() and not self._is_certain()

    def _is_certain(self) -> bool:
        """Whether every action has one result and one percept in every reachable state."""
        if self._certain is None:
            self._certain = is_certain(self.problem, self._tick, canonical=self.problem.canonical)
        return self._certain

    def class_of(self, belief: Node) -> Hashable:
        if not isinstance(self.problem, BeliefClassHook):
            return belief
        return self.problem.belief_class(frozenset(self.members(belief)))

    def _distinct_actions(self, belief: Node) -> Iterable[Action] | None:
        """Return the answer of the author's `distinct_actions` for a belief, if there is such a hook."""
        hook: Any = self.problem
        if not isinstance(hook, DistinctActionsHook):
            return None
        members = frozenset(self.members(belief))
        given = hook.distinct_actions(members)
        if given is None:
            return None
        actions = tuple(given)
        applicable: Iterable[Action] = () if actions else applicable_actions(self.problem, members, self._tick)
        if any(True for _ in applicable):
            name = type(self.problem).__name__
            raise ProblemError(f"{name}.distinct_actions() gave none where actions apply; for all of them give None")
        return actions

    def _in_order(self, branches: dict[Any, Node]) -> Outcomes[Node]:
        """The outcomes by percept, sorted by the percepts' texts."""
        if len(branches) == 1:
            return tuple(branches.items())
        return tuple(sorted(branches.items(), key=lambda branch: self._text(branch[0])))

    def _text(self, percept: Any) -> str:
        text = self._texts.get(percept)
        if text is None:
            text = self._texts[percept] = self.problem.format_percept(percept)
        return text


class FrozensetContingentView(FrozensetBeliefs[State, Action], ContingentView[Belief[State], State, Action]):
    """The view on frozensets of canonical states: the definition itself."""

    def initial_node(self) -> Belief[State]:
        return self._representatives(initial_belief(self.problem, self._tick))

    def outcomes(self, belief: Belief[State], action: Action) -> Outcomes[Belief[State]]:
        branches = outcomes(self.problem, belief, action, self._tick)
        return self._in_order({percept: self._representatives(states) for percept, states in branches.items()})


Weighted: TypeAlias = frozenset[tuple[State, int]]
"""States with their weights, whole numbers without a common divisor."""


class WeightedView(ContingentView[Weighted[State], State, Action]):
    """Beliefs whose states are weighted by the number of equally likely starts that have led to them.

    Raises `ProblemError` if an action has several results or a state several percepts: only the start may be uncertain.
    """

    def initial_node(self) -> Weighted[State]:
        weights: dict[State, int] = {}
        for state in dict.fromkeys(initial_states(self.problem, self._tick)):
            representative = self.problem.canonical(state)
            weights[representative] = weights.get(representative, 0) + 1
        return self._normalised(weights)

    def is_goal(self, belief: Weighted[State]) -> bool:
        return is_goal_belief(self.problem, frozenset(state for state, _ in belief))

    def outcomes(self, belief: Weighted[State], action: Action) -> Outcomes[Weighted[State]]:
        branches = self._branches(belief, action)
        return self._in_order({percept: self._normalised(weights) for percept, weights in branches.items()})

    def shares(
        self, belief: Weighted[State], action: Action, outcomes: Outcomes[Weighted[State]]
    ) -> tuple[Fraction, ...]:
        branches = self._branches(belief, action)
        total = sum(weight for _, weight in belief)
        return tuple(Fraction(sum(branches[percept].values()), total) for percept, _ in outcomes)

    def _branches(self, belief: Weighted[State], action: Action) -> dict[Any, dict[State, int]]:
        branches: dict[Any, dict[State, int]] = {}
        for state, weight in belief:
            result = only_result(self.problem, state, action, self._tick)
            weights = branches.setdefault(only_percept(self.problem, action, result), {})
            representative = self.problem.canonical(result)
            weights[representative] = weights.get(representative, 0) + weight
        return branches

    def action_cost(self, belief: Weighted[State], action: Action) -> Cost:
        """The mean cost of the action over the belief."""
        if self.problem.has_unit_costs():
            return 1
        total = sum(weight for _, weight in belief)
        costs = ((weight, checked_cost(self.problem, state, action)) for state, weight in belief)
        return sum((Fraction(weight, total) * Fraction(cost) for weight, cost in costs), Fraction(0))

    def size(self, belief: Weighted[State]) -> int:
        return len(belief)

    def members(self, belief: Weighted[State]) -> list[State]:
        return sorted((state for state, _ in belief), key=repr)

    def class_of(self, belief: Weighted[State]) -> Hashable:
        # The hook's symmetries map sets of states; they need not preserve different weights.
        if len({weight for _, weight in belief}) > 1:
            return belief
        return super().class_of(belief)

    def _distinct_actions(self, belief: Weighted[State]) -> Iterable[Action] | None:
        return None if len({weight for _, weight in belief}) > 1 else super()._distinct_actions(belief)

    def _normalised(self, weights: dict[State, int]) -> Weighted[State]:
        divisor = gcd(*weights.values())
        self.max_belief_size = max(self.max_belief_size, len(weights))
        return frozenset((state, weight // divisor) for state, weight in weights.items())


def only_result(
    problem: BeliefProblem[State, Action, Any], state: State, action: Action, tick: Callable[[], None] = no_tick
) -> State:
    """The one result of `action` in `state`; a `ProblemError` if there are several."""
    results = set(successors(problem, state, action, tick))
    return _only(results, "results", problem, state, action)


def only_percept(problem: BeliefProblem[State, Action, Any], action: Action, state: State) -> Any:
    """The one percept of `state` after `action`; a `ProblemError` if there are several."""
    return _only(set(perceived(problem, state, action)), "percepts", problem, state, action)


def _only(
    found: set[_Value], what: str, problem: BeliefProblem[State, Action, Any], state: State, action: Action
) -> _Value:
    """The one value that was found, or an error that says how many results or percepts there are."""
    if len(found) > 1:
        raise ProblemError(
            f"action {problem.format_action(action)} has {len(found)} {what} in {problem.format_state(state)}; "
            "the expected cost is for problems in which only the start is uncertain: use the worst case, or if all is "
            "equally likely solve Uniform(problem) from Python"
        )
    return found.pop()
