"""The AND-OR graph of the beliefs of a contingent problem as arrays."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from .jit import kernel
from .words import Words


@frozen(eq=False)
class BeliefGraph:
    """Nodes, which are beliefs; their options, which are actions; and the children of options, which are nodes.

    Node 0 is where the game begins. The same graph as `solvers.and_or.graph.AndOrGraph`, in the same order.

    Attributes
    ----------
    beliefs
        By node: its states as a bit set; shape (nodes, width).
    won
        By node: whether it is a goal, which has no options.
    first_option
        The options of node i are those from `first_option[i]` to `first_option[i + 1]`.
    actions
        By option: the number of its action in the model.
    first_child
        The children of option i stand from `first_child[i]` to `first_child[i + 1]`; there is at least one.
    children
        Their nodes, each of an option once.
    """

    beliefs: Words
    won: NDArray[np.bool_]
    first_option: NDArray[np.int32]
    actions: NDArray[np.int32]
    first_child: NDArray[np.int64]
    children: NDArray[np.int32]

    def children_of(self, node: int) -> Iterator[list[int]]:
        """The children of each option of a node."""
        for option in range(self.first_option[node], self.first_option[node + 1]):
            yield self.children[self.first_child[option] : self.first_child[option + 1]].tolist()

    @cached_property
    def node_of(self) -> NDArray[np.int32]:
        """By option: the node that has it."""
        return np.repeat(np.arange(len(self.won), dtype=np.int32), np.diff(self.first_option))

    @cached_property
    def into(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """By node: the options of which it is a child, in ascending order, as offsets and numbers."""
        offsets = np.zeros(len(self.won) + 1, dtype=np.int64)
        np.cumsum(np.bincount(self.children, minlength=len(self.won)), out=offsets[1:])
        options = np.empty(len(self.children), dtype=np.int32)
        _file_options(self.first_child, self.children, offsets[:-1].copy(), options)
        return offsets, options


@kernel
def _file_options(
    first_child: NDArray[np.int64], children: NDArray[np.int32], free: NDArray[np.int64], options: NDArray[np.int32]
) -> None:
    """Write each option to the places of all its children; `free` is the first free place of each."""
    for option in range(first_child.size - 1):
        for place in range(first_child[option], first_child[option + 1]):
            child = children[place]
            options[free[child]] = option
            free[child] += 1
