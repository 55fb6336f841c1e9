"""What is explored, as codes: nodes are rows of 64-bit words, and nothing else is known of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Codes: TypeAlias = NDArray[np.uint64]
    """Nodes, one a row: unsigned 64-bit integers of shape (nodes, words)."""

    Flags: TypeAlias = NDArray[np.bool_]
    """One for each node."""


class Space(Protocol):
    """States, or beliefs, as codes, and what follows them.

    It can be pickled, so that a cluster may send it to where the work is done. Every array that is given is
    C-contiguous; none of them is changed by whom it is given to.

    Attributes
    ----------
    nodes
        What they are called: "states" or "beliefs".
    words
        The number of words of each code.
    bound
        No code reaches this number, if they have one word and fill much of what lies below it; None otherwise.
    actions
        How many actions there are.
    """

    nodes: str
    words: int
    bound: int | None
    actions: int

    def starts(self) -> Codes:
        """Where the exploration begins."""
        ...

    def fits(self, codes: Codes) -> bool:
        """Whether these may be codes of nodes, as far as can be told without asking the author."""
        ...

    def successors(self, codes: Codes) -> Codes:
        """What follows these nodes under all actions, in any order, repetitions allowed."""
        ...

    def results(self, codes: Codes, action: int) -> tuple[Codes, NDArray[np.intp]]:
        """What follows these nodes under one action, and of each result the row of the node that it follows."""
        ...

    def goals(self, codes: Codes) -> Flags:
        """Which of these nodes are goals."""
        ...

    def values(self, codes: Codes) -> list[Any]:
        """What these codes stand for: states, or beliefs as frozensets of states."""
        ...


class Layers(Protocol):
    """A breadth-first search that is told to find the next layer, and keeps what it has found.

    Attributes
    ----------
    counts
        How many nodes lie at each distance from the starts, of the layers that are complete.
    """

    @property
    def counts(self) -> list[int]: ...

    def advance(self) -> int:
        """Find the next layer; the number of its nodes, which is added to `counts` unless it is 0: there is none."""
        ...

    def last(self, most: int) -> Codes:
        """At most so many nodes of the last layer, those with the least codes."""
        ...
