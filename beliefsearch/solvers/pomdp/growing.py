"""Arrays: the types of what is in them, and arrays that grow, for which memory is taken as it is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Integers: TypeAlias = NDArray[np.int64]
    Truths: TypeAlias = NDArray[np.bool_]


def with_room(array: Any, needed: int) -> Any:
    """`array` with at least `needed` rows, and half as many again if it is too short; new ones are zeros."""
    if len(array) >= needed:
        return array
    grown = np.zeros((max(needed, len(array) + len(array) // 2 + 16), *array.shape[1:]), array.dtype)
    grown[: len(array)] = array
    return grown
