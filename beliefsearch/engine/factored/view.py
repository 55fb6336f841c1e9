"""A problem with factors as one whose states are tuples of numbers, the local belief of each factor.

Without percepts nothing else is ever asked of a belief than whether an action applies in all of its states, and whether
it is a goal. Both are so in the whole belief if and only if they are so in each factor (see `FactoredHook`), and what
a factor may be in after an action depends on what it may be in before. So the tuple stands for the whole belief,
however many states that has. Two beliefs with one tuple have the same plans.

With percepts the factors are *blocks*: what is possible in one of them says nothing of the others. Then a belief is the
product of its local beliefs, and so is what is left of it after a percept, which is a matter of one block alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, reduce
from operator import and_, or_
from typing import Any, Generic, TypeAlias

from ...belief_space.and_or import AndOrProblem, Outcomes
from ...errors import ProblemError
from ...model.base import Action, Cost
from ...model.belief import no_tick
from ...model.diagrams import Costs
from ...model.factor import Factor
from ...model.fixed_beliefs import FixedBeliefs
from ...model.problem import BeliefProblem, Problem
from ...model.reachability import are_certain
from ..bits.bitset import bit_numbers
from ..bits.sensorless import Allowance
from .local_beliefs import FixedLocalBeliefs, LocalBeliefs

Tuple: TypeAlias = "tuple[int, ...]"

# Elementary steps that a search takes for a belief that follows, all told, if its local beliefs are known.
_STEPS_OF_BELIEF = 50


class FactoredBeliefs(Generic[Action]):
    """The beliefs of a problem with these factors; `tick` is called before work that may take long, and may raise.

    Attributes
    ----------
    allowance
        The elementary steps that may be taken, for beliefs and for estimates of them.
    """

    def __init__(
        self,
        problem: BeliefProblem[Any, Action, Any],
        factors: Sequence[Factor[Action]],
        tick: Callable[[], None] = no_tick,
    ) -> None:
        self.problem, self.factors = problem, factors
        self.all_actions: tuple[Action, ...] = tuple(dict.fromkeys(a for factor in factors for a in factor.actions))
        self.number_of = {action: number for number, action in enumerate(self.all_actions)}
        self.allowance = Allowance(tick)
        self.locals = [
            (FixedLocalBeliefs if factor.fixed else LocalBeliefs)(factor, self.number_of, self.allowance)
            for factor in factors
        ]
        self.touched = [
            tuple(place for place, local in enumerate(self.locals) if number in local.actions)
            for number in range(len(self.all_actions))
        ]
        self._has_unit_costs = problem.has_unit_costs()
        self._prices: dict[int, Cost] = {}  # by action
        self._tick = tick

    def initial_state(self) -> Tuple:
        return tuple(local.start for local in self.locals)

    def applicable(self, belief: Tuple) -> int:
        """Return the actions that apply in all states of a belief, as bits."""
        return reduce(and_, (local.allowed[number] for local, number in zip(self.locals, belief, strict=True)))

    def actions(self, belief: Tuple) -> list[Action]:
        return [self.all_actions[number] for number in bit_numbers(self.applicable(belief))]

    def applies(self, belief: Tuple, action: Action) -> bool:
        """Whether an action applies in all states of a belief."""
        number = self.number_of[action]
        return all(self.locals[place].allowed[belief[place]] >> number & 1 for place in self.touched[number])

    def is_goal(self, belief: Tuple) -> bool:
        return all(local.won[number] for local, number in zip(self.locals, belief, strict=True))

    def action_cost(self, belief: Tuple, action: Action) -> Cost:
        if self._has_unit_costs:
            return 1
        number = self.number_of[action]
        place = self.touched[number][0]
        cost = self.locals[place].cost(belief[place], number)
        known = self._prices.setdefault(number, cost)
        if known != cost:  # lower bounds would be false
            raise ProblemError(
                f"{type(self.problem).__name__}: {self.format_action(action)} costs {known} in one state and {cost} in "
                "another, which is not for problems with factors; choose the engine bits or compiled"
            )
        return cost

    def has_unit_costs(self) -> bool:
        return self._has_unit_costs

    @property
    def max_belief_size(self) -> int:
        """The members of the largest local belief met."""
        return max(local.largest for local in self.locals)

    def size(self, belief: Tuple) -> int:
        """Count the states of the local beliefs."""
        return sum(local.masks[number].bit_count() for local, number in zip(self.locals, belief, strict=True))

    def includes(self, large: Tuple, small: Tuple) -> bool:
        """Whether every local belief of `small` is within that of `large`; then each plan for this wins from that."""
        return all(local.includes(outer, inner) for local, outer, inner in zip(self.locals, large, small, strict=True))

    def format_state(self, belief: Tuple) -> str:
        parts = []
        for local, number in zip(self.locals, belief, strict=True):
            states = map(local.model.states.__getitem__, bit_numbers(local.masks[number]))
            parts.append("{" + ", ".join(local.problem.format_state(state) for state in states) + "}")
        return " x ".join(parts)

    def format_action(self, action: Action) -> str:
        return self.problem.format_action(action)


class FactoredView(FactoredBeliefs[Action], Problem[Tuple, Action]):
    """A sensorless problem with factors as the plain problem that solvers of paths search."""

    def result(self, belief: Tuple, action: Action) -> Tuple:
        self.allowance.spend(_STEPS_OF_BELIEF)
        return self.after(belief, self.number_of[action])

    def allow(self, steps: float) -> float:
        """Allow so many more elementary steps, then `EffortExceeded` is raised; return how many were left."""
        left, self.allowance.left = self.allowance.left, steps
        return left

    def after(self, belief: Tuple, action: int) -> Tuple:
        """Return the belief that follows the action with this number."""
        new = list(belief)
        for place in self.touched[action]:
            new[place] = self.locals[place].after(new[place], action)
        return tuple(new)

    @cached_property
    def components(self) -> Sequence[FactoredView[Action]]:
        """The groups of factors that share no action, a view each: plans of all, one after the other, are a plan."""
        groups = independent(self.factors)
        if len(groups) == 1:
            return (self,)
        return [FactoredView(self.problem, factors, self._tick) for factors in groups]

    @property
    def max_belief_size(self) -> int:
        parts = [view.max_belief_size for view in self.components if view is not self]
        return max([super().max_belief_size, *parts])


def independent(factors: Sequence[Factor[Action]]) -> list[list[Factor[Action]]]:
    """Return the groups of factors of which no two share an action."""
    groups: list[tuple[set[Action], list[Factor[Action]]]] = []
    for factor in factors:
        tied = [group for group in groups if not group[0].isdisjoint(factor.actions)]
        actions = set(factor.actions).union(*(group[0] for group in tied))
        members = [member for group in tied for member in group[1]]
        groups = [group for group in groups if group[0].isdisjoint(factor.actions)]
        groups.append((actions, [*members, factor]))
    return [members for _, members in groups]


class BlocksView(FactoredBeliefs[Action], AndOrProblem[Tuple, Action]):
    """A problem with percepts whose factors are blocks, as the AND-OR problem that solvers search."""

    def initial_node(self) -> Tuple:
        return self.initial_state()

    def outcomes(self, belief: Tuple, action: Action) -> Outcomes[Tuple]:
        number = self.number_of[action]
        new = list(belief)
        told: tuple[tuple[Any, int], ...] = ()
        teller = -1
        for place in self.touched[number]:
            found = self.locals[place].outcomes(belief[place], number)
            new[place] = found[0][1]
            if len(found) == 1 and found[0][0] is None:
                continue
            if told:
                name, act = type(self.problem).__name__, self.format_action(action)
                raise ProblemError(f"{name}.factors(): two factors say what is perceived after {act}")
            told, teller = found, place
        if not told:
            return ((None, tuple(new)),)
        return tuple((percept, (*new[:teller], part, *new[teller + 1 :])) for percept, part in told)

    def parts_before(self, belief: Tuple, action: Action, after: Mapping[Tuple, int]) -> int:
        return reduce(or_, after.values(), self._bits_met[self.number_of[action]])

    def restricted(self, belief: Tuple, parts: int) -> Tuple | None:
        """Return the local beliefs of these blocks; None if another one is not won. Costs tell of what is fixed."""
        kept = []
        for place, (local, number) in enumerate(zip(self.locals, belief, strict=True)):
            if isinstance(local, FixedLocalBeliefs):
                continue
            if parts >> place & 1:
                kept.append(number)
            elif not local.won[number]:
                return None
        return tuple(kept)

    def costs_at_end(self) -> Costs:
        return self._fixed.costs_at_end

    def costs_before(self, belief: Tuple, action: Action, after: Mapping[Tuple, Costs]) -> Costs:
        following = [(percept, after[child]) for percept, child in self.outcomes(belief, action)]
        return self._fixed.costs_before(action, self.action_cost(belief, action), following)

    def most(self, belief: Tuple, costs: Costs) -> Cost:
        here = self._fixed.start
        for local, number in zip(self.locals, belief, strict=True):
            if isinstance(local, FixedLocalBeliefs):
                here = local.diagram(number)
        return self._fixed.most(here, costs)

    def may_keep_trying(self) -> bool:
        return not self.problem.has_adversary() and not self._is_certain

    @cached_property
    def _is_certain(self) -> bool:
        """Whether only the start is uncertain (see `ContingentView`)."""
        return are_certain(self.factors, self._tick)

    @cached_property
    def _fixed(self) -> FixedBeliefs[Action]:
        fixed = [local.sets for local in self.locals if isinstance(local, FixedLocalBeliefs)]
        if len(fixed) > 1:
            raise ProblemError(f"{type(self.problem).__name__}.factors(): more than one factor is fixed")
        return fixed[0] if fixed else FixedBeliefs(())

    @cached_property
    def _bits_met(self) -> list[int]:
        return [sum(1 << place for place in places) for places in self.touched]
