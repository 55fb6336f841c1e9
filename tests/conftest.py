"""What all tests share: how hypothesis waits, and what the garbage collector need not look at."""

from __future__ import annotations

import gc

from hypothesis import settings

# The first example that meets a compiled kernel waits for the compiler, and a busy machine is no failure.
# So few examples that the suite stays under three minutes; `--hypothesis-profile=thorough` tries many more.
settings.register_profile("patient", deadline=None, max_examples=50)
settings.register_profile("thorough", settings.get_profile("patient"), max_examples=1000)
settings.load_profile("patient")


def pytest_collection_finish() -> None:
    """Let the collector pass over five thousand tests, which stay to the end, and look less often for circles."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000)
