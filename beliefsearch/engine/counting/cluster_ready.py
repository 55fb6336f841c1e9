"""Imports of workers: on Linux the workers of this machine are forked from a process that has loaded this module.

On other systems each worker loads the same modules with its first job.
"""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from . import cluster_workers  # noqa: F401  # loaded here for the workers
from .disk_runs import enter, set_since
from .disk_state import ByRange

with suppress(Exception):  # loads the kernels; if that fails, the first job that needs them reports the error
    ByRange(1, 64).divided(np.zeros((1, 1), dtype=np.uint64))
    bits = np.zeros(1, dtype=np.uint64)
    enter(bits, np.zeros(1, dtype=np.uint32))
    set_since(np.zeros(1, dtype=np.uint64), bits, 1)
