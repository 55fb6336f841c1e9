"""What follows beliefs where something is perceived: a belief for each percept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..compiled.graph_step import list_members
from ..compiled.jit import kernel
from ..compiled.kernels import includes
from ..compiled.observed_model import ObservedModel
from ..compiled.words import Words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .space import Codes

_ONE = np.uint64(1)
_LOW = np.int64(63)


class PerceivedParts:
    """The beliefs after the actions of a model, by percept; keeps the model's arrays, and can be pickled."""

    def __init__(self, model: ObservedModel[Any, Any]) -> None:
        self._offsets, self._percept_of, self._result_of = model.offsets, model.percept_of, model.result_of
        self._percepts = len(model.percepts)
        self._applicable = model.applicable

    def successors(self, codes: Codes) -> Codes:
        """All of them, belief by belief."""
        return self._split(codes, 0, len(self._applicable))[0]

    def results(self, codes: Codes, action: int) -> tuple[Codes, NDArray[np.intp]]:
        """What follows under one action, and the rows from which they come."""
        return self._split(codes, action, action + 1)

    def _split(self, codes: Codes, first: int, end: int) -> tuple[Codes, NDArray[np.intp]]:
        """What follows under the actions from `first` to before `end`."""
        found: list[Codes] = []
        rows: list[NDArray[np.intp]] = []
        done = 0
        least = max(1, (end - first) * self._percepts)  # room for what may follow one belief
        room = least + 2 * len(codes) * (end - first)
        while done < len(codes):
            out: Codes = np.empty((room, codes.shape[1]), dtype=np.uint64)
            origins = np.empty(room, dtype=np.intp)
            count, expanded = split(
                self._offsets,
                self._percept_of,
                self._result_of,
                self._applicable,
                self._percepts,
                first,
                end,
                codes[done:],
                out,
                origins,
            )
            found.append(out[:count])
            rows.append(origins[:count] + done)
            done += expanded
        if not found:
            return codes[:0], np.zeros(0, dtype=np.intp)
        return np.concatenate(found), np.concatenate(rows)


@kernel
def split(
    offsets: NDArray[np.int64],
    percept_of: NDArray[np.int32],
    result_of: NDArray[np.int32],
    applicable: Words,
    percepts: int,
    first: int,
    end: int,
    beliefs: Words,
    out: Words,
    origins: NDArray[np.intp],
) -> Any:
    """Write what follows `beliefs` to `out` while there is room for one more belief's; returns how many of both."""
    count = 0
    width = beliefs.shape[1]
    members = np.empty(64 * width, dtype=np.int64)
    place_of = np.empty(percepts, dtype=np.int64)  # by percept: the row of `out`, if it is one of this action's
    place_of[:] = -1
    for origin in range(beliefs.shape[0]):
        if count + (end - first) * percepts > out.shape[0]:
            return count, origin
        belief = beliefs[origin]
        size = list_members(belief, members)
        for action in range(first, end):
            if not includes(applicable[action], belief):
                continue
            begun = count
            for place in range(size):
                row = members[place] * applicable.shape[0] + action
                for entry in range(offsets[row], offsets[row + 1]):
                    percept = percept_of[entry]
                    if place_of[percept] < begun:
                        place_of[percept] = count
                        origins[count] = origin
                        for word in range(width):
                            out[count, word] = 0
                        count += 1
                    result = np.int64(result_of[entry])
                    out[place_of[percept], result >> 6] |= _ONE << np.uint64(result & _LOW)
    return count, beliefs.shape[0]
