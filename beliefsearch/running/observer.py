"""Observers: what a search tells while it runs.

Solvers know nothing of progress displays or traces; they tell an observer what they do. Derive from
`Observer` and override what you want to hear.
"""

from __future__ import annotations

from typing import Any


class Observer:
    """Hears every event of a search; each method does nothing by default.

    Searches under compiled kernels, and from both ends through sets of states, handle many states at a time
    and tell of layers and of progress only.

    States are what the solver sees: for a belief problem under the bit-set engine, a belief is an
    `int` that `BeliefView.members` of the view makes into a set.
    """

    def hears_states(self) -> bool:
        """Whether this observer wants to hear of single states: then a search that handles many at once is no good."""
        kind = type(self)
        return kind.expanded is not Observer.expanded or kind.generated is not Observer.generated

    def numbered(self, states: int) -> None:
        """So many physical states have been numbered while a model is built."""

    def expanded(self, state: Any, g: Any) -> None:
        """`state` is about to be expanded; `g` is its cost so far, or its depth where a solver keeps only that."""

    def generated(self, state: Any, action: Any, child: Any, g: Any) -> None:
        """`action` leads from `state` to `child`; `g` is the child's cost, or its depth."""

    def layer_finished(self, bound: Any, frontier: int, reached: int) -> None:
        """No plan costs less than `bound`; so many states wait and so many have been reached."""

    def progressed(self, bound: Any, expanded: int, frontier: int, reached: int) -> None:
        """Now and then: the lower bound, and how many states are expanded, wait, and have been reached."""
