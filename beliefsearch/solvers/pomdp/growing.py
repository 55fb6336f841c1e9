"""Arrays that grow: memory is taken as it is needed, each time half as much again."""

from __future__ import annotations

from typing import Any

import numpy as np


def with_room(array: Any, needed: int) -> Any:
    """`array` with at least `needed` rows, the first ones as they were; the others are zeros."""
    if len(array) >= needed:
        return array
    grown = np.zeros((max(needed, len(array) + len(array) // 2 + 16), *array.shape[1:]), array.dtype)
    grown[: len(array)] = array
    return grown
