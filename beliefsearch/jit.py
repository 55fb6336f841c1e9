"""The compiler of the kernels: Numba, with its results kept on disk where that is possible."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from numba import njit

__all__ = ["kernel"]

_Function = TypeVar("_Function", bound=Callable[..., object])


def kernel(function: _Function) -> _Function:
    """`function`, compiled when it is first called; the next process finds it compiled.

    Numba keeps compiled code beside the source, or else in the user's cache folder. Where neither can be
    written it refuses when the decorator is applied; then the code is compiled anew by every process.
    """
    try:
        return cast("_Function", njit(cache=True, nogil=True)(function))
    except RuntimeError:
        return cast("_Function", njit(nogil=True)(function))
