"""How many examples a law tries that says so itself, and which parameters are left to the long run."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings


def examples(number: int) -> int:
    """For `@settings(max_examples=...)`: so many where a law that says nothing tries 20, and in proportion elsewhere.

    How many that is depends on the profile; `tests/conftest.py` has both.
    """
    return max(1, number * settings().max_examples // 20)


def thorough(*values: Any) -> Any:
    """A parameter of a test that is marked `thorough`."""
    return pytest.param(*values, marks=pytest.mark.thorough)
