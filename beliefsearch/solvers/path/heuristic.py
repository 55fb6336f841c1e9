"""Heuristics: the type, the zero heuristic, and the maximum of several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from ...model.base import Cost, State

Heuristic: TypeAlias = Callable[[State], Cost]
"""A lower bound on the cost from a state to a goal: not negative, infinite if there is no way to one."""


def no_estimate(state: object) -> float:
    """The zero heuristic: admissible and consistent for every problem."""
    return 0


def maximum(heuristics: Sequence[Callable[[Any], Cost]]) -> Callable[[Any], Cost]:
    """The maximum of heuristics: admissible if all are, consistent if all are."""
    if len(heuristics) == 1:
        return heuristics[0]
    return lambda state: max(heuristic(state) for heuristic in heuristics)
