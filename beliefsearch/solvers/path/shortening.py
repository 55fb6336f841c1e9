"""Making plans shorter by leaving out needless actions.

H. Nakhost and M. Müller, "Action elimination and plan neighborhood graph search" (2010).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from ...model.base import Action, State
from ...model.problem import Problem

Tick = Callable[[], None]

Applies: TypeAlias = "Callable[[State, Action], bool]"
"""Says whether an action applies in a state."""


def without_needless(
    problem: Problem[State, Action], plan: Sequence[Action], tick: Tick, applies: Applies[State, Action]
) -> tuple[Action, ...]:
    """Return a plan that wins without actions that it can do without.

    Each action is left out in turn, with those behind it that do not apply then; O(n^2) steps.
    """
    kept = list(plan)
    state = problem.initial_state()
    place = 0
    while place < len(kept):
        tick()
        rest = rest_that_wins(problem, state, kept[place + 1 :], applies)
        if rest is not None:
            kept[place:] = rest
        else:
            state = problem.result(state, kept[place])
            place += 1
    return tuple(kept)


def rest_that_wins(
    problem: Problem[State, Action], state: State, rest: Sequence[Action], applies: Applies[State, Action]
) -> list[Action] | None:
    """Return those actions that can be done of `rest`, if they win."""
    done: list[Action] = []
    for action in rest:
        if problem.is_goal(state):
            return done
        if applies(state, action):
            done.append(action)
            state = problem.result(state, action)
    return done if problem.is_goal(state) else None
