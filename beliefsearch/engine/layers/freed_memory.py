"""Memory that is freed and asked for again at once: large arrays of which each lives for some milliseconds."""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress

# Of mallopt(3): what is freed at the end of a heap goes back to the system from this size on, and an allocation of this
# size has pages of its own, which always do.
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
_KEPT, _OWN_PAGES = 1 << 28, 1 << 25


def keep_freed_memory() -> None:
    """Have the C library keep some of it, from now on and in the whole process.

    Otherwise the system takes pages away after each step and gives them back for the next one, which threads wait for:
    it took half as long as all the work of a search on disk by two of them. Systems without such a library are left
    alone.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            library = ctypes.CDLL(None)
            library.mallopt(_M_TRIM_THRESHOLD, _KEPT)
            library.mallopt(_M_MMAP_THRESHOLD, _OWN_PAGES)
