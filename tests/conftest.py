"""What all tests share: how long hypothesis waits."""

from __future__ import annotations

from hypothesis import settings

# The first example that meets a compiled kernel waits for the compiler, and a busy machine is no failure.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
