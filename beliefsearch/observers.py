"""Observers: what a search tells while it runs.

Solvers know nothing of progress displays or traces; they tell an observer what they do. Derive from
`Observer` and override what you want to hear.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

__all__ = ["Observer", "Observers"]


class Observer:
    """Hears every event of a search; each method does nothing by default.

    States are what the solver sees: for a belief problem under the bit-set engine, a belief is an
    `int` that `BeliefView.members` of the view makes into a set.
    """

    def numbered(self, states: int) -> None:
        """So many physical states have been numbered while a model is built."""

    def expanded(self, state: Any, g: Any) -> None:
        """`state`, reached at cost `g`, is about to be expanded."""

    def generated(self, state: Any, action: Any, child: Any, g: Any) -> None:
        """`action` leads from `state` to `child`, which is thereby reached at cost `g`."""

    def layer_finished(self, bound: Any, frontier: int, reached: int) -> None:
        """No plan costs less than `bound`; so many states wait and so many have been reached."""


class Observers(Observer):
    """Several observers as one.

    Parameters
    ----------
    observers
        Told of each event in this order.
    """

    def __init__(self, observers: Iterable[Observer]) -> None:
        self.observers = tuple(observers)

    def numbered(self, states: int) -> None:
        for observer in self.observers:
            observer.numbered(states)

    def expanded(self, state: Any, g: Any) -> None:
        for observer in self.observers:
            observer.expanded(state, g)

    def generated(self, state: Any, action: Any, child: Any, g: Any) -> None:
        for observer in self.observers:
            observer.generated(state, action, child, g)

    def layer_finished(self, bound: Any, frontier: int, reached: int) -> None:
        for observer in self.observers:
            observer.layer_finished(bound, frontier, reached)
