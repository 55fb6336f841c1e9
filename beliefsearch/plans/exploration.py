"""The answer to "how many are there?": the number of states, or beliefs, at each distance."""

from __future__ import annotations

from typing import Any

from attrs import field, frozen


@frozen
class Exploration:
    """How many states or beliefs lie at each distance from the start, or to the goal.

    Attributes
    ----------
    nodes
        What was counted: "states" or "beliefs".
    layers
        How many lie at distance 0, 1, 2, ...; every number is exact, also where the exploration was stopped.
    complete
        Whether there are no others.
    backward
        Whether distances are to the goal, and not from the start.
    last
        Some of the last layer: states, or frozensets of states.
    cut_off
        Where distances are to the goal, and what was counted is what can be reached from the start: how many of these
        the goal cannot be reached from. Otherwise 0.
    reason
        Why the exploration was stopped; None if it is complete.
    seconds
        How long it took, in all processes that took part.
    """

    nodes: str
    layers: tuple[int, ...]
    complete: bool
    backward: bool = False
    last: tuple[Any, ...] = ()
    cut_off: int = 0
    reason: str | None = None
    seconds: float = field(default=0.0, eq=False)

    @property
    def total(self) -> int:
        """How many were counted in all."""
        return sum(self.layers)

    @property
    def eccentricity(self) -> int | None:
        """The largest distance; None if the exploration was stopped, or nothing was counted."""
        return len(self.layers) - 1 if self.complete and self.layers else None
