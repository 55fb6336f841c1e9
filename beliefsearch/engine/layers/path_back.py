"""A shortest path to a node that was found, walked back through the layers of a search on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import StoreError
from .on_disk import DiskLayers
from .space import Space

if TYPE_CHECKING:
    from .space import Codes


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
