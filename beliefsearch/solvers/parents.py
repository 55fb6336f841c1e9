"""How a state was reached: a map to its parent and the action between, and the plan read off it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from ..problem import Action, State

__all__ = ["Parents", "plan_to"]

Parents: TypeAlias = dict[State, tuple[State, Action] | None]


def plan_to(state: State, parents: Mapping[State, tuple[State, Action] | None]) -> tuple[Action, ...]:
    """The actions that lead from the root of `parents` (whose parent is None) to `state`."""
    actions = []
    while (step := parents[state]) is not None:
        state, action = step
        actions.append(action)
    return tuple(reversed(actions))
