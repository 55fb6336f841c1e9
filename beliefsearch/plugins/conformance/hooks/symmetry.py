"""The rule about `DistinctActionsHook` and `BeliefClassHook`: least costs must be the same without them."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from itertools import islice
from typing import Any

from ....model.belief import Belief, applicable_actions, initial_states
from ....model.hooks import BeliefClassHook, DistinctActionsHook
from ....model.problem import Cost
from ....running.limits import Budget, LimitReached, Limits
from ....running.record import Record
from ....solvers.and_or.graph import AndOrGraph
from ....views.contingent import FrozensetContingentView
from ..rule import Partly, Transitions, rule, shortened

# Larger graphs are not examined: more beliefs than this, or so many that with each of the actions in each of the
# starts there are more steps to be taken than this. Where that leaves hardly any belief, none is looked at.
_MOST_BELIEFS = 2000
_FEWEST_BELIEFS = 10
_MOST_STEPS = 1_000_000


@rule(
    "classes",
    "distinct_actions() leaves out no best action, and beliefs of one belief_class() cost the same to win",
    *(DistinctActionsHook, BeliefClassHook),
    why="A search leaves out the other actions, and takes what one belief costs for the cost of its whole class.",
    if_sound=True,
)
def class_complaint(problem: Any, transitions: Transitions) -> str | None:
    """What is wrong with the classes, if anything, judged by the least costs of all beliefs without them."""
    starts = list(islice(initial_states(problem), _MOST_STEPS // _FEWEST_BELIEFS + 1))
    actions = len(list(islice(problem.actions(starts[0]), _MOST_STEPS)))
    most = min(_MOST_BELIEFS, _MOST_STEPS // max(1, actions * len(starts)))
    view = _WithoutClasses(problem)
    try:
        if most < _FEWEST_BELIEFS:
            raise LimitReached
        record: Record[Any, Any] = Record("and-or-graph", view, Budget(Limits(expanded=most)), None)
        graph = AndOrGraph(view, [view.initial_node()], record)
    except LimitReached:
        raise Partly(f"not looked at: more beliefs than {most:,}") from None
    _, known = graph.least_costs()
    cost_of = {belief: known.get(number, math.inf) for belief, number in graph.number_of.items()}
    first_of_class: dict[Hashable, Belief[Any]] = {}
    for belief, cost in cost_of.items():
        alike = first_of_class.setdefault(view.class_of(belief), belief)
        if cost_of[alike] != cost:
            return (
                f"belief_class() is the same for {shortened(problem, alike)} and {shortened(problem, belief)}, "
                f"but from the first it costs {cost_of[alike]} to win, and from the second {cost}"
            )
        if not view.is_goal(belief):
            complaint = _distinct_actions_complaint(view, belief, cost_of)
            if complaint is not None:
                return complaint
    return None


def _distinct_actions_complaint(
    view: _WithoutClasses, belief: Belief[Any], cost_of: dict[Belief[Any], Cost]
) -> str | None:
    problem = view.problem
    given = problem.distinct_actions(belief) if isinstance(problem, DistinctActionsHook) else None
    if given is None:
        return None
    applicable = set(view.actions(belief))
    least: Cost = math.inf
    for action in given:
        if action not in applicable:
            return f"distinct_actions() gives {action!r}, which does not apply in {shortened(problem, belief)}"
        worst = max(cost_of[child] for _, child in view.outcomes(belief, action))
        least = min(least, view.action_cost(belief, action) + worst)
    if least > cost_of[belief]:
        return (
            f"distinct_actions() leaves out what is best in {shortened(problem, belief)}: with those it gives it costs "
            f"{least} to win, with all actions {cost_of[belief]}"
        )
    return None


class _WithoutClasses(FrozensetContingentView[Any, Any]):
    """Beliefs with all their actions."""

    def actions(self, belief: Belief[Any]) -> Iterable[Any]:
        return applicable_actions(self.problem, self.members(belief))
