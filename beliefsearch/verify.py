"""The checker: replays a plan by the definition and trusts nothing that produced it.

It stands on `problem.py`, `belief.py` and `encoding.py` alone. It uses no solver, no engine, no view
and no symmetry (`canonical`): every possible start and every possible result is followed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Generic

from attrs import frozen

from .belief import initial_belief, successors
from .encoding import ActionReader, Json
from .errors import InvalidPlanError
from .problem import Action, BeliefProblem, Problem, State, checked_cost

if TYPE_CHECKING:
    from .problem import Cost

__all__ = ["Verification", "check_plan", "check_plan_file"]


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
    largest
        Members of the largest belief on the way.
    """

    holds: bool
    complaint: str
    steps: int
    starts: int
    cost: Cost
    largest: int


def check_plan(
    problem: Problem[State, Action] | BeliefProblem[State, Action, Any],
    plan: Iterable[Action],
    *,
    claimed_cost: Cost | None = None,
) -> Verification[State]:
    """Replay `plan` from every possible start through every possible result.

    Parameters
    ----------
    problem
        A plain problem, or a belief problem, whose percepts are ignored.
    plan
        The actions.
    claimed_cost
        What the plan is said to cost; None if nothing is said.

    Returns
    -------
    Verification
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
    once for each action and state.
    """
    return _Replay(problem).run(enumerate(plan, 1), claimed_cost)


def check_plan_file(
    problem: Problem[State, Action] | BeliefProblem[State, Action, Any],
    plan: Sequence[Json],
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

    def __init__(self, problem: Problem[State, Action] | BeliefProblem[State, Action, Any]) -> None:
        self._problem = problem
        if isinstance(problem, BeliefProblem):
            self.belief = initial_belief(problem)
        else:
            self.belief = frozenset((problem.initial_state(),))
        self._results: dict[Action, dict[State, frozenset[State]]] = {}

    def run(self, plan: Iterable[tuple[int, Action]], claimed_cost: Cost | None) -> Verification[State]:
        starts = largest = len(self.belief)
        cost: Cost = 0
        steps = 0
        for steps, action in plan:  # the number of the last step is reported
            results = self._results.setdefault(action, {})
            for state in self.belief:
                if state not in results:
                    results[state] = self._ask(steps, state, action)
            cost += max(checked_cost(self._problem, state, action) for state in self.belief)
            self.belief = frozenset().union(*(results[state] for state in self.belief))
            largest = max(largest, len(self.belief))
        complaint = self._escaped(steps)
        if not complaint and claimed_cost is not None and claimed_cost != cost:
            complaint = f"the plan wins, but costs {cost}, not {claimed_cost} as the file says"
        return Verification(not complaint, complaint, steps, starts, cost, largest)

    def _ask(self, step: int, state: State, action: Action) -> frozenset[State]:
        problem = self._problem
        if action not in problem.actions(state):
            raise InvalidPlanError(
                f"step {step}: the action {problem.format_action(action)} does not apply "
                f"to {problem.format_state(state)}, which is possible there"
            )
        if isinstance(problem, BeliefProblem):
            return frozenset(successors(problem, state, action))
        return frozenset((problem.result(state, action),))

    def _escaped(self, steps: int) -> str:
        """Which state keeps the last belief from being a goal; nothing if it is one."""
        problem = self._problem
        goal_sets = problem.goal_sets() if isinstance(problem, BeliefProblem) else None
        if goal_sets is None:
            outside = [state for state in self.belief if not problem.is_goal(state)]
        else:
            left_out = [[state for state in self.belief if state not in goals] for goals in goal_sets]
            outside = min(left_out, key=len, default=list(self.belief))
        if not outside:
            return ""
        when = f"after step {steps}, the last," if steps else "at the start, where the plan is at its end,"
        example = min(map(problem.format_state, outside))
        more = len(outside) - 1
        others = f" and {more} other state{'' if more == 1 else 's'}" if more else ""
        return f"{when} the state may be {example}{others}, which is no goal"
