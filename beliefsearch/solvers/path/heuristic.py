"""Heuristics: the type, the zero heuristic, and the maximum of several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from ...model.base import Cost

_State_contra = TypeVar("_State_contra", contravariant=True)


class Heuristic(Protocol[_State_contra]):
    """A lower bound on the cost from a state to a goal."""

    def __call__(self, state: _State_contra, /) -> Cost:
        """The estimate of `state`: not negative, infinite if there is no way to a goal."""


def no_estimate(state: object) -> float:
    """The zero heuristic: admissible and consistent for every problem."""
    return 0


def maximum(heuristics: Sequence[Callable[[Any], Cost]]) -> Callable[[Any], Cost]:
    """The maximum of heuristics: admissible if all are, consistent if all are."""
    if len(heuristics) == 1:
        return heuristics[0]
    return lambda state: max(heuristic(state) for heuristic in heuristics)
