"""Observers, which receive the events of a running search.

Solvers know nothing of progress displays or traces; they tell an observer what they do. Derive from
`Observer` and override what you want to hear.
"""

from __future__ import annotations

from typing import Any


class Observer:
    """Receives every event of a search; each method does nothing by default.

    Searches under compiled kernels, and from both ends through sets of states, handle many states at a time
    and tell of layers and of progress only.

    States are what the solver sees: for a belief problem under the bit-set engine, a belief is an
    `int` that `BeliefView.members` of the view makes into a set.
    """

    def hears_states(self) -> bool:
        """Whether this observer needs an event for every state; then states are not handled many at once."""
        kind = type(self)
        return kind.expanded is not Observer.expanded or kind.generated is not Observer.generated

    def numbered(self, states: int) -> None:
        """`states` physical states have been numbered while a model is built."""

    def waiting(self, what: str) -> None:
        """Nothing is searched until something else is there, such as "workers"; empty once it is."""

    def resumed(self, expanded: int, layers: int) -> None:
        """A search goes on with what was kept: gives how many states it has expanded, and layers it has finished."""

    def expanded(self, state: Any, g: Any) -> None:
        """`state` is about to be expanded; `g` is its cost so far, or its depth where a solver keeps only that."""

    def generated(self, state: Any, action: Any, child: Any, g: Any) -> None:
        """`action` leads from `state` to `child`; `g` is the child's cost, or its depth."""

    def layer_finished(self, bound: Any, frontier: int, reached: int) -> None:
        """A layer is finished: no plan costs less than `bound`; gives the numbers of frontier and reached states."""

    def progressed(self, bound: Any, expanded: int, frontier: int, reached: int) -> None:
        """Called now and then with the lower bound and the numbers of expanded, frontier and reached states."""

    def narrowed(self, lower: float, upper: float, beliefs: int) -> None:
        """The value of a partially observable game lies between these bounds; gives how many beliefs were met."""
