"""Imports of workers: on this machine they are forked from a process that has loaded this module.

Not every system has such a process. Without it each worker loads the same with its first job.
"""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from . import cluster_workers  # noqa: F401  # loaded here for the workers
from .disk_runs import enter, set_since
from .disk_state import ByRange


def _load_kernels() -> None:
    ByRange(1, 64).divided(np.zeros((1, 1), dtype=np.uint64))
    bits = np.zeros(1, dtype=np.uint64)
    enter(bits, np.zeros(1, dtype=np.uint32))
    set_since(np.zeros(1, dtype=np.uint64), bits, 1)


with suppress(Exception):  # whoever needs them will say what is wrong
    _load_kernels()
