"""How many examples a law tries that says so itself."""

from __future__ import annotations

from hypothesis import settings


def examples(number: int) -> int:
    """For `@settings(max_examples=...)`: `number` twentieths of what a law tries that says nothing.

    That depends on the profile; `tests/conftest.py` has both.
    """
    return max(1, number * settings().max_examples // 20)
