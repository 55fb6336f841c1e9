"""What follows beliefs where nothing is perceived: their images under all actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..compiled.jit import kernel
from ..compiled.kernels import image, includes
from ..compiled.model import CompiledModel
from ..compiled.one_word_step import side_by_side
from ..compiled.words import Words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .space import Codes

_BYTE = np.uint64(255)
_EIGHT = np.uint64(8)


class Images:
    """The images of sets of states under the actions of a model; keeps its arrays, and can be pickled."""

    def __init__(self, model: CompiledModel[Any, Any]) -> None:
        forward = model.forward
        self._tables, self._offsets, self._targets = forward.tables, forward.offsets, forward.targets
        self._applicable = model.applicable
        self._everywhere = model.applies_everywhere
        self._side_by_side = side_by_side(forward.tables) if model.width == 1 and len(forward.tables) else None

    def successors(self, codes: Codes) -> Codes:
        """All images, belief by belief."""
        if self._side_by_side is None:
            return self._images(codes, 0, len(self._applicable))[0]
        out: Codes = np.empty((len(codes) * len(self._applicable), 1), dtype=np.uint64)
        count = one_word_images(self._side_by_side, self._applicable, self._everywhere, codes, out)
        return out[:count]

    def results(self, codes: Codes, action: int) -> tuple[Codes, NDArray[np.intp]]:
        """The images under one action, and the rows from which they come."""
        return self._images(codes, action, action + 1)

    def _images(self, codes: Codes, first: int, end: int) -> tuple[Codes, NDArray[np.intp]]:
        """The images under the actions from `first` to before `end`."""
        room = len(codes) * (end - first)
        out: Codes = np.empty((room, codes.shape[1]), dtype=np.uint64)
        rows = np.empty(room, dtype=np.intp)
        count = images(self._tables, self._offsets, self._targets, self._applicable, first, end, codes, out, rows)
        return out[:count], rows[:count]


@kernel
def images(
    tables: NDArray[np.uint64],
    offsets: NDArray[np.int64],
    targets: NDArray[Any],
    applicable: Words,
    first: int,
    end: int,
    beliefs: Words,
    out: Words,
    rows: NDArray[np.intp],
) -> int:
    """Write the images of beliefs to `out`, and the rows from which they come; returns how many they are."""
    count = 0
    for row in range(beliefs.shape[0]):
        for action in range(first, end):
            if includes(applicable[action], beliefs[row]):
                image(tables, offsets, targets, action, beliefs[row], out[count])
                rows[count] = row
                count += 1
    return count


@kernel
def one_word_images(tables: NDArray[np.uint64], applicable: Words, everywhere: bool, beliefs: Words, out: Words) -> int:
    """Write the images of beliefs of one word under all actions to `out`; `tables` are side by side."""
    places, actions = tables.shape[0], tables.shape[2]
    count = 0
    for row in range(beliefs.shape[0]):
        belief = beliefs[row, 0]
        for action in range(actions):
            if everywhere or belief & ~applicable[action, 0] == 0:
                found = np.uint64(0)
                rest = belief
                for place in range(places):
                    found |= tables[place, rest & _BYTE, action]
                    rest >>= _EIGHT
                out[count, 0] = found
                count += 1
    return count
