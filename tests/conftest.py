"""What all tests share: how long hypothesis waits."""

from __future__ import annotations

from hypothesis import settings

# The first example that meets a compiled kernel waits for the compiler, and a busy machine is no failure.
# So few examples that the suite stays under five minutes; more are tried by hand when a law is new.
settings.register_profile("patient", deadline=None, max_examples=50)
settings.load_profile("patient")
