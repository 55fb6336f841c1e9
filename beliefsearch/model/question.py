"""Questions about the value of a stochastic problem, such as the properties of probabilistic model checkers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen

from .base import Number


def _undecided(least: Any, most: Any) -> bool | None:
    return None


def _no_actions(state: Any) -> Sequence[Any]:
    return ()


@frozen
class Question:
    """A question about the value of a stochastic problem.

    Attributes
    ----------
    text
        The question in the notation of its field, in one line.
    asks_for
        Name of the value, such as `probability`.
    holds
        Whether the comparison in the question is true of every value between a lower and an upper bound; None if they
        do not decide it, or there is no comparison. Bounds are costs if the problem minimises costs.
    settled
        The value, a cost likewise, if the graph of states alone decides it; it may be infinite.
    because
        The reason for that, as the end of a sentence.
    of_opposite
        Whether the problem is about the complementary event, so that the answer is 1 minus its value.
    keeping
        The actions that avoid the goal for ever, by state: where there are some, the state is terminal.
    """

    text: str
    asks_for: str = "value"
    holds: Callable[[Any, Any], bool | None] = _undecided
    settled: Number | None = None
    because: str = ""
    of_opposite: bool = False
    keeping: Callable[[Any], Sequence[Any]] = _no_actions
