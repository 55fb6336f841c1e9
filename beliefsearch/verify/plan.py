"""The checker of plans, whatever their kind: a sequence of actions (`sequence.py`) or a conditional plan."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..errors import InvalidPlanError
from ..kinds import require
from ..model.base import Action, Cost, State
from ..model.problem import BeliefProblem
from ..plans.node_plans import GivenPlan
from ..plans.plan import ConditionalPlan
from ..plans.result import SearchResult, plan_of
from .conditional import check_node_plan
from .sequence import check_read_sequence
from .verdict import PlanVerdict


def check_plan(
    problem: BeliefProblem[State, Action, Any],
    plan: Iterable[Action] | ConditionalPlan[Action, Any] | SearchResult[Action],
    *,
    claimed_cost: Cost | None = None,
) -> PlanVerdict:
    """Follow `plan` from every possible start through every possible result, and percept if it branches on these.

    Parameters
    ----------
    problem
        A belief problem or a plain one; its percepts are ignored if the plan is a sequence.
    plan
        The actions, or a conditional plan; or the result that holds one of them.
    claimed_cost
        What the plan is said to cost in the worst case; None if nothing is said.

    Returns
    -------
    PlanVerdict
        Whether the plan wins, and if not, the state that escapes.

    Raises
    ------
    InvalidPlanError
        If an action does not apply to a state that is possible where it stands; names step and state.
    ProblemError
        If the problem breaks its contract, or is a stochastic one, whose answer is a policy.

    Notes
    -----
    Time is linear in the sum of the sizes of the beliefs on the way. The author's `results` are asked
    once for each action and state; again where what thousands of actions lead to would not fit into memory.

    Examples
    --------
    >>> from beliefsearch_problems.devil import DevilProblem
    >>> both, one = frozenset({0, 1}), frozenset({0})
    >>> check_plan(DevilProblem(n=2), [both, one, both]).holds
    True
    >>> check_plan(DevilProblem(n=2), [both, one]).complaint
    'after step 2, the last, the state may be TT, which is no goal'
    """
    require("check a plan", problem)
    actions = plan_of(plan)
    if isinstance(actions, ConditionalPlan):
        return check_node_plan(problem, GivenPlan(actions), claimed_cost)
    try:
        return check_read_sequence(problem, lambda _: enumerate(actions, 1), claimed_cost)
    except InvalidPlanError as error:
        if not isinstance(actions, str):
            raise
        raise InvalidPlanError(f"{error}; a plan is a list of actions, and of text each letter is one") from error
