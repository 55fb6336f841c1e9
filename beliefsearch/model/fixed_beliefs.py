"""Beliefs about the factor that no action changes, as decision diagrams, and costs of plans by the state of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic

from ..errors import ProblemError
from .base import Action, Cost
from .belief import no_tick, perceived
from .diagrams import FALSE, TRUE, Costs, Diagram, Diagrams, Rule, holds, kept
from .factor import Factor

_NEVER: Costs = (0, FALSE)


class FixedBeliefs(Generic[Action]):
    """Sets of states of the one factor that has `fixed`; without such a factor there is one state.

    The cost of a plan is a function of the state of this factor, with the beliefs about the other factors given. The
    plan wins from every belief in whose states the cost is finite. So one plan is evaluated once for many beliefs.
    """

    def __init__(self, factors: Iterable[Factor[Action]], tick: Callable[[], None] = no_tick) -> None:
        self.diagrams = Diagrams(tick)
        self.start = self.goal = TRUE
        self.needs: dict[Action, Diagram] = {}
        """The states in which each action applies; actions that are left out apply in all."""
        self._told: dict[Action, list[tuple[Any, Diagram]]] = {}
        fixed = [(factor, factor.fixed) for factor in factors if factor.fixed is not None]
        if len(fixed) > 1:
            raise ProblemError("more than one factor is fixed")
        for self._factor, self._fixed in fixed:
            if others := {*self._fixed.needs, *self._fixed.tells} - {*self._factor.actions}:
                raise ProblemError(
                    f"a factor that is fixed has rules of {others.pop()!r:.40}, and not among its actions"
                )
            self.start = kept(self.diagrams, self._fixed.starts)
            self.goal = kept(self.diagrams, self._fixed.goal)
            self.needs = {action: kept(self.diagrams, rules) for action, rules in self._fixed.needs.items()}
            self._told = {action: self._percepts(action, rule) for action, rule in self._fixed.tells.items()}
        self.costs_at_end: Costs = (0, self.diagrams.both(self.start, self.goal))
        """Costs of the plan without actions: 0 in the states that may be true and are won, elsewhere infinite."""
        if self.start == FALSE:
            raise ProblemError("no state keeps the rules of the starts of a factor that is fixed")

    def is_within(self, belief: Diagram, states: Diagram) -> bool:
        """Whether all of a belief is in a set."""
        return self.diagrams.most(belief, (0, states)) == 0

    def is_won(self, belief: Diagram) -> bool:
        """Whether all states of a belief are won."""
        return self.is_within(belief, self.goal)

    def state_lost(self, belief: Diagram) -> Any:
        """Return a state of a belief that is not won; None if there is none."""
        return self.state_in(belief, self.diagrams.complement(self.goal))

    def state_without(self, belief: Diagram, action: Action) -> Any:
        """Return a state of a belief in which an action does not apply; None if there is none."""
        return self.state_in(belief, self.diagrams.complement(self.needs.get(action, TRUE)))

    def outcomes(self, belief: Diagram, action: Action) -> list[tuple[Any, Diagram]]:
        """Return the percepts that may come after an action, each with the belief then."""
        if action not in self._told:
            return [(None, belief)]
        parts = [(percept, self.diagrams.both(belief, states)) for percept, states in self._told[action]]
        return [part for part in parts if part[1] != FALSE]

    def state_in(self, belief: Diagram, states: Diagram = TRUE) -> Any:
        """Return a state of a belief that is in a set; None if there is none."""
        member = self.diagrams.common_member(belief, states)
        return None if member is None else self._fixed.state_of(member)

    def state_of(self, true: frozenset[int]) -> Any:
        """Return the state in which these variables are true."""
        return self._fixed.state_of(true)

    def includes(self, belief: Diagram, state: Any) -> bool:
        """Whether a state is in a belief."""
        return self.diagrams.includes(belief, self._fixed.true_in(state))

    def asked(self) -> list[Diagram]:
        """Return the sets that plans depend on: not won, an action does not apply, a percept comes."""
        found = [*map(self.diagrams.complement, [self.goal, *self.needs.values()])]
        return [*dict.fromkeys([*found, *(states for told in self._told.values() for _, states in told)])]

    def costs_before(self, action: Action, cost: Cost, after: Sequence[tuple[Any, Costs]]) -> Costs:
        """Return the costs of a plan that begins with an action, from the costs of its subplans by percept."""
        diagrams = self.diagrams
        if action in self._told:
            following, found = dict(after), _NEVER
            for percept, states in self._told[action]:
                found = diagrams.choose(states, following.get(percept, _NEVER), found)
        else:
            found = after[0][1]
            for _, other in after[1:]:
                found = diagrams.highest(found, other)
        least, more = diagrams.choose(self.needs.get(action, TRUE), found, _NEVER)
        return least + cost, more

    def most(self, belief: Diagram, costs: Costs) -> Cost:
        """Return the highest cost of a plan in a state of a belief, infinite if it does not win from there."""
        return self.diagrams.most(belief, costs)

    def _percepts(self, action: Action, rule: Rule) -> list[tuple[Any, Diagram]]:
        """Return the percepts of an action, in the order of their texts, and the states in which each comes."""
        where = holds(self.diagrams, rule)
        found = []
        for states in (where, self.diagrams.complement(where)):
            state = self.state_in(self.start, states)
            if state is not None:
                found.append((perceived(self._factor.problem, state, action)[0], states))
        return sorted(found, key=lambda one: self._factor.problem.format_percept(one[0]))
