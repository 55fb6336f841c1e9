"""The order of states, actions and percepts in a file, by which other programs number them."""

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
        Also those that cannot come up, and those in which the game is over. What an action leads to there, and what is
        perceived then, the problem says as well; nothing is paid.
    actions, percepts
        All of them; no percepts if the state is seen.
    """

    states: Sequence[State]
    actions: Sequence[Action]
    percepts: Sequence[Percept]


def numbering_of(problem: Any) -> Numbering[Any, Any, Any]:
    """The numbering of a problem; raises `ProblemError` if it has none, as what is no file of a POMDP."""
    found: Numbering[Any, Any, Any] | None = problem.numbering() if hasattr(problem, "numbering") else None
    if found is None or not found.percepts:
        raise ProblemError(
            "policies of other solvers go by the numbers that states, actions and percepts have in a POMDP's file, "
            "and so the problem should be such a file, as `beliefsearch export` writes"
        )
    return found
