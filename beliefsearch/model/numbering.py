"""Numbering of states, actions and percepts: their order in a file, which other programs refer to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Generic

from attrs import frozen

from ..errors import ProblemError
from .base import Action, State

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    Percept = TypeVar("Percept", default=Any)
else:
    from .base import Percept


@frozen
class Numbering(Generic[State, Action, Percept]):
    """All states, actions and percepts that a file has, in its order; numbers count from 0.

    Attributes
    ----------
    states
        Also unreachable and terminal ones. The problem gives outcomes and percepts of actions there, too; their reward
        is 0.
    actions, percepts
        All of them; no percepts if the state is seen.
    """

    states: Sequence[State]
    actions: Sequence[Action]
    percepts: Sequence[Percept]


def numbering_of(problem: Any) -> Numbering[Any, Any, Any]:
    """The numbering of a problem; raises `ProblemError` unless the problem is a file of a POMDP."""
    found: Numbering[Any, Any, Any] | None = problem.numbering() if hasattr(problem, "numbering") else None
    if found is None or not found.percepts:
        raise ProblemError(
            "policies of other solvers go by the numbers that states, actions and percepts have in a POMDP's file, "
            "and so the problem should be such a file, as `beliefsearch export` writes"
        )
    return found
