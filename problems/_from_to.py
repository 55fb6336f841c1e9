"""Moves from one place to another, as they are typed."""

from __future__ import annotations


def from_to(text: str, example: str, *, first: int = 1) -> tuple[int, int]:
    """Two places that are counted from `first` on, such as `3 to 4` or `3 4`, as numbers from 0 on; or ValueError."""
    words = text.replace("to", " ").split()
    if len(words) != 2 or not all(word.isdecimal() for word in words):
        raise ValueError(f"{text!r} does not say from which place to which, such as {example!r}")
    return int(words[0]) - first, int(words[1]) - first
