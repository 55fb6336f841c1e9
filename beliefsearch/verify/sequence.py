"""The checker of sequences of actions: a replay by the definition of a belief transition.

What it proves: every possible start is led to a goal, whatever results come up, and each action applies in every state
that is possible where it stands. It follows the belief, the set of all states that may be the true one, from the
initial belief through `results`, state by state; at the end it must lie inside a goal set. Percepts are not looked at.
A long replay does the same with arrays of numbers (`sequence_arrays.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, Generic

from ..errors import InvalidPlanError
from ..model.base import Action, Cost, State
from ..model.belief import initial_belief, successors
from ..model.checked import checked_cost
from ..model.problem import BeliefProblem
from ..model.shown import is_said_to_be, shown_cost
from ..plans.encoding import ActionReader, Json
from .steps import require_applicable
from .verdict import PlanVerdict

# Arrays take over once this many members of beliefs have been followed with frozensets, all steps together, about
# as long as it takes to import NumPy. Beliefs with fewer members than the second number do not count.
_FOLLOWED_PLAINLY = 200_000
_SMALL = 500


def check_sequence(
    problem: BeliefProblem[State, Action, Any], plan: Iterable[Action], *, claimed_cost: Cost | None = None
) -> PlanVerdict:
    """Replay the actions of `plan` from every possible start through every possible result; see `check_plan`."""
    return _Replay(problem).run(enumerate(plan, 1), claimed_cost)


def check_sequence_file(
    problem: BeliefProblem[State, Action, Any],
    plan: Iterable[Json],
    claimed_cost: Cost | None,
) -> PlanVerdict:
    """`check_sequence` for a plan in a plan file; raises `InvalidPlanError`, which says which step, as that does."""
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

    def run(self, plan: Iterable[tuple[int, Action]], claimed_cost: Cost | None) -> PlanVerdict:
        starts = largest = len(self.belief)
        followed = 0
        cost: Cost = 0
        steps = 0
        advance: Callable[[int, Action], Cost] = self._advance
        for steps, action in plan:  # the number of the last step is reported
            followed += len(self.belief) if len(self.belief) >= _SMALL else 0
            if followed > _FOLLOWED_PLAINLY and isinstance(self.belief, frozenset):
                advance = self._with_arrays()
            cost += advance(steps, action)
            largest = max(largest, len(self.belief))
        complaint = self._escaped(steps)
        shown = shown_cost(self._problem, cost)
        if not complaint and claimed_cost is not None and not is_said_to_be(claimed_cost, cost):
            complaint = f"the plan wins, but costs {shown}, not {claimed_cost} as the file says"
        return PlanVerdict(not complaint, complaint, steps, starts, shown, None, False, largest, cost)

    def _advance(self, step: int, action: Action) -> Cost:
        """Do `action`, and return its cost."""
        try:
            results = self._results.setdefault(action, {})
        except TypeError:
            raise InvalidPlanError(f"step {step}: {action!r:.60} is no action: it is not hashable") from None
        new = [state for state in self.belief if state not in results]
        if new:
            require_applicable(self._problem, f"step {step}", action, new)
        for state in new:
            results[state] = frozenset(successors(self._problem, state, action))
        cost = max(checked_cost(self._problem, state, action) for state in self.belief)
        self.belief = frozenset().union(*(results[state] for state in self.belief))
        return cost

    def _with_arrays(self) -> Callable[[int, Action], Cost]:
        """Represent the belief as an array of numbers from here on."""
        from .sequence_arrays import NumberedBelief

        belief = NumberedBelief(self._problem, self.belief, self._results)
        self.belief = belief
        return belief.advance

    def _escaped(self, steps: int) -> str:
        """A state that keeps the last belief from being a goal; empty if it is a goal."""
        problem = self._problem
        left_out = [[state for state in self.belief if state not in goals] for goals in problem.goal_sets()]
        outside = min(left_out, key=len, default=list(self.belief))
        if not outside:
            return ""
        when = f"after step {steps}, the last," if steps else "at the start, where the plan ends,"
        example = min(problem.format_state(state) for state in outside)
        more = len(outside) - 1
        others = f", or one {f'of {more} more such states' if more > 1 else 'more such state'}" if more else ""
        return f"{when} the state may be {example}, which is no goal{others}"
