"""The compiler of the kernels: Numba, with its results kept on disk where that is possible."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar, cast

from numba import njit

__all__ = ["kernel"]

_Function = TypeVar("_Function", bound=Callable[..., object])


@contextmanager
def _as_if_missing(module: str) -> Iterator[None]:
    """Have `import module` fail, unless it is there already."""
    if module in sys.modules:
        yield
        return
    sys.modules[module] = None  # type: ignore[assignment]  # what Python itself takes for "not to be found"
    try:
        yield
    finally:
        del sys.modules[module]


# With its support for arrays Numba loads SciPy's linear algebra if it finds it, for products of matrices. Our
# kernels have none, and to load it takes longer than many a search.
with _as_if_missing("scipy.linalg"):
    import numba.np.arraymath  # noqa: F401


def kernel(function: _Function) -> _Function:
    """`function`, compiled when it is first called; the next process finds it compiled.

    Numba keeps compiled code beside the source, or else in the user's cache folder. Where neither can be
    written it refuses when the decorator is applied; then the code is compiled anew by every process.
    """
    try:
        return cast("_Function", njit(cache=True, nogil=True)(function))
    except RuntimeError:
        return cast("_Function", njit(nogil=True)(function))
