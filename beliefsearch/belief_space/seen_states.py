"""AND-OR problem of a player who sees the state (FOND): nodes are states, their parts variables of `StateRules`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Generic

from ..model.base import Action, Cost, State
from ..model.belief import initial_states, perceived, successors
from ..model.checked import checked_cost
from ..model.partial_states import PartialStates, StateRules
from ..model.problem import BeliefProblem
from .and_or import AndOrProblem, Outcomes
from .dead_ends import DeadEnds

# Elementary steps of an outcome that is asked for.
_OUTCOME = 50
# So many pairs of a state and an action are asked why the one gets stuck.
_MOST_REASONS = 100_000


class SeenStates(AndOrProblem[State, Action], Generic[State, Action]):
    """Belief problem whose player sees the state, as an AND-OR problem.

    Before each piece of work `spend` is called, with its elementary steps; it raises to stop.
    """

    def __init__(
        self, problem: BeliefProblem[State, Action, object], rules: StateRules[Action], spend: Callable[[int], None]
    ) -> None:
        self.problem, self.rules = problem, rules
        self._spend = spend
        self.partial = PartialStates(rules)
        self._dead_ends = DeadEnds(self.partial)
        self.forbidden = self._dead_ends.forbidden
        self._outcomes: dict[tuple[State, Action], Outcomes[State]] = {}
        self._actions: dict[State, Iterable[Action]] = {}
        self._is_monotone = not any(condition for _, condition, _ in self.partial.effects)

    def initial_node(self) -> State:
        return next(initial_states(self.problem))

    def is_goal(self, state: State) -> bool:
        return self.problem.is_goal(state)

    def actions(self, state: State) -> Iterable[Action]:
        if state not in self._actions:
            forbidden = self.forbidden
            self._actions[state] = tuple(one for one in self.problem.actions(state) if one not in forbidden)
        return self._actions[state]

    def outcomes(self, state: State, action: Action) -> Outcomes[State]:
        found = self._outcomes.get((state, action))
        if found is None:
            results = [*successors(self.problem, state, action)]
            self._spend(_OUTCOME * len(results))
            told = [(percept, result) for result in results for percept in perceived(self.problem, result, action)]
            told.sort(key=lambda outcome: self.problem.format_percept(outcome[0]))
            found = self._outcomes[state, action] = tuple(told)
        return found

    def action_cost(self, state: State, action: Action) -> Cost:
        return checked_cost(self.problem, state, action)

    def has_unit_costs(self) -> bool:
        return self.problem.has_unit_costs()

    def may_keep_trying(self) -> bool:
        return not self.problem.has_adversary() and any(len(found) > 1 for found in self.rules.outcomes.values())

    def includes(self, large: State, small: State) -> bool:
        """Whether all that any action or the goal needs, and that holds in `large`, holds in `small` as well."""
        if not self._is_monotone:
            return large == small
        before, after = self.rules.bits(large), self.rules.bits(small)
        to_be_true, to_be_false = self.partial.needed
        return not (before & ~after & to_be_true or after & ~before & to_be_false)

    def restricted(self, state: State, parts: int) -> int:
        return self.rules.bits(state) & parts

    def parts_at_end(self, state: State) -> int:
        return self.partial.in_goal(self.rules.bits(state))

    def parts_before(self, state: State, action: Action, after: Mapping[State, int]) -> int:
        bits = self.rules.bits
        return self.partial.before(bits(state), action, {bits(result): parts for result, parts in after.items()})

    def forbids(self, action: Action) -> bool:
        self._spend(2 * _OUTCOME * len(self.rules.names))
        return self._dead_ends.forbids(action)

    def parts_unreachable(self, state: State) -> int | None:
        self._spend(2 * _OUTCOME * len(self.rules.names))
        return self._dead_ends.parts_lost(self.rules.bits(state))

    def parts_stuck(self, states: Collection[State], lost: Callable[[State], int | None]) -> Mapping[State, int]:
        if len(states) * len(self.rules.needs) > _MOST_REASONS:
            return {}
        bits = self.rules.bits
        found = {state: self.partial.not_won(bits(state)) for state in states}
        changed = True
        while changed:
            self._spend(_OUTCOME * len(states) * len(self.rules.needs))
            before = dict(found)
            for state in states:
                for action in self.actions(state):
                    children = [child for _, child in self.outcomes(state, action)]
                    known = {bits(child): parts for child in children if (parts := lost(child)) is not None}
                    after = known or {bits(child): found[child] for child in children if child in found}
                    found[state] |= self.partial.leading_to(bits(state), action, after, all_of_them=not known)
                found[state] |= self.partial.not_applicable(bits(state), found[state])
            changed = found != before
        return found
