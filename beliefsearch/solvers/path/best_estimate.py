"""The best of several heuristics: their maximum."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...model.problem import Cost

__all__ = ["maximum"]


def maximum(heuristics: Sequence[Callable[[Any], Cost]]) -> Callable[[Any], Cost]:
    """The largest of the estimates: admissible if all are, consistent if all are."""
    if len(heuristics) == 1:
        return heuristics[0]
    return lambda state: max(heuristic(state) for heuristic in heuristics)
