"""The checker: replays a plan by the definition and trusts nothing that produced it.

It stands on `problem.py`, `belief.py` and `encoding.py` alone, and where a replay is long on
`verify_replay.py`, which does the same with arrays of numbers. It uses no solver, no engine, no view and no
symmetry (`canonical`): every possible start and every possible result is followed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, Any, Generic, overload

from attrs import frozen

from ..errors import InvalidPlanError
from ..model.belief import initial_belief
from ..model.checked import checked_cost
from ..model.problem import Action, BeliefProblem, Problem, State
from ..model.values import exactly
from ..plans.encoding import ActionReader, Json
from ..plans.plan import ConditionalPlan
from .steps import require_applicable, results_of

if TYPE_CHECKING:
    from ..model.problem import Cost
    from .conditional import ConditionalVerification

__all__ = ["Verification", "check_plan", "check_plan_file"]

# Arrays take over once so many members of beliefs have been followed with frozensets, all steps together, about
# as long as it takes to import NumPy. Beliefs with fewer members than the second number do not count.
_FOLLOWED_PLAINLY = 200_000
_SMALL = 500


@frozen
class Verification(Generic[State]):
    """What replaying a plan showed.

    Attributes
    ----------
    holds
        Whether the plan leads every possible start to a goal, at the cost it claims.
    complaint
        If not: at which step which state escapes, or what else is wrong.
    steps
        Actions replayed.
    starts
        Possible initial states.
    cost
        What the plan costs: at each step the most it costs in any state that is possible there.
    exact_cost
        The same without rounding, where some costs are floats, whose sum loses digits.
    largest
        Members of the largest belief on the way.
    """

    holds: bool
    complaint: str
    steps: int
    starts: int
    cost: Cost
    largest: int
    exact_cost: Cost


@overload
def check_plan(  # type: ignore[overload-overlap]  # what is found has all that a `Verification` has
    problem: BeliefProblem[State, Action, Any],
    plan: ConditionalPlan[Action, Any],
    *,
    claimed_cost: Cost | None = None,
) -> ConditionalVerification: ...
@overload
def check_plan(
    problem: BeliefProblem[State, Action, Any],
    plan: Iterable[Action],
    *,
    claimed_cost: Cost | None = None,
) -> Verification[State]: ...
def check_plan(
    problem: BeliefProblem[State, Action, Any],
    plan: Iterable[Action],
    *,
    claimed_cost: Cost | None = None,
) -> Verification[State] | ConditionalVerification:
    """Replay `plan` from every possible start through every possible result, and percept if it branches on these.

    Parameters
    ----------
    problem
        A plain problem, or a belief problem; its percepts are ignored if the plan is a sequence.
    plan
        The actions, or a conditional plan (see `check_conditional_plan`).
    claimed_cost
        What the plan is said to cost in the worst case; None if nothing is said.

    Returns
    -------
    Verification, ConditionalVerification
        Whether the plan wins, and if not, the state that escapes.

    Raises
    ------
    InvalidPlanError
        If an action does not apply to a state that is possible where it stands; names step and state.
    ProblemError
        If the problem breaks its contract.

    Notes
    -----
    Time is linear in the sum of the sizes of the beliefs on the way. The author's `results` are asked
    once for each action and state; again where what thousands of actions lead to would not fit into memory.
    """
    if not isinstance(plan, ConditionalPlan):
        return _Replay(problem).run(enumerate(plan, 1), claimed_cost)
    if isinstance(problem, Problem):
        raise InvalidPlanError(f"the plan is conditional, and in {type(problem).__name__} nothing is perceived")
    from .conditional import check_conditional_plan

    return check_conditional_plan(problem, plan, claimed_cost=claimed_cost)


def check_plan_file(
    problem: BeliefProblem[State, Action, Any],
    plan: Iterable[Json],
    claimed_cost: Cost | None,
) -> Verification[State]:
    """`check_plan` for a plan as it stands in a plan file.

    Raises
    ------
    InvalidPlanError
        If an entry is no action of the problem, or one that does not apply where it stands; says which
        step.
    """
    replay = _Replay(problem)
    reader = ActionReader(problem)

    def actions() -> Iterable[tuple[int, Action]]:
        for step, entry in enumerate(plan, 1):
            try:
                yield step, reader.read(entry, replay.belief)
            except InvalidPlanError as error:
                raise InvalidPlanError(f"step {step}: {error} that applies here") from None

    return replay.run(actions(), claimed_cost)


class _Replay(Generic[State, Action]):
    """The belief while a plan is replayed: every state that may be the true one."""

    def __init__(self, problem: BeliefProblem[State, Action, Any]) -> None:
        self._problem = problem
        self.belief: Collection[State]
        self.belief = initial_belief(problem)
        self._results: dict[Action, dict[State, frozenset[State]]] = {}

    def run(self, plan: Iterable[tuple[int, Action]], claimed_cost: Cost | None) -> Verification[State]:
        starts = largest = len(self.belief)
        followed = 0
        cost: Cost = 0
        exact: Cost = 0
        steps = 0
        advance: Callable[[int, Action], Cost] = self._advance
        for steps, action in plan:  # the number of the last step is reported
            followed += len(self.belief) if len(self.belief) >= _SMALL else 0
            if followed > _FOLLOWED_PLAINLY and isinstance(self.belief, frozenset):
                advance = self._with_arrays()
            price = advance(steps, action)
            try:
                cost += price
            except OverflowError:  # a whole number, and a float that it does not fit into
                cost = math.inf
            exact += exactly(price)
            largest = max(largest, len(self.belief))
        complaint = self._escaped(steps)
        if not complaint and claimed_cost is not None and claimed_cost != cost:
            complaint = f"the plan wins, but costs {cost}, not {claimed_cost} as the file says"
        if cost == math.inf:  # more than floats can say
            cost = exact
        return Verification(not complaint, complaint, steps, starts, cost, largest, exact)

    def _advance(self, step: int, action: Action) -> Cost:
        """Do `action`: what it costs."""
        results = self._results.setdefault(action, {})
        new = [state for state in self.belief if state not in results]
        if new:
            require_applicable(self._problem, step, action, new)
        for state in new:
            results[state] = results_of(self._problem, state, action)
        cost = max(checked_cost(self._problem, state, action) for state in self.belief)
        self.belief = frozenset().union(*(results[state] for state in self.belief))
        return cost

    def _with_arrays(self) -> Callable[[int, Action], Cost]:
        """From here on the belief is an array of numbers."""
        from .sequence_arrays import NumberedBelief

        belief = NumberedBelief(self._problem, self.belief, self._results)
        self.belief = belief
        return belief.advance

    def _escaped(self, steps: int) -> str:
        """Which state keeps the last belief from being a goal; nothing if it is one."""
        problem = self._problem
        left_out = [[state for state in self.belief if state not in goals] for goals in problem.goal_sets()]
        outside = min(left_out, key=len, default=list(self.belief))
        if not outside:
            return ""
        when = f"after step {steps}, the last," if steps else "at the start, where the plan is at its end,"
        example = min(map(problem.format_state, outside))
        more = len(outside) - 1
        others = f" and {more} other state{'' if more == 1 else 's'}" if more else ""
        return f"{when} the state may be {example}{others}, which is no goal"
