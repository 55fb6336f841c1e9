"""The rule about `ReversibleProblem`: backwards the same steps are taken as forwards."""

from __future__ import annotations

from typing import Any

from ....model.hooks import ReversibleProblem
from ....model.values import listed
from ..rule import Case, Partly, Transitions, rule

# Predecessors are compared until so many were listed.
_MANY_STEPS = 100_000


@rule(
    "backwards",
    "predecessors() is the inverse of result(), and goal_states() are all the goals",
    ReversibleProblem,
    why="A search from the goals back takes these steps for those of the game, and misses what they leave out.",
)
def backwards_complaint(problem: Any, transitions: Transitions) -> str | None:
    """Where a step backwards is none forwards, or the other way round; None if nowhere."""
    goals = set(problem.goal_states())
    before: dict[Any, set[Any]] = {}  # by state: what predecessors() lists
    steps = looked_at = 0

    def steps_to(state: Any) -> set[Any]:
        nonlocal steps
        if state not in before:
            before[state] = set(listed(problem.predecessors(state)))
            steps += len(before[state])
        return before[state]

    for state, by_action in transitions.items():
        if problem.is_goal(state) != (state in goals):
            return Case(f"is_goal and goal_states() disagree about {state!r}", state)
        if steps > _MANY_STEPS:
            continue
        looked_at += 1
        for action, (result,) in by_action.items():
            if (state, action) not in steps_to(result):
                return Case(f"predecessors({result!r}) lacks ({state!r}, {action!r})", state, action)
        for parent, action in steps_to(state):
            if action not in problem.actions(parent) or problem.result(parent, action) != state:
                complaint = f"predecessors({state!r}) lists ({parent!r}, {action!r}), which leads elsewhere"
                return Case(complaint, parent, action)
    if looked_at < len(transitions):
        raise Partly(f"steps were compared in {looked_at:,} of {len(transitions):,} states")
    return None
