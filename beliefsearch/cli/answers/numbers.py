"""Numbers in columns."""

from __future__ import annotations

from typing import Any

_LONGEST_NUMBER = 12


def shown_number(value: Any, digits: int = 6) -> str:
    """A number for a column: floats and long fractions are rounded to `digits` digits."""
    text = str(value)
    if not isinstance(value, float) and len(text) <= _LONGEST_NUMBER:
        return text
    try:
        return f"{float(value):.{digits}g}"
    except OverflowError:
        return "a number too large for a float"
