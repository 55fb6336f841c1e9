"""A conditional plan that is soon found where actions only tell states apart: in each belief what tells most."""

from __future__ import annotations

from math import inf, log
from typing import Any

from ...model.base import Action, Cost
from ...plans.plan import ConditionalPlan
from ...solvers.contingent.plan_graph import plan_graph
from .contingent import BitsetContingentView


def early_tree(view: BitsetContingentView[Any, Action]) -> tuple[ConditionalPlan[Action, Any], Cost] | None:
    """Return a plan and its cost, in the worst case or, if states are equally likely, in the mean; None if none is met.

    Greedy: the action with the least cost for what is told, as the logarithm of what is left together at the most, or
    in the mean. None where in some belief no action leaves less in every outcome. O(beliefs of the plan * actions).
    """
    root = view.initial_node()
    counted = root if view.equally_likely else view.model.apart(root)
    is_goal, after = view.is_goal, view.after
    prices: dict[Action, float] = {}
    chosen: dict[int, Action] = {}
    most = 2  # outcomes of an action

    def choose(belief: int) -> Action:
        nonlocal most
        view.tick()
        size = (belief & counted).bit_count()
        best: tuple[float, int] = inf, 0
        for action in view.actions(belief):
            sizes = [0 if is_goal(part) else (part & counted).bit_count() for part in after(belief, action)]
            largest = max(sizes)
            if largest >= size:
                continue
            if action not in prices:
                prices[action] = float(view.action_cost(belief & -belief, action))
            most = max(most, len(sizes))
            squares = sum(part * part for part in sizes)
            left = squares / size if view.equally_likely else largest
            found = prices[action] / log(size / max(left, 1 / 2)), squares
            if found < best:
                best, chosen[belief] = found, action
                if left <= size / most + 1 / 2 and prices[action] <= min(prices.values()):
                    break  # nothing can tell more, nor more cheaply
        if belief not in chosen:
            raise _NothingTells
        return chosen[belief]

    try:
        plan = plan_graph(view, root, choose)
    except _NothingTells:
        return None
    costs: dict[int, Cost] = {}
    for belief in sorted(chosen, key=lambda belief: (belief & counted).bit_count()):  # what follows has fewer of these
        action = chosen[belief]
        outcomes = view.outcomes(belief, action)
        later: list[Any] = [costs.get(part, 0) for _, part in outcomes]
        if view.equally_likely:
            later = [share * cost for share, cost in zip(view.shares(belief, action, outcomes), later, strict=True)]
        costs[belief] = view.action_cost(belief, action) + (sum(later) if view.equally_likely else max(later))
    return plan, costs.get(root, 0)


class _NothingTells(Exception):
    """Raised in a belief in which no action tells anything."""
