"""Linear equations of the values of a policy, in floats."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

# The most unknowns of equations that NumPy solves; for more, SciPy's sparse elimination is worth loading.
_MOST_DENSE = 150


def solved(
    pointers: NDArray[Any], targets: NDArray[Any], weights: NDArray[Any], constants: NDArray[Any]
) -> NDArray[np.float64]:
    """Return v with v = constants + W v, where row i of W has its entries from `pointers[i]` to `pointers[i + 1]`.

    O(n^3), less if W is sparse. If there is no unique solution, large systems give NaN, and small ones raise NumPy's
    `LinAlgError`.
    """
    size = len(constants)
    if size <= _MOST_DENSE:
        system = np.eye(size)
        np.add.at(system, (np.repeat(np.arange(size), np.diff(pointers)), targets), -weights)
        return np.asarray(np.linalg.solve(system, constants), np.float64)
    from scipy.sparse import csr_array, eye_array
    from scipy.sparse.linalg import MatrixRankWarning, spsolve

    inside = csr_array((weights, targets, pointers), shape=(size, size))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MatrixRankWarning)
        values: NDArray[np.float64] = spsolve((eye_array(size) - inside).tocsc(), constants)
    return values
