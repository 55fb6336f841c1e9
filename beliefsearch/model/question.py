"""Questions of a field about the value of a stochastic problem, such as the properties of model checkers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen

from .base import Number


def _tells_nothing(least: Any, most: Any) -> bool | None:
    return None


def _no_actions(state: Any) -> Sequence[Any]:
    return ()


@frozen
class Question:
    """A question about the value of a stochastic problem, in the words of a field.

    Attributes
    ----------
    text
        As its field writes it, in one line.
    asks_for
        What the value is called: `probability`.
    holds
        Whether a comparison is true of a value between these two, both told as costs if the problem is about costs;
        None if that does not tell, or no comparison is asked for.
    settled
        The value, told likewise, if the graph of states alone tells it; it may be infinite.
    because
        Why, as the end of a sentence.
    of_opposite
        Whether the game is about the probability of the opposite, so that the answer is what that lacks of 1.
    keeping
        By which actions a state is kept from the goal for ever, where the game is over since that is possible; empty
        elsewhere.
    """

    text: str
    asks_for: str = "value"
    holds: Callable[[Any, Any], bool | None] = _tells_nothing
    settled: Number | None = None
    because: str = ""
    of_opposite: bool = False
    keeping: Callable[[Any], Sequence[Any]] = _no_actions
