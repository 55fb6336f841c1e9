"""A replay of actions factor by factor, where the starts are too many to be listed.

By the contract of `FactoredHook` an action applies in a belief if and only if it applies, in each factor that has to do
with it, in all states that are possible there; these evolve by themselves; and the belief is won if and only if it is
in each factor. So each factor is followed by the definition, with frozensets of its states. That the factors say the
same as the problem is the author's claim, which `check` tests; here one course of the whole game is followed besides,
and its states must be among those of the factors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic

from ..errors import ProblemError
from ..model.base import Action, Cost, State
from ..model.belief import Belief, initial_belief, initial_states, predict, successors
from ..model.checked import checked_cost
from ..model.hooks import Factor, factors_of
from ..model.problem import BeliefProblem
from ..plans.steps import require_applicable

# Up to so many starts are listed, and the whole belief is followed.
_FEW_STARTS = 50_000


class FactoredBelief(Generic[State, Action]):
    """The beliefs of all factors while a plan is replayed, and one state that may be the true one."""

    def __init__(self, problem: BeliefProblem[State, Action, Any], factors: Sequence[Factor[Action]]) -> None:
        self._problem, self._factors = problem, factors
        self._own = [frozenset(factor.actions) for factor in factors]
        self.beliefs: list[Belief[Any]] = [initial_belief(factor.problem) for factor in factors]
        self.state = next(initial_states(problem))
        self._compare()

    @property
    def largest(self) -> int:
        """The members of the largest belief of a factor."""
        return max(map(len, self.beliefs))

    def advance(self, step: int, action: Action) -> Cost:
        """Do `action`, and return its cost; raises `InvalidPlanError` if it does not apply everywhere."""
        where = f"step {step}"
        require_applicable(self._problem, where, action, [self.state])
        cost: Cost = checked_cost(self._problem, self.state, action)
        for place, factor in enumerate(self._factors):
            if action in self._own[place]:
                belief = self.beliefs[place]
                require_applicable(factor.problem, where, action, belief)
                cost = max(cost, *(checked_cost(factor.problem, state, action) for state in belief))
                self.beliefs[place] = predict(factor.problem, belief, action)
        self.state = next(successors(self._problem, self.state, action))
        self._compare()
        return cost

    def lost(self) -> tuple[BeliefProblem[Any, Action, Any], list[Any]] | None:
        """Return a factor that is not won, with its states outside of a goal; None if all are won."""
        for factor, belief in zip(self._factors, self.beliefs, strict=True):
            left_out = [[state for state in belief if state not in goals] for goals in factor.problem.goal_sets()]
            outside = min(left_out, key=len, default=list(belief))
            if outside:
                return factor.problem, outside
        return None

    def _compare(self) -> None:
        for place, (factor, belief) in enumerate(zip(self._factors, self.beliefs, strict=True)):
            if factor.of(self.state) not in belief:
                raise ProblemError(
                    f"{type(self._problem).__name__}: factor {place} is not what it should be: it leaves out "
                    f"{self._problem.format_state(self.state)}, which is possible; `beliefsearch check` may say why"
                )


def factored_belief(problem: BeliefProblem[State, Action, Any]) -> FactoredBelief[State, Action] | None:
    """Return the belief to be followed factor by factor; None if the starts are few, or there are no factors."""
    factors = factors_of(problem) if has_many_starts(problem) else None
    return None if factors is None else FactoredBelief(problem, factors)


def has_many_starts(problem: BeliefProblem[Any, Any, Any]) -> bool:
    """Whether the problem has factors, and more starts than are listed."""
    return factors_of(problem) is not None and _count(problem) > _FEW_STARTS


def _count(problem: Any) -> int:
    count: Callable[[], int] = problem.count_starts
    return count()
