"""A shortest path to a node that was found, or to a goal, walked back through the layers of a search on disk."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...errors import StoreError
from .on_disk import DiskLayers
from .space import Space

if TYPE_CHECKING:
    from .space import Codes


def plan_from_layers(layers: DiskLayers, space: Space, finished: Callable[[], None]) -> list[int] | None:
    """A shortest path from a start to a goal, as numbers of actions; None if there is none.

    It goes to the first goal, in the order in which they are kept, of the first layer that has some, and there as
    `path_back` says. `finished` is called when a layer has turned out to have no goal.

    Parameters
    ----------
    layers
        They must be kept; if a search went on from what was kept, from there on.

    Raises
    ------
    LimitReached
        If a limit is reached, or there is no space left.
    StoreError
        As `path_back`.

    Notes
    -----
    Time is that of the layers, and once more O(nodes times actions) at most for the way back.
    """
    while True:
        goal = _first_goal(layers, space)
        if goal is not None:
            return path_back(layers, space, goal)
        finished()
        if not layers.advance():
            return None


def _first_goal(layers: DiskLayers, space: Space) -> Codes | None:
    """The first goal in the last layer."""
    for codes in layers.pieces(len(layers.counts) - 1):
        goals = codes[space.goals(codes)]
        if len(goals):
            return goals[:1]
    return None


def path_back(layers: DiskLayers, space: Space, target: Codes) -> list[int]:
    """A shortest path to a node of the last layer, as numbers of actions: walked back layer by layer.

    Of all nodes of a layer from which it goes on the first is taken, and then the first action. Every layer is expanded
    once more, up to where such a node is found.

    Parameters
    ----------
    layers
        They must be kept.
    target
        The code of the node, shape (words,) or (1, words).

    Raises
    ------
    StoreError
        If the layers are damaged: nothing leads to the node.
    """
    wanted = target.reshape(1, -1)
    path: list[int] = []
    for distance in reversed(range(len(layers.counts) - 1)):
        for codes in layers.pieces(distance):
            before = _before(space, codes, wanted)
            if before is not None:
                row, action = before
                wanted = codes[row : row + 1]
                path.append(action)
                break
        else:
            raise StoreError(f"the store is damaged: in layer {distance} nothing leads on to where the path goes")
    return path[::-1]


def _before(space: Space, codes: Codes, wanted: Codes) -> tuple[int, int] | None:
    """The first of these nodes that `wanted` follows, and the first action by which it does."""
    found = []
    for action in range(space.actions):
        results, rows = space.results(codes, action)
        leading = rows[(results == wanted).all(axis=1)]
        if len(leading):
            found.append((int(leading.min()), action))
    return min(found, default=None)
