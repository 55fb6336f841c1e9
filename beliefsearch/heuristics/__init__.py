"""Heuristics by name. One heuristic a file; each is admissible, so that A* is optimal with it.

A heuristic is anything that takes a state, as the solver sees it, and gives a lower bound on its cost to
a goal (infinite where there is no way). `HEURISTICS` maps each name that `--heuristic` takes to a
function that makes the heuristic for a given problem or view.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from ..problem import Problem
from .none import no_estimate

if TYPE_CHECKING:
    from ..problem import Cost

__all__ = ["HEURISTICS", "Heuristic"]

_State_contra = TypeVar("_State_contra", contravariant=True)


class Heuristic(Protocol[_State_contra]):
    """A lower bound on the cost from a state to a goal."""

    def __call__(self, state: _State_contra, /) -> Cost:
        """The estimate of `state`: not negative, infinite if there is no way to a goal."""


def _own(problem: Problem[Any, Any]) -> Heuristic[Any]:
    return problem.heuristic


def _none(problem: Problem[Any, Any]) -> Heuristic[Any]:
    return no_estimate


HEURISTICS: Mapping[str, Callable[[Problem[Any, Any]], Heuristic[Any]]] = {
    "own": _own,
    "none": _none,
}
